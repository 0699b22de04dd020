// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/text.h"
#include "instrument/cuda/converter.h"
#include "instrument/cuda/governor.h"
#include "instrument/cuda/wishes.h"

namespace flowgauge::cuda {

/// The calls that make CUPTI record, and stop it. Not thread-safe: at the start the thread that runs cuInit makes them, then ours alone.
class Subscription {
public:
    constexpr Subscription() = default;

    /// What CUPTI calls. Plain functions, since they outlive everything.
    struct Handlers {
        Request request;
        Complete complete;
        Callback callback;
    };

    using Why = buffer::Text<256>;
    /// Takes CUPTI and enables what is wished for. `why` tells what went wrong, where it returns false; then CUPTI is left alone.
    [[nodiscard]] bool take(const Cupti& cupti, const Handlers& handlers, const Wishes& wishes, Why& why);
    /// Gives CUPTI back; records that are finished have been delivered before. False when it had not been taken.
    bool release();
    [[nodiscard]] bool taken() const { return m_subscriber != nullptr; }

    /// Records less. False when that changes nothing here, so that the next level is the one to try.
    [[nodiscard]] bool lower(Level level, const Strides& strides);
    /// Kernels, copies and fills on or off.
    void enableWork(bool on);

    /// Kinds that are enabled now, as the ledger names them.
    [[nodiscard]] Why kinds() const;

private:
    [[nodiscard]] Status subscribe(const Handlers& handlers, Why& holder);
    bool set(Activity kind, bool on);
    void setAttributes() const;
    void enableCalls(const Wishes& wishes);

    const Cupti* m_cupti = nullptr;
    Subscriber m_subscriber = nullptr;
    std::uint64_t m_enabled = 0;  ///< a bit an Activity
    bool m_wholeGraphs = false;
};

}  // namespace flowgauge::cuda
