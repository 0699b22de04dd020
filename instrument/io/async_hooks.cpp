// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/address_table.h"
#include "instrument/io/io.h"
#include "instrument/io/real.h"

#include <linux/io_uring.h>

namespace flowgauge::io {
namespace {

/// What a FileSubmit asks for, whichever interface carried it.
enum class Operation : std::uint8_t { Read = 0, Write = 1, Sync = 2 };

struct Request {
    Ticks begin;
    NameKey file;
    std::int64_t offset;
    std::uint64_t bytes;
    Operation operation;
};
constinit AddressTable<Request, 1024> requests;  ///< on their way, by the address of their control block

void noteSubmit(const Request& request, Ticks end, std::uint64_t bytes, std::uint16_t flags)
{
    const FileAccess access{request.file, request.offset, static_cast<std::int64_t>(bytes), request.bytes};
    note(fileSubmit({request.begin, end}, access, static_cast<std::int64_t>(request.operation),
                    static_cast<std::uint16_t>(flags | flagNonblocking)));
}

/// Before the submission: the request may be complete, and its block reused, before the submitting call is back.
void remember(const void* block, const Request& request)
{
    if (requests.put(reinterpret_cast<std::uintptr_t>(block), request)) return;
    buffer::lose(DropReason::TableFull);
}

void completed(const void* block, std::int64_t result)
{
    Request request;
    if (!requests.take(reinterpret_cast<std::uintptr_t>(block), request)) return;
    const std::uint64_t bytes = result > 0 ? static_cast<std::uint64_t>(result) : 0;
    noteSubmit(request, now(), bytes, withFailure(0, result));
}

void notSubmitted(const void* block)
{
    Request request;
    (void)requests.take(reinterpret_cast<std::uintptr_t>(block), request);
}

bool operationOf(const iocb& block, Operation& into)
{
    switch (block.aio_lio_opcode) {
        case IOCB_CMD_PREAD:
        case IOCB_CMD_PREADV:
            return into = Operation::Read, true;
        case IOCB_CMD_PWRITE:
        case IOCB_CMD_PWRITEV:
            return into = Operation::Write, true;
        case IOCB_CMD_FSYNC:
        case IOCB_CMD_FDSYNC:
            return into = Operation::Sync, true;
        default:
            return false;
    }
}

/// Of a vectored request the length is the number of buffers; its bytes are known when it completes.
void rememberBlock(const iocb& block)
{
    Operation operation;
    if (!operationOf(block, operation)) return;
    const File file = table::fileOf(static_cast<int>(block.aio_fildes));
    if (file.isData()) remember(&block, {now(), file.key, block.aio_offset, block.aio_nbytes, operation});
}

bool operationOf(const io_uring_sqe& entry, Operation& into)
{
    switch (entry.opcode) {
        case IORING_OP_READ:
        case IORING_OP_READV:
        case IORING_OP_READ_FIXED:
            return into = Operation::Read, true;
        case IORING_OP_WRITE:
        case IORING_OP_WRITEV:
        case IORING_OP_WRITE_FIXED:
            return into = Operation::Write, true;
        case IORING_OP_FSYNC:
            return into = Operation::Sync, true;
        default:
            return false;
    }
}

/// The head of liburing's struct io_uring: the submission queue. Unchanged since its first release (liburing.h).
struct SubmissionQueue {
    unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
    io_uring_sqe* requests;
    unsigned filledFrom, filledTo;  ///< requests that the program has filled and not yet submitted
};

bool isVector(const io_uring_sqe& entry) { return entry.opcode == IORING_OP_READV || entry.opcode == IORING_OP_WRITEV; }

void noteEntry(const io_uring_sqe& entry, Ticks at)
{
    Operation operation;
    if ((entry.flags & IOSQE_FIXED_FILE) != 0 || !operationOf(entry, operation)) return;
    const File file = table::fileOf(entry.fd);
    const std::uint64_t bytes =
        isVector(entry) ? bytesOf(reinterpret_cast<const iovec*>(entry.addr), static_cast<int>(entry.len)) : entry.len;
    if (file.isData()) noteSubmit({at, file.key, static_cast<std::int64_t>(entry.off), 0, operation}, at, bytes, flagIncomplete);
}

/// Requests of double size (IORING_SETUP_SQE128) are left alone: their distance stands in fields that moved between releases.
void noteQueue(const SubmissionQueue& queue)
{
    if (queue.requests == nullptr || queue.mask == nullptr) return;
    const unsigned mask = *queue.mask;
    const Ticks at = now();
    for (unsigned i = queue.filledFrom; i != queue.filledTo; ++i) noteEntry(queue.requests[i & mask], at);
}

template <typename Block, typename Real>
int submitted(const Block* block, Operation operation, Real real)
{
    if (!watching()) return real();
    const File file = table::fileOf(block->aio_fildes);
    if (!file.isData()) return real();
    remember(block, {now(), file.key, block->aio_offset, block->aio_nbytes, operation});
    const int result = real();
    if (result != 0) notSubmitted(block);
    return result;
}

template <typename Real>
ssize_t taken(const void* block, Real real)
{
    const ssize_t result = real();
    const raw::KeepErrno keep;
    if (watching()) completed(block, result);
    return result;
}

}  // namespace

void forgetRequests() { requests.clear(); }

}  // namespace flowgauge::io

using namespace flowgauge::io;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int aio_read(aiocb* block) noexcept
{
    return submitted(block, Operation::Read, [&] { return real::aio_read.get()(block); });
}
FLOWGAUGE_EXPORT int aio_read64(aiocb64* block) noexcept
{
    return submitted(block, Operation::Read, [&] { return real::aio_read64.get()(block); });
}
FLOWGAUGE_EXPORT int aio_write(aiocb* block) noexcept
{
    return submitted(block, Operation::Write, [&] { return real::aio_write.get()(block); });
}
FLOWGAUGE_EXPORT int aio_write64(aiocb64* block) noexcept
{
    return submitted(block, Operation::Write, [&] { return real::aio_write64.get()(block); });
}
FLOWGAUGE_EXPORT ssize_t aio_return(aiocb* block) noexcept
{
    return taken(block, [&] { return real::aio_return.get()(block); });
}
FLOWGAUGE_EXPORT ssize_t aio_return64(aiocb64* block) noexcept
{
    return taken(block, [&] { return real::aio_return64.get()(block); });
}

FLOWGAUGE_EXPORT int io_submit(aio_context_t context, long count, iocb** blocks)
{
    const auto next = real::io_submit.getFor(__builtin_return_address(0));
    if (!watching() || blocks == nullptr) return next(context, count, blocks);
    for (long i = 0; i < count; ++i) rememberBlock(*blocks[i]);
    const int accepted = next(context, count, blocks);
    for (long i = accepted < 0 ? 0 : accepted; i < count; ++i) notSubmitted(blocks[i]);
    return accepted;
}

FLOWGAUGE_EXPORT int io_getevents(aio_context_t context, long least, long most, io_event* events, timespec* timeout)
{
    const int count = real::io_getevents.getFor(__builtin_return_address(0))(context, least, most, events, timeout);
    if (!watching()) return count;
    for (int i = 0; i < count; ++i) completed(reinterpret_cast<const void*>(events[i].obj), events[i].res);
    return count;
}

FLOWGAUGE_EXPORT int io_uring_submit(io_uring* ring)
{
    const auto next = real::io_uring_submit.getFor(__builtin_return_address(0));
    if (watching() && ring != nullptr) noteQueue(*reinterpret_cast<const SubmissionQueue*>(ring));
    return next(ring);
}

}  // extern "C"
