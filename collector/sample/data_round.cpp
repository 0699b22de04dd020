// SPDX-License-Identifier: MIT
#include "collector/sample/data_round.h"

namespace flowgauge::sample {

void DataRound::add(const FileLook& look)
{
    if (look.method == LookMethod::None) {
        m_why = look.why;
        return;
    }
    m_methods |= 1U << static_cast<unsigned>(look.method);
    m_files += 1;
    m_bytes += look.bytes;
    m_resident += look.resident;
    m_bytes2 += look.bytes * look.bytes;
    m_resident2 += look.resident * look.resident;
    m_product += look.bytes * look.resident;
    m_pieces += look.piecesVariance;
}

double DataRound::variance(double filesInAll) const
{
    if (m_bytes <= 0) return 0;
    const double pieces = m_pieces / (m_bytes * m_bytes);
    if (filesInAll <= m_files) return pieces;
    if (m_files < 2) return 0.25;  // the most that a share can have: one file says nothing of the others
    const double share = m_resident / m_bytes;
    const double residuals = m_resident2 - 2 * share * m_product + share * share * m_bytes2;
    const double between = (residuals > 0 ? residuals : 0) * m_files / (m_files - 1) / (m_bytes * m_bytes);
    return between * (1 - m_files / filesInAll) + pieces;
}

DataSetReading DataRound::reading(double filesInAll) const
{
    const auto whole = [](double value) {
        const auto down = static_cast<std::uint64_t>(value);  // lround would be the math library's
        return value - static_cast<double>(down) >= 0.5 ? down + 1 : down;
    };
    return {whole(filesInAll), whole(m_files), whole(m_bytes), whole(m_resident), whole(variance(filesInAll) * 1e12)};
}

}  // namespace flowgauge::sample
