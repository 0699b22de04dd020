// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// The process's own TCP connections, as `life` switches them. A connection becomes known by connect and accept, by a look through the
/// low descriptors every few seconds (what was inherited, or accepted by io_uring), and by duplication of a known one. A thread of ours
/// reads each with getsockopt(TCP_INFO) on its beat; who closes one reads it a last time. Nothing is asked on the way of a byte.
namespace flowgauge::sockets {

/// From now on connections are known, if `buffer` wants any of their kinds. periodMs: of the beat; 0: only last readings.
void start(std::uint32_t periodMs);

/// For buffer::onFiles: the process records from now on. Starts the thread, which ends at once where there is no connection.
void onFiles();

/// As io::DescriptorWatch has them. A process that records nothing begins to when a connection of its own that ends has moved 1 MiB.
void closing(int fd);
void closingRange(unsigned first, unsigned last);
void duplicated(int fd, int copy);

/// Reads all that is open a last time, from the thread that ends the process.
void lastReadings();

/// In a child after fork: its connections are its parent's as well. There is no thread here.
void afterForkInChild();

}  // namespace flowgauge::sockets
