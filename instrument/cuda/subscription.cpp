// SPDX-License-Identifier: MIT
#include "instrument/cuda/subscription.h"

#include "collector/buffer/recorder.h"
#include "instrument/cuda/calls.h"

namespace flowgauge::cuda {
namespace {

constexpr std::array workKinds{Activity::ConcurrentKernel, Activity::Memcpy, Activity::MemcpyPeer, Activity::Memset};

constexpr std::uint64_t bitOf(Activity kind) { return std::uint64_t{1} << static_cast<std::uint32_t>(kind); }

constexpr std::string_view nameOf(Activity kind)
{
    switch (kind) {
        case Activity::ConcurrentKernel:
        case Activity::Kernel:
            return "kernels";
        case Activity::Memcpy:
            return "copies";
        case Activity::MemcpyPeer:
            return "peer copies";
        case Activity::Memset:
            return "fills";
        case Activity::Overhead:
            return "overhead";
        case Activity::Runtime:
            return "runtime calls";
        case Activity::Driver:
            return "driver calls";
        case Activity::Synchronization:
            return "waits";
        case Activity::GraphTrace:
            return "whole graphs";
    }
    return "";
}

bool wanted(Activity kind)
{
    switch (kind) {
        case Activity::ConcurrentKernel:
            return buffer::wants(Kind::Kernel);
        case Activity::Memset:
            return buffer::wants(Kind::GpuFill);
        default:
            return buffer::wants(Kind::GpuCopy);
    }
}

}  // namespace

Status Subscription::subscribe(const Handlers& handlers, Why& holder)
{
    if (m_cupti->subscribeNamed == nullptr) return m_cupti->subscribe(&m_subscriber, handlers.callback, nullptr);
    std::array<char, 64> name{};
    SubscriberParameters parameters{sizeof parameters, "flowgauge", name.data(), name.size()};
    const Status status = m_cupti->subscribeNamed(&m_subscriber, handlers.callback, nullptr, &parameters);
    name.back() = '\0';
    if (status == statusTaken && name[0] != '\0') holder.add(": ").add(name.data());
    return status;
}

void Subscription::setAttributes() const
{
    if (m_cupti->setAttribute == nullptr) return;
    const auto set = [this](std::int32_t attribute, std::uint8_t value) {
        std::size_t bytes = sizeof value;
        static_cast<void>(m_cupti->setAttribute(attribute, &bytes, &value));
    };
    // One set of buffers for all threads: with a set each (the default of 13.0) a job with many threads takes many times the memory.
    set(attributePerThreadBuffers, 0);
    set(attributeZeroedBuffers, 1);
    if (m_cupti->setThreadIdType != nullptr) static_cast<void>(m_cupti->setThreadIdType(threadIdSystem));
}

bool Subscription::take(const Cupti& cupti, const Handlers& handlers, const Wishes& wishes, Why& why)
{
    m_cupti = &cupti;
    m_subscriber = nullptr;
    m_enabled = 0;
    m_wholeGraphs = false;
    Why holder;
    const Status status = subscribe(handlers, holder);
    if (status != statusSuccess) {
        m_subscriber = nullptr;
        if (status == statusTaken) return why.add("another tool of this process holds CUPTI").add({holder.text(), holder.length()}), false;
        if (status == statusNotInitialized || status == statusUnknown)
            return why.add("CUPTI found no driver that it can use (code ").add(static_cast<std::uint64_t>(status)).add(")"), false;
        return why.add("cuptiSubscribe failed with code ").add(static_cast<std::uint64_t>(status)), false;
    }
    setAttributes();
    for (const std::uint32_t id : {resourceContextCreated, resourceInitFinished})
        static_cast<void>(cupti.enableCallback(1, m_subscriber, domainResource, id));
    static_cast<void>(cupti.enableCallback(1, m_subscriber, domainState, stateFatalError));
    if (cupti.registerCallbacks(handlers.request, handlers.complete) != statusSuccess)
        return why.add("CUPTI refused our buffers"), release(), false;
    if (wishes.graph) m_wholeGraphs = set(Activity::GraphTrace, true);
    enableWork(true);
    enableCalls(wishes);
    set(Activity::Overhead, true);
    if ((m_enabled & ~bitOf(Activity::Overhead)) == 0) return why.add("CUPTI could enable none of the kinds"), release(), false;
    return true;
}

bool Subscription::release()
{
    if (m_subscriber == nullptr) return false;
    for (const Activity kind : knownActivities)
        if ((m_enabled & bitOf(kind)) != 0) set(kind, false);
    static_cast<void>(m_cupti->unsubscribe(m_subscriber));
    m_subscriber = nullptr;
    return true;
}

bool Subscription::set(Activity kind, bool on)
{
    const auto number = static_cast<std::uint32_t>(kind);
    if ((on ? m_cupti->enable(number) : m_cupti->disable(number)) != statusSuccess) return false;
    m_enabled = on ? m_enabled | bitOf(kind) : m_enabled & ~bitOf(kind);
    return true;
}

void Subscription::enableWork(bool on)
{
    for (const Activity kind : workKinds)
        if (wanted(kind) && ((m_enabled & bitOf(kind)) != 0) != on) set(kind, on);
}

// Single calls can be chosen since 12.5; before, all of them come and those that are not worth it are left out later.
void Subscription::enableCalls(const Wishes& wishes)
{
    const auto choose = [this](auto enableCall, const auto& calls, Activity kind) {
        bool any = false;
        for (const std::uint32_t call : calls) any = (enableCall != nullptr && enableCall(call, 1) == statusSuccess) || any;
        if (any)
            m_enabled |= bitOf(kind);
        else
            set(kind, true);
    };
    if (wishes.api && buffer::wants(Kind::GpuApi)) choose(m_cupti->enableRuntimeCall, runtimeCalls, Activity::Runtime);
    if (wishes.driver && buffer::wants(Kind::GpuApi)) choose(m_cupti->enableDriverCall, driverCalls, Activity::Driver);
    if (wishes.sync && buffer::wants(Kind::GpuSync)) set(Activity::Synchronization, true);
}

bool Subscription::lower(Level level, const Strides& strides)
{
    constexpr std::uint64_t calls = bitOf(Activity::Runtime) | bitOf(Activity::Driver) | bitOf(Activity::Synchronization);
    switch (level) {
        case Level::All:
            return false;
        case Level::WithoutCalls:
            if ((m_enabled & calls) == 0) return false;
            for (const Activity kind : {Activity::Runtime, Activity::Driver, Activity::Synchronization})
                if ((m_enabled & bitOf(kind)) != 0) set(kind, false);
            return true;
        case Level::WholeGraphs:
            if (m_wholeGraphs || strides.of(Activity::GraphTrace) == 0) return false;
            return m_wholeGraphs = set(Activity::GraphTrace, true);
        case Level::Sometimes:
            return true;  // the thread switches by its second
        case Level::Off:
            return release();
    }
    return false;
}

Subscription::Why Subscription::kinds() const
{
    Why text;
    for (const Activity kind : knownActivities) {
        if ((m_enabled & bitOf(kind)) == 0) continue;
        if (text.length() > 0) text.add(", ");
        text.add(nameOf(kind));
    }
    return text;
}

}  // namespace flowgauge::cuda
