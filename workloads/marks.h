// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/mark/flowgauge.h"

namespace flowgauge::workloads {

/// The named part of a step that lasts as long as this object.
class PhaseMark {
public:
    explicit PhaseMark(const char* name) : m_name(name) { flowgauge_phase_begin(m_name); }
    ~PhaseMark() { flowgauge_phase_end(m_name); }
    PhaseMark(const PhaseMark&) = delete;
    PhaseMark& operator=(const PhaseMark&) = delete;

private:
    const char* m_name;
};

/// One training step, numbered from 1 over the whole run.
class StepMark {
public:
    StepMark(long long number, unsigned long long samples) : m_number(number), m_samples(samples) { flowgauge_step_begin(m_number); }
    ~StepMark() { flowgauge_step_end(m_number, m_samples); }
    StepMark(const StepMark&) = delete;
    StepMark& operator=(const StepMark&) = delete;

private:
    long long m_number;
    unsigned long long m_samples;
};

/// One epoch, numbered from 1; it covers training only, not the shuffle before it nor the evaluation after it.
class EpochMark {
public:
    EpochMark(long long number, unsigned long long samples) : m_number(number), m_samples(samples) { flowgauge_epoch_begin(m_number); }
    ~EpochMark() { flowgauge_epoch_end(m_number, m_samples); }
    EpochMark(const EpochMark&) = delete;
    EpochMark& operator=(const EpochMark&) = delete;

private:
    long long m_number;
    unsigned long long m_samples;
};

}  // namespace flowgauge::workloads
