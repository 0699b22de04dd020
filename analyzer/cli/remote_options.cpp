// SPDX-License-Identifier: MIT
#include "analyzer/cli/remote_options.h"

#include <CLI/CLI.hpp>

namespace flowgauge::cli {

void addRemoteOptions(CLI::App& command, remote::Wishes& wishes)
{
    const auto group = "Servers asked beside it";
    command.add_option("--storage", wishes.storage, "the storage system, as onefs://USER@HOST[:8080] (Isilon, PowerScale)")->group(group);
    command
        .add_option("--storage-password", wishes.storagePassword,
                    "file with its password, yours alone to read; else FLOWGAUGE_STORAGE_PASSWORD_FILE or FLOWGAUGE_STORAGE_PASSWORD")
        ->type_name("FILE")
        ->group(group);
    command
        .add_option("--fabric", wishes.fabric,
                    "the InfiniBand fabric: its manager, as ufm://HOST[:9001] (telemetry) or ufm://USER@HOST (REST API), or ports of it "
                    "(a switch's, another host's) by their addresses, as mad://[DEVICE[:PORT]/]LID:PORT[,LID:PORT...], which needs "
                    "/dev/infiniband/umad*")
        ->group(group);
    command
        .add_option("--fabric-password", wishes.fabricPassword,
                    "file with its password; else FLOWGAUGE_FABRIC_PASSWORD_FILE or FLOWGAUGE_FABRIC_PASSWORD")
        ->type_name("FILE")
        ->group(group);
    command.add_option("--ca", wishes.ca, "who signed their certificates, PEM; without it whom this machine trusts")
        ->type_name("FILE")
        ->group(group);
    command.add_option("--client-cert", wishes.clientCertificate, "certificate and key to show them, PEM")->type_name("FILE")->group(group);
    command.add_flag("--insecure", wishes.insecure, "accept any certificate of theirs; the run says so")->group(group);
    command
        .add_option("--poll", wishes.periodS,
                    "ask every so many seconds, at least 5 (mad: 1); without it as often as their numbers are new")
        ->group(group);
}

}  // namespace flowgauge::cli
