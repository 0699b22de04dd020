// SPDX-License-Identifier: MIT
#include "collector/sample/gpudirect.h"

#include <array>

namespace flowgauge::sample {
namespace {

constexpr std::string_view gpuFolder = "sys/bus/pci/drivers/nvidia";
constexpr std::string_view cardFolder = "sys/class/infiniband";
constexpr std::array<std::string_view, 3> peerClients{"sys/module/nvidia_peermem/version", "sys/kernel/mm/memory_peers/nv_mem/version",
                                                      "sys/kernel/mm/memory_peers/nv_mem_nc/version"};

using LinkText = std::array<char, 256>;

/// The part below "devices/", where a path branches.
std::string_view belowDevices(std::string_view path)
{
    constexpr std::string_view mark = "devices/";
    const std::size_t at = path.rfind(mark);
    return at == std::string_view::npos ? path : from(path, at + mark.size());
}

/// Takes the first part off; "" at the end.
std::string_view nextPart(std::string_view& path)
{
    const std::size_t slash = path.find('/');
    const std::string_view part = upTo(path, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    return part;
}

/// "0000:17:00.0"; the folder of a driver holds other names too.
bool isPciAddress(std::string_view name) { return name.size() >= 12 && name[4] == ':' && name[7] == ':'; }

std::string_view placeOf(const Pass& pass, std::string_view address, LinkText& into)
{
    Path path("sys/bus/pci/devices/");
    path.add(address);
    return pass.root.linkTarget(path.view(), into);
}

constexpr std::string_view wordsOf(PciDistance distance)
{
    switch (distance) {
        case PciDistance::OneSwitch:
            return "below one PCIe switch or root port (PIX or PXB)";
        case PciDistance::HostBridge:
            return "through the host bridge (PHB)";
        case PciDistance::FarAway:
            break;
    }
    return "across host bridges (NODE or SYS)";
}

/// The card nearest to a GPU; "" when there is none with a place on PCIe.
struct Nearest {
    std::array<char, 64> name{};
    std::size_t length = 0;
    PciDistance distance = PciDistance::FarAway;
};

void consider(Nearest& nearest, std::string_view card, PciDistance distance)
{
    if (card.size() > nearest.name.size() || (nearest.length > 0 && distance >= nearest.distance)) return;
    nearest.length = card.copy(nearest.name.data(), card.size());
    nearest.distance = distance;
}

Nearest nearestCard(const Pass& pass, std::string_view gpuPlace)
{
    Nearest nearest;
    FolderNames cards(pass.root, cardFolder);
    std::string_view card;
    while (cards.next(card)) {
        Path path(cardFolder);
        path.add("/").addName(card).add("/device");
        LinkText address, place;
        const std::string_view cardPlace = placeOf(pass, pass.root.linkName(path.view(), address), place);
        if (!cardPlace.empty()) consider(nearest, card, pciDistance(gpuPlace, cardPlace));
    }
    return nearest;
}

void noteGpu(const Pass& pass, std::string_view gpu)
{
    LinkText link;
    const std::string_view place = placeOf(pass, gpu, link);
    const Nearest nearest = place.empty() ? Nearest{} : nearestCard(pass, place);
    if (nearest.length == 0) return;
    Path text("GPU ");
    text.add(gpu).add(": its nearest network card is ").add({nearest.name.data(), nearest.length}).add(", ").add(wordsOf(nearest.distance));
    pass.sink.note("gpudirect", "measured", text.view());
}

void notePeerClient(const Pass& pass)
{
    for (const std::string_view client : peerClients)
        if (pass.root.exists(client)) {
            Path text("peer memory client found: /");
            return pass.sink.note("gpudirect", "measured", text.add(client).view());
        }
    pass.sink.note("gpudirect", "measured", "no peer memory client (nvidia_peermem, nv_mem) is loaded; DMA-BUF needs none");
}

}  // namespace

PciDistance pciDistance(std::string_view one, std::string_view other)
{
    one = belowDevices(one);
    other = belowDevices(other);
    int shared = 0;
    while (!one.empty() && !other.empty()) {
        if (nextPart(one) != nextPart(other)) break;
        ++shared;
    }
    // The first part is the host bridge ("pci0000:16"), the second the root port.
    return shared == 0 ? PciDistance::FarAway : shared == 1 ? PciDistance::HostBridge : PciDistance::OneSwitch;
}

void noteGpuDirect(const Pass& pass)
{
    FolderNames gpus(pass.root, gpuFolder);
    if (!gpus.opened() || !pass.root.exists(cardFolder)) return;
    notePeerClient(pass);
    std::string_view name;
    while (gpus.next(name))
        if (isPciAddress(name)) noteGpu(pass, name);
}

}  // namespace flowgauge::sample
