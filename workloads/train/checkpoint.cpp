// SPDX-License-Identifier: MIT
#include "workloads/train/checkpoint.h"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include "workloads/failure.h"

namespace flowgauge::workloads {

static void writeAll(int descriptor, const std::string& path, std::span<const std::byte> bytes, Ledger& ledger)
{
    constexpr std::size_t piece = 4 << 20;
    while (!bytes.empty()) {
        const ssize_t put = write(descriptor, bytes.data(), std::min(piece, bytes.size()));
        ledger.wrote(path, put > 0 ? static_cast<std::uint64_t>(put) : 0);
        if (put < 0 && errno != EINTR) throw Failure(path, "cannot be written: ", std::strerror(errno));
        bytes = bytes.subspan(put > 0 ? static_cast<std::size_t>(put) : 0);
    }
}

void writeCheckpoint(const std::filesystem::path& folder, std::uint64_t epoch, std::span<const float> state, Ledger& ledger)
{
    const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(folder));
    std::filesystem::create_directories(place);
    const std::string path = (place / fmt::format("epoch-{:04}.ckpt", epoch)).string(), unfinished = path + ".part";
    const int descriptor = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) throw Failure(unfinished, "cannot be opened: ", std::strerror(errno));
    ledger.openedToWrite(unfinished);
    writeAll(descriptor, unfinished, std::as_bytes(state), ledger);
    const bool synced = fsync(descriptor) == 0;
    if (close(descriptor) != 0 || !synced) throw Failure(unfinished, "did not reach the disk: ", std::strerror(errno));
    std::filesystem::rename(unfinished, path);
}

}  // namespace flowgauge::workloads
