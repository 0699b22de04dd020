// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"
#include "collector/sample/kernel_socket.h"
#include "collector/sample/rdma_message.h"
#include "collector/sample/sys_root.h"

#include <array>

namespace flowgauge::sample {

/// Who answers. A test plays the kernel.
struct RdmaKernel {
    bool ofThisMachine;  ///< so that it says nothing of a captured one
    int (*open)(KernelSocket& socket);
    long (*send)(const KernelSocket& socket, std::span<const char> question);  ///< 0 or more, or -errno; never blocks
    long (*receive)(const KernelSocket& socket, std::span<char> into);         ///< bytes, or -errno; never blocks
};
extern const RdmaKernel rdmaKernel;

/// A question of NLDEV: a command and up to four numbers. Only commands that read are ever sent; none of those needs a privilege.
struct RdmaQuestion {
    struct Number {
        std::uint16_t attribute;
        std::uint32_t value;
    };
    std::uint16_t command = 0;
    bool list = false;  ///< answered by a list of messages (NLM_F_DUMP)
    std::array<Number, 4> numbers{};
    std::size_t count = 0;
};

[[nodiscard]] RdmaQuestion everyDevice();
/// How counters are bound to the queue pairs of a port (since 5.3).
[[nodiscard]] RdmaQuestion bindingOf(std::uint32_t device, std::uint32_t port);
/// All counters of a device that are bound to queue pairs (since 5.3). Each costs the driver a command to its firmware.
[[nodiscard]] RdmaQuestion boundCountersOf(std::uint32_t device);
/// What hw_counters of a port shows, in one answer (since 5.3).
[[nodiscard]] RdmaQuestion countersOf(std::uint32_t device, std::uint32_t port);

/// One part of an answer, valid during the call that takes it.
struct RdmaAnswer {
    std::span<const char> body;
    Ticks at = 0;  ///< middle of the call that fetched it
};

/// Asks the kernel about RDMA devices, in the network namespace of the thread that opened it. The kernel answers before send() returns,
/// a list part by part as it is received.
class RdmaSocket {
public:
    explicit constexpr RdmaSocket(const RdmaKernel& kernel) : m_kernel(&kernel) {}
    /// 0, or errno.
    int open() { return m_kernel->open(m_socket); }
    void close() { m_socket.close(); }
    [[nodiscard]] const RdmaKernel& kernel() const { return *m_kernel; }

    /// Gives each part of the answer to take(answer), which says whether there was anything in it. 0, or errno: EINVAL for a command,
    /// device or port that the kernel does not know, EMSGSIZE when the rest of a list does not fit into any message.
    template <typename Take>
    [[nodiscard]] int ask(const RdmaQuestion& question, Scratch& scratch, const Take& take)
    {
        Ticks begin = now();
        if (!scratch.reserve(answerBytes)) return ENOMEM;
        const int refused = send(question);
        if (refused != 0) return refused;
        for (int empty = 0; empty < mostEmpty;) {
            RdmaAnswer answer;
            const long got = m_kernel->receive(m_socket, {scratch.data(), answerBytes});
            if (got < 0) return restart(static_cast<int>(-got));
            const Ticks end = now();
            answer.at = begin + (end - begin) / 2;
            begin = end;
            bool any = false;
            NetlinkMessages messages({scratch.data(), static_cast<std::size_t>(got)});
            for (NetlinkMessage one; messages.next(one);) {
                if (one.sequence != m_sequence) continue;  // of an older question
                if (one.isEnd()) return one.error();
                answer.body = one.body;
                any = take(answer) || any;
                if (!question.list) return 0;
            }
            empty = any ? 0 : empty + 1;
        }
        return restart(EMSGSIZE);
    }

private:
    /// The kernel makes each part of a list as large as the largest buffer that it has seen from us, up to this.
    static constexpr std::size_t answerBytes = 32'768;
    /// An entry that fits into no part is not passed over: the kernel sends empty parts for ever (res_get_common_dumpit). The first may
    /// be empty because the first buffer was small.
    static constexpr int mostEmpty = 3;

    [[nodiscard]] int send(const RdmaQuestion& question);
    /// A list that was not read to its end makes the next one fail with EBUSY: only a new socket forgets it.
    [[nodiscard]] int restart(int error);

    const RdmaKernel* m_kernel;
    KernelSocket m_socket;
    std::uint32_t m_sequence = 0;
};

}  // namespace flowgauge::sample
