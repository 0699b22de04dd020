// SPDX-License-Identifier: MIT
// A program whose main thread leaves by pthread_exit while another one still records: it ends, with 0, when that one ends.
#include "tests/unit/collector/buffer/victim.h"

#include <pthread.h>
#include <unistd.h>
#include <thread>

int main(int, char** words)
{
    flowgauge::test::enableRecorder({.folder = words[1]});
    std::thread([] {
        ::usleep(50'000);
        for (std::uint64_t number = 10; number < 20; ++number) flowgauge::buffer::record(flowgauge::test::numbered(number));
    }).detach();
    for (std::uint64_t number = 0; number < 10; ++number) flowgauge::buffer::record(flowgauge::test::numbered(number));
    ::pthread_exit(nullptr);
}
