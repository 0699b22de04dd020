// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"

#include <sys/auxv.h>
#include <array>

namespace flowgauge::cli {

std::span<const Command> commands()
{
    static constexpr std::array rows{
        Command{"run", "Record a job: flowgauge run -o run1 -- mpirun -np 4 python3 train.py", describeRun},
        Command{"watch", "Record this machine's counters and those of servers, without a job.", describeWatch},
        Command{"report", "Say what slowed a run, worst first.", describeReport},
        Command{"compare", "Say what changed between two runs; --fail-slower makes a CI gate of it.", describeCompare},
        Command{"study", "Say how a job scales, from runs on different numbers of nodes.", describeStudy},
        Command{"query", "Ask a run's database in SQL; reads only.", describeQuery},
        Command{"import", "Make a run of what PyTorch's profiler or Nsight Systems recorded.", describeImport},
        Command{"export", "Write a run as another tool's format: --chrome for Perfetto.", describeExport},
        Command{"whatif", "Predict the step time with one thing changed: a faster link, overlap, a warm cache.", describeWhatIf},
        Command{"import-log", "Make a run of what an unrecorded job printed, or add it to a run.", describeImportLog},
        Command{"collect", "Bring this host's part of a run into the run's directory.", describeCollect},
        Command{"doctor", "Say what can be measured on this machine, what not and why.", describeDoctor},
        Command{"kinds", "List what is recorded and sampled.", describeKinds},
        Command{"version", "Print the version of the program and of its formats.", describeVersion},
    };
    return rows;
}

std::filesystem::path installedPrefix()
{
    const char* self = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    std::error_code error;
    const std::filesystem::path program = std::filesystem::canonical(self == nullptr ? "flowgauge" : self, error);
    return program.parent_path().parent_path();
}

}  // namespace flowgauge::cli
