// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/place.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace flowgauge::remote {

/// What the user asked for, as on the command line; "" and empty where nothing was said.
struct Wishes {
    std::string storage, fabric;  ///< onefs://USER@HOST[:PORT]; ufm://[USER@]HOST[:PORT][/PATH], or mad://[DEVICE[:PORT]/]LID:PORT[,...]
    std::filesystem::path storagePassword, fabricPassword;  ///< files
    std::filesystem::path ca, clientCertificate;            ///< files, PEM
    bool insecure = false;
    std::uint32_t periodS = 0;
};

/// One server to ask.
struct Orders {
    Place place;
    std::string password;
    std::filesystem::path ca, clientCertificate;
    bool insecure = false;
    std::chrono::seconds period{0};  ///< 0: as often as its numbers are new; never below 5 s, 1 s for ports of a fabric
};

/// The servers that are to be asked, with their passwords; the variables that may hold those (FLOWGAUGE_STORAGE_PASSWORD,
/// FLOWGAUGE_FABRIC_PASSWORD, and either with _FILE) are gone from the environment afterwards, asked for or not. Throws Error
/// for wishes that no server could fulfil: a place that is none, no password, a file that is not there.
[[nodiscard]] std::vector<Orders> ordersOf(const Wishes& wishes);

}  // namespace flowgauge::remote
