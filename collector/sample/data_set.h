// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/data_look.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// How much of the data set lies in the page cache: at first of files that the job has not opened yet, then of those that it opens, again
/// and again. The looks are made by a thread of their own, for two thousandths of a processor at most; this is what the host's sampler
/// does about it, which never waits for that thread.
class DataSetSampler {
public:
    /// folder: this host's spool folder, where the processes of the job tell what they open. "": nothing is looked at.
    void open(std::string_view folder) { m_folder = Path(folder); }
    /// Starts the thread once there is a file to look at, and takes what it has found since.
    void sample(const Pass& pass);
    /// Asks the thread to end and does not wait for it.
    void close();

private:
    void begin();
    void put(const Pass& pass, std::string_view place, Ticks at, const DataSetReading& reading);
    void tell(const Pass& pass, const DataRound& round);
    void tellOfHanging(const Pass& pass);

    Path m_folder;
    bool m_started = false;
    std::uint64_t m_taken = 0;   ///< rounds whose reading was put
    bool m_measured = false;     ///< the ledger says that it is
    bool m_toldMissing = false;  ///< the ledger says that something of it is not
    bool m_toldHanging = false;
};

/// In a child after fork: the thread is the parent's.
void forgetDataSetAfterFork();

}  // namespace flowgauge::sample
