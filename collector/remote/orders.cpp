// SPDX-License-Identifier: MIT
#include "collector/remote/orders.h"

#include "collector/record/error.h"
#include "collector/remote/secret.h"
#include "collector/remote/ufm_session.h"

namespace flowgauge::remote {
namespace {

namespace fs = std::filesystem;

void demandFile(const char* option, const fs::path& file)
{
    std::error_code problem;
    if (!file.empty() && !fs::is_regular_file(file, problem))
        throw Error(std::string(option) + ' ' + file.native(), "expected a file, found none");
}

/// Nobody asks for a password without a server: what its variables name is not looked at then.
std::string secretFor(const std::string& server, const fs::path& file, const char* variable)
{
    if (!server.empty()) return takeSecret(file, variable);
    dropSecret(variable);
    return {};
}

/// A password is needed where a user is named.
void demandPassword(const Orders& orders, const std::string& kind, const char* variable)
{
    if (!orders.place.user.empty() && orders.password.empty())
        throw Error(orders.place.scheme + "://" + orders.place.user + '@' + orders.place.shown(), "expected a password, by --", kind,
                    "-password FILE or the variable ", variable);
}

}  // namespace

std::vector<Orders> ordersOf(const Wishes& wishes)
{
    constexpr const char *ofStorage = "FLOWGAUGE_STORAGE_PASSWORD", *ofFabric = "FLOWGAUGE_FABRIC_PASSWORD";
    std::string storagePassword = secretFor(wishes.storage, wishes.storagePassword, ofStorage);
    std::string fabricPassword = secretFor(wishes.fabric, wishes.fabricPassword, ofFabric);
    demandFile("--ca", wishes.ca);
    demandFile("--client-cert", wishes.clientCertificate);
    std::vector<Orders> all;
    const auto add = [&](const std::string& text, std::string password) -> const Orders& {
        return all.emplace_back(Orders{parsePlace(text), std::move(password), wishes.ca, wishes.clientCertificate, wishes.insecure,
                                       std::chrono::seconds(wishes.periodS)});
    };
    if (!wishes.storage.empty()) {
        const Orders& storage = add(wishes.storage, std::move(storagePassword));
        if (storage.place.scheme != "onefs" || storage.place.user.empty() || !storage.place.path.empty())
            throw Error("--storage " + wishes.storage, "expected onefs://USER@HOST[:PORT]");
        demandPassword(storage, "storage", ofStorage);
    }
    if (!wishes.fabric.empty()) {
        const Orders& fabric = add(wishes.fabric, std::move(fabricPassword));
        if (fabric.place.scheme == "onefs")
            throw Error("--fabric " + wishes.fabric,
                        "expected ufm://[USER@]HOST[:PORT][/PATH] or mad://[DEVICE[:PORT]/]LID:PORT[,LID:PORT...]");
        demandPassword(fabric, "fabric", ofFabric);
        if (!fabric.place.user.empty()) static_cast<void>(UfmSession(fabric.place.path, {}));  // throws for a path that UFM does not have
    }
    return all;
}

}  // namespace flowgauge::remote
