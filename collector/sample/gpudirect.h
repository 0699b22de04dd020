// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

#include <cstdint>

namespace flowgauge::sample {

/// How far a GPU and a network card are apart on PCIe, as NCCL distinguishes it.
enum class PciDistance : std::uint8_t {
    OneSwitch,   ///< below one switch or root port (PIX, PXB): NCCL goes directly by default
    HostBridge,  ///< through the processor's host bridge (PHB)
    FarAway,     ///< across host bridges (NODE, SYS)
};

/// From where the devices lie in sysfs ("../../../devices/pci0000:16/0000:16:00.0/0000:17:00.0"): what their paths share.
[[nodiscard]] PciDistance pciDistance(std::string_view one, std::string_view other);

/// Tells the ledger, once, what this host could do for GPUDirect RDMA: a peer memory client, and which card is nearest to each GPU. Says
/// nothing on a host without an NVIDIA GPU or without an RDMA device. None of it is a verdict: what can be done need not be done, and
/// DMA-BUF does it without a module.
void noteGpuDirect(const Pass& pass);

}  // namespace flowgauge::sample
