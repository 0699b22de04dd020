// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/readers.h"

#include <array>

namespace flowgauge::facts {

std::span<const LogReader> logReaders()
{
    static constexpr std::array rows{
        LogReader{"MLPerf", ":::ML", readMlperf},
        LogReader{"MLPerf, free form", "MLPerf: ", readMlperfFreeForm},
        LogReader{"DLLogger", "DLL", readDlloggerText},
        LogReader{"DLLogger, JSON", "DLLL {", readDlloggerJson},
        LogReader{"MXNet", "Epoch[|Iter[", readSpeedometer},
        LogReader{"timm", "Train: |Test: ", readTimm},
        LogReader{"PyTorch examples", "Epoch: [| * ", readPytorchExamples},
        LogReader{"tf_cnn_benchmarks", "images/sec: |Batch size: | per device", readTfCnnBenchmarks},
        LogReader{"Horovod", "img/sec |Img/sec |Batch size: ", readHorovod},
        LogReader{"Keras", "Epoch |] - | - loss|ms/step", readKeras},
        LogReader{"Lightning", "Epoch ", readLightning},
    };
    return rows;
}

}  // namespace flowgauge::facts
