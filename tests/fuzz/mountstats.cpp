// SPDX-License-Identifier: MIT
#include "collector/sample/mountstats.h"

#include <cstdlib>

using namespace flowgauge::sample;

/// What must hold for any text: pieces lie within it, and no mount is made of nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto isInside = [&](std::string_view piece) {
        return piece.empty() || (piece.data() >= text.data() && piece.data() + piece.size() <= text.data() + text.size());
    };
    std::size_t count = 0;
    NfsMounts mounts(text);
    for (NfsMount mount; mounts.next(mount); ++count) {
        for (const std::string_view piece :
             {mount.device, mount.path, mount.options, mount.layout, mount.option("rsize"), mount.option("")})
            if (!isInside(piece)) std::abort();
        if (mount.path.empty() || (mount.hasOption("vers") && mount.options.empty())) std::abort();
        for (const MaybeNumber& number : mount.bytes)
            if (number.known && number.value >= unknownFrom) std::abort();
        std::array<char, 64> decoded;
        if (decodeOctal(mount.path, decoded.data(), decoded.size()) > decoded.size()) std::abort();
    }
    if (count * 40 > size) std::abort();  // "no device mounted on / with fstype nfs statvers=" is longer
    MountInfoLines infos(text);
    for (MountInfo info; infos.next(info);)
        if (!isInside(info.superblock) || !isInside(info.path) || !isInside(info.type) || !isInside(info.options)) std::abort();
    static_cast<void>(valueOfOption(text, "addr"));
    TransportSums sums;
    sums.add(text);
    return sums.connections > 1 ? 1 : 0;
}
