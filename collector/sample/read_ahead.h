// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// How far the kernel reads ahead on each mounted file system that has a device or server behind it, and how much it asks for at once. An
/// administrator may change it while a job runs, so it is looked at again now and then.
class ReadAheadSampler {
public:
    void open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    RereadFile m_mounts;
    Nanos m_dueNs = 0;
};

}  // namespace flowgauge::sample
