// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <thread>

namespace flowgauge::workloads::allreduce {

/// Between two looks at what one waits for: yields while the wait is short, then sleeps, so that waiting members do not take the
/// processor from those that they wait for where there are more threads than cores.
class Patience {
public:
    void pause()
    {
        if (m_looks++ < yields)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(20));
    }

private:
    static constexpr int yields = 50;
    int m_looks = 0;
};

}  // namespace flowgauge::workloads::allreduce
