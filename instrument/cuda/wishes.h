// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace flowgauge::cuda {

/// What FLOWGAUGE_GPU asks for: words, comma separated; unknown ones mean nothing.
struct Wishes {
    bool off = false;     ///< nothing of the GPU
    bool always = false;  ///< even where no device node is seen
    bool api = false;     ///< calls of the CUDA runtime that launch, copy, allocate or wait
    bool driver = false;  ///< the same of the driver
    bool sync = false;    ///< waits for streams, events and contexts
    bool graph = false;   ///< CUDA graphs as a whole: cheaper, but what runs inside them is not seen
    bool hold = false;    ///< do not yield to the application's own profiler, which then gets nothing
};

[[nodiscard]] constexpr Wishes wishesOf(std::string_view list)
{
    Wishes wishes;
    std::size_t at = 0;
    while (at < list.size()) {
        std::size_t end = at;
        while (end < list.size() && list[end] != ',') ++end;
        const std::string_view word(list.data() + at, end - at);
        wishes.off = wishes.off || word == "off";
        wishes.always = wishes.always || word == "always";
        wishes.api = wishes.api || word == "api";
        wishes.driver = wishes.driver || word == "driver";
        wishes.sync = wishes.sync || word == "sync";
        wishes.graph = wishes.graph || word == "graph";
        wishes.hold = wishes.hold || word == "hold";
        at = end + 1;
    }
    return wishes;
}

}  // namespace flowgauge::cuda
