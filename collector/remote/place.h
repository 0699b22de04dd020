// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace flowgauge::remote {

/// Where a source of counters is, as its user wrote it: scheme://[USER@]HOST[:PORT][/PATH], or mad://... (mad_place.h).
struct Place {
    std::string scheme;  ///< "onefs", "ufm" or "mad"
    std::string user;    ///< "": none
    std::string host;    ///< as it stands in a URL: an IPv6 address keeps its brackets
    int port = 0;        ///< 0: the usual one of its scheme
    std::string path;    ///< "" or "/..."

    /// How the run names it: the host, and the port where it is not the usual one; the scheme where no host is named.
    [[nodiscard]] std::string shown() const
    {
        const std::string& name = host.empty() ? scheme : host;
        return port == 0 ? name : name + ':' + std::to_string(port);
    }
};

/// Throws Error for what is no such text, and for `user:password@`: everybody on the machine can read a command line. The message
/// does not repeat what was given then.
[[nodiscard]] Place parsePlace(std::string_view text);

}  // namespace flowgauge::remote
