// SPDX-License-Identifier: MIT
#include "collector/sample/queue_pairs.h"

#include "collector/buffer/futex.h"
#include "collector/sample/queue_pair_names.h"

namespace flowgauge::sample {
namespace {

constexpr std::string_view classFolder = "sys/class/infiniband";
constexpr Nanos periodNs = 950'000'000;  // a twentieth less than a second, so that a beat that comes a little early counts
constexpr Nanos restForOne = 20;         // of the time that the kernel took
constexpr Nanos bindingsNs = 60'000'000'000;

#define FLOWGAUGE_BIND "before the job, as root: rdma statistic qp set link "

/// What the kernel's refusal of the first questions means; a text that lives forever.
std::string_view refusal(int error)
{
    switch (error) {
        case EPROTONOSUPPORT:
        case EAFNOSUPPORT:
            return "the kernel has no RDMA netlink here (no RDMA subsystem, or one before 5.3 seen from a container)";
        case EINVAL:
            return "the kernel knows no counters of queue pairs (it does since 5.3)";
        case EPERM:
        case EACCES:
            return "this process may not ask about RDMA devices (seccomp or a security module)";
        default:
            return "the kernel did not answer about RDMA devices";
    }
}

bool anyDevice(const SysRoot& root)
{
    FolderNames devices(root, classFolder);
    std::string_view name;
    return devices.next(name);
}

BindsCounters bindsOf(const SysRoot& root, std::string_view device)
{
    std::array<char, 256> text;
    Path link(classFolder);
    return bindsCounters(root.linkName(link.add("/").add(device).add("/device/driver").view(), text), device);
}

Path portName(std::string_view device, std::uint32_t port)
{
    std::array<char, 20> digits;
    Path name(device);
    name.add("/").add(decimal(port, digits));
    return name;
}

}  // namespace

Availability QueuePairSampler::open(const Pass& pass)
{
    close();
    if (m_socket.kernel().ofThisMachine && !pass.root.isMachine()) return {false, "a captured machine: its kernel cannot be asked"};
    // Where /sys tells that there is no device the kernel is not asked: a question could make it load its RDMA modules.
    if (pass.root.exists("sys/class") && !anyDevice(pass.root)) return {false, "no RDMA device in /sys/class/infiniband"};
    int error = m_socket.open();
    if (error == 0) error = findDevices(pass);
    if (error == 0 && m_count == 0) return {false, "no RDMA device belongs to this network namespace"};
    if (error == 0) error = findBindings(pass);
    if (error == 0) return summary();
    close();
    return {false, refusal(error)};
}

void QueuePairSampler::close()
{
    m_socket.close();
    m_count = m_seenCount = 0;
    m_open = false;
    m_dueNs = m_bindingsDueNs = 0;
}

int QueuePairSampler::findDevices(const Pass& pass)
{
    return m_socket.ask(everyDevice(), pass.scratch, [&](const RdmaAnswer& answer) {
        RdmaDevice told;
        if (!parseRdmaDevice(answer.body, told) || m_count == mostDevices) return false;
        Device& device = m_devices[m_count++];
        device = {};
        device.name = Path(told.name);
        device.index = told.index;
        device.ports = told.ports;
        device.binds = bindsOf(pass.root, told.name);
        return true;
    });
}

/// 0, or errno where no port answered.
int QueuePairSampler::findBindings(const Pass& pass)
{
    const bool first = !m_open;
    int refused = 0;
    bool answered = false, anyBound = false;
    std::size_t place = 0;
    for (std::size_t at = 0; at < m_count; ++at) {
        Device& device = m_devices[at];
        device.bound = false;
        for (std::uint32_t port = 1; port <= device.ports && place < mostPorts; ++port, ++place) {
            CounterBinding binding = CounterBinding::None;
            const int error = m_socket.ask(bindingOf(device.index, port), pass.scratch,
                                           [&](const RdmaAnswer& answer) { return parseBinding(answer.body, binding); });
            refused = refused == 0 ? error : refused;
            answered = answered || error == 0;
            device.bound = device.bound || binding != CounterBinding::None;
            if (!first && binding != m_bindings[place]) tellBinding(pass, device, port, binding);
            m_bindings[place] = binding;
        }
        anyBound = anyBound || device.bound;
    }
    m_bindingsDueNs = pass.sink.nowNs() + bindingsNs;
    m_open = answered;
    place = 0;
    for (std::size_t at = 0; first && anyBound && at < m_count; ++at)
        for (std::uint32_t port = 1; port <= m_devices[at].ports && place < mostPorts; ++port, ++place)
            tellBinding(pass, m_devices[at], port, m_bindings[place]);
    return answered ? 0 : refused;
}

void QueuePairSampler::tellBinding(const Pass& pass, const Device& device, std::uint32_t port, CounterBinding binding) const
{
    const Path name = portName(device.name.view(), port);
    Path what("queue pairs "), reason;
    what.add(name.view());
    std::string_view state = "degraded";
    switch (binding) {
        case CounterBinding::ByProcess:
            state = "measured";
            reason.add("a counter is bound to the queue pairs of each process (auto pid)");
            break;
        case CounterBinding::ByType:
            reason.add("counters are bound by type of queue pair: whose they are the kernel does not tell; " FLOWGAUGE_BIND);
            break;
        case CounterBinding::ByHand:
            reason.add("counters are bound by hand: whose they are the kernel does not tell; " FLOWGAUGE_BIND);
            break;
        case CounterBinding::None:
            state = "absent";
            if (device.binds == BindsCounters::No) reason.add("its driver has no counters of single queue pairs");
            if (device.binds == BindsCounters::NotKnown)
                reason.add("nothing is bound, and whether its driver has counters of queue pairs the kernel does not tell");
            if (device.binds == BindsCounters::Yes) reason.add("nothing is bound; " FLOWGAUGE_BIND);
            break;
    }
    const bool advised = state == "degraded" || (state == "absent" && device.binds == BindsCounters::Yes);
    if (advised) reason.add(name.view()).add(" auto pid on");
    pass.sink.note(what.view(), state, reason.view());
}

/// That a driver has no such counters and that nobody has bound them look the same in the kernel's answers: the drivers are known by name.
Availability QueuePairSampler::summary() const
{
    bool bound = false, could = false, unknown = false;
    for (std::size_t at = 0; at < m_count; ++at) {
        bound = bound || m_devices[at].bound;
        could = could || m_devices[at].binds == BindsCounters::Yes;
        unknown = unknown || m_devices[at].binds == BindsCounters::NotKnown;
    }
    if (bound) return {true, "counters that are bound to queue pairs"};
    if (could) return {false, "nothing is bound to a counter; " FLOWGAUGE_BIND "DEV/PORT auto pid on"};
    if (unknown) return {false, "nothing is bound, and whether a driver here has counters of queue pairs the kernel does not tell"};
    return {false, "no driver here has counters of single queue pairs"};
}

void QueuePairSampler::sample(const Pass& pass)
{
    if (!m_open || pass.sink.nowNs() < m_dueNs) return;
    const Nanos begin = buffer::monotonicNs();
    if (pass.sink.nowNs() >= m_bindingsDueNs) static_cast<void>(findBindings(pass));
    for (std::size_t at = 0; at < m_count; ++at)
        if (m_devices[at].bound) look(pass, m_devices[at]);
    const Nanos rest = (buffer::monotonicNs() - begin) * restForOne;
    m_dueNs = pass.sink.nowNs() + (rest > periodNs ? rest : periodNs);
}

void QueuePairSampler::look(const Pass& pass, Device& device)
{
    const Ticks begin = now();
    ++device.look;
    const int error = m_socket.ask(boundCountersOf(device.index), pass.scratch, [&](const RdmaAnswer& answer) {
        BoundCounters counters(answer.body);
        bool any = false;
        for (BoundCounter one; counters.next(one); any = true) put(pass, device, answer.at, one);
        return any;
    });
    if (error == 0) {
        device.complete = device.look;
        device.lookedAt = begin;
        return;
    }
    // EINVAL: the device is gone. Another look for devices comes with the next run.
    tellTrouble(pass, device,
                error == EMSGSIZE ? "a counter of more queue pairs than the kernel can tell in one message, and those behind it"
                                  : "the kernel refused to tell the counters of its queue pairs");
}

void QueuePairSampler::put(const Pass& pass, Device& device, Ticks at, const BoundCounter& counter)
{
    Source* const source = placeOf(pass, device, counter);
    if (source == nullptr) return tellTrouble(pass, device, "more counters of queue pairs than there is room for: later ones are not kept");
    if (counter.process == 0 && counter.kernelName.empty() && !device.hidden) {
        device.hidden = true;
        Path what("queue pairs "),
            reason("of some counters the kernel does not tell the process: bound by type or by hand, ended, or of another pid namespace");
        pass.sink.note(what.add(device.name.view()).add(" hidden").view(), "degraded", reason.view());
    }
    const bool fresh = isNew(device, *source);
    NamedValues values(counter.values);
    for (NamedValue one; values.next(one);) {
        const QueuePairName* const row = queuePairName(one.name);
        if (row == nullptr) continue;
        // A counter begins at 0 when it is bound: the kernel adds all of it to the port's when it is let go (counters.c).
        if (fresh) pass.sink.put(device.lookedAt, *source, row->counter, 0);
        pass.sink.put(at, *source, row->counter, one.value);
    }
}

/// "mlx5_0/1/4711/3": device, port, process, number of the counter; "-" where the process is not told.
Source* QueuePairSampler::placeOf(const Pass& pass, Device& device, const BoundCounter& counter) const
{
    std::array<char, 20> digits;
    Path name = portName(device.name.view(), counter.port);
    name.add("/");
    if (counter.process != 0)
        name.add(decimal(counter.process, digits));
    else
        name.add(counter.kernelName.empty() ? std::string_view("-") : std::string_view("kernel"));
    name.add("/").add(decimal(counter.id, digits));
    Source* const source = pass.sources.find(CounterFamily::QueuePair, name.view(), pass.sources.isHalfFree());
    if (source != nullptr && source->use == Use::Undecided) pass.sink.accept(*source, name.view());
    return source;
}

/// True when the last look at the device saw all of its counters, and not this one. Where more counters live than are kept in mind, what
/// a new one counted in its first second is left out.
bool QueuePairSampler::isNew(const Device& device, const Source& source)
{
    for (std::size_t at = 0; at < m_seenCount; ++at) {
        if (m_seen[at].source != &source) continue;
        const bool missing = m_seen[at].look < device.complete;
        m_seen[at].look = device.look;
        return missing;
    }
    if (m_seenCount == mostSeen) return false;
    m_seen[m_seenCount++] = {&source, device.look};
    return device.complete > 0;
}

void QueuePairSampler::tellTrouble(const Pass& pass, Device& device, std::string_view what) const
{
    if (device.degraded) return;
    device.degraded = true;
    Path place("queue pairs ");
    pass.sink.note(place.add(device.name.view()).view(), "degraded", what);
}

}  // namespace flowgauge::sample
