// SPDX-License-Identifier: MIT
// Makes every call of instrument/io/io_calls.def once, on a file named after the call, and prints the events that must be
// recorded for that file, in order: "call NAME", then "KIND OFFSET BYTES" lines. "skip NAME REASON" where the machine lacks it.
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int __open_2(const char*, int), __open64_2(const char*, int), __openat_2(int, const char*, int), __openat64_2(int, const char*, int);
ssize_t __read_chk(int, void*, size_t, size_t), __pread_chk(int, void*, size_t, off_t, size_t),
    __pread64_chk(int, void*, size_t, off64_t, size_t);
size_t __fread_chk(void*, size_t, size_t, size_t, FILE*), __fread_unlocked_chk(void*, size_t, size_t, size_t, FILE*);
char *__fgets_chk(char*, size_t, int, FILE*), *__fgets_unlocked_chk(char*, size_t, int, FILE*);
ssize_t __getdelim(char**, size_t*, int, FILE*);

enum { size = 1000, line = 50 };  // the file: twenty lines of 50 bytes
static char path[4096], bytes[size + 1];
static const char* folder;

static void expect(const char* kind, long offset, long count) { printf("%s %ld %ld\n", kind, offset, count); }

/// A fresh file for a call, made behind the library's back.
static const char* fresh(const char* call)
{
    snprintf(path, sizeof path, "%s/%s.bin", folder, call);
    printf("call %s\n", call);
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    for (int i = 0; i < size; ++i) bytes[i] = i % line == line - 1 ? '\n' : 'x';
    if (syscall(SYS_write, fd, bytes, size) != size) abort();
    syscall(SYS_close, fd);
    return path;
}
static int opened(const char* call)
{
    const int fd = open(fresh(call), O_RDWR);
    expect("file_open", 0, 0);
    return fd;
}
static void closed(int fd)
{
    close(fd);
    expect("file_close", 0, 0);
}
static FILE* streamOf(const char* call, const char* mode)
{
    FILE* const stream = fopen(fresh(call), mode);
    expect("file_open", 0, 0);
    return stream;
}
static void closedStream(FILE* stream)
{
    fclose(stream);
    expect("file_close", 0, 0);
}

#define OPENS(call, expression)    \
    do {                           \
        fresh(#call);              \
        const int fd = expression; \
        expect("file_open", 0, 0); \
        closed(fd);                \
    } while (0)
#define TRANSFERS(call, kind, offset, expression) \
    do {                                          \
        const int fd = opened(#call);             \
        expect(kind, offset, expression);         \
        closed(fd);                               \
    } while (0)
#define STREAMS(call, mode, kind, expression)       \
    do {                                            \
        FILE* const stream = streamOf(#call, mode); \
        expect(kind, 0, (long)(expression));        \
        closedStream(stream);                       \
    } while (0)
#define SEEKS(call, expression)                                     \
    do {                                                            \
        FILE* const stream = streamOf(#call, "r");                  \
        expect("file_read", 0, (long)fread(bytes, 1, 10, stream));  \
        expression;                                                 \
        const long at = ftell(stream);                              \
        expect("file_read", at, (long)fread(bytes, 1, 10, stream)); \
        closedStream(stream);                                       \
    } while (0)

static void opens(void)
{
    OPENS(open, open(path, O_RDONLY));
    OPENS(open64, open64(path, O_RDONLY));
    OPENS(openat, openat(AT_FDCWD, path, O_RDONLY));
    OPENS(openat64, openat64(AT_FDCWD, path, O_RDONLY));
    OPENS(creat, creat(path, 0600));
    OPENS(creat64, creat64(path, 0600));
    OPENS(__open_2, __open_2(path, O_RDONLY));
    OPENS(__open64_2, __open64_2(path, O_RDONLY));
    OPENS(__openat_2, __openat_2(AT_FDCWD, path, O_RDONLY));
    OPENS(__openat64_2, __openat64_2(AT_FDCWD, path, O_RDONLY));
    closedStream(streamOf("fopen", "r"));
    FILE* stream = fopen64(fresh("fopen64"), "r");
    expect("file_open", 0, 0);
    closedStream(stream);
    stream = freopen(fresh("freopen"), "r", fopen("/dev/null", "r"));
    expect("file_open", 0, 0);
    closedStream(stream);
    stream = freopen64(fresh("freopen64"), "r", fopen("/dev/null", "r"));
    expect("file_open", 0, 0);
    closedStream(stream);
}

static void reads(void)
{
    const struct iovec two[2] = {{bytes, 10}, {bytes + 10, 20}};
    TRANSFERS(read, "file_read", 0, read(fd, bytes, 100));
    TRANSFERS(__read_chk, "file_read", 0, __read_chk(fd, bytes, 100, size));
    TRANSFERS(pread, "file_read", 900, pread(fd, bytes, 200, 900));
    TRANSFERS(pread64, "file_read", 990, pread64(fd, bytes, 200, 990));
    TRANSFERS(__pread_chk, "file_read", 5, __pread_chk(fd, bytes, 200, 5, size));
    TRANSFERS(__pread64_chk, "file_read", 6, __pread64_chk(fd, bytes, 200, 6, size));
    TRANSFERS(readv, "file_read", 0, readv(fd, two, 2));
    TRANSFERS(preadv, "file_read", 40, preadv(fd, two, 2, 40));
    TRANSFERS(preadv64, "file_read", 41, preadv64(fd, two, 2, 41));
    TRANSFERS(preadv2, "file_read", 0, preadv2(fd, two, 2, -1, 0));
    TRANSFERS(preadv64v2, "file_read", 42, preadv64v2(fd, two, 2, 42, 0));
}

static void writes(void)
{
    const struct iovec two[2] = {{bytes, 10}, {bytes + 10, 20}};
    TRANSFERS(write, "file_write", 0, write(fd, bytes, 100));
    TRANSFERS(pwrite, "file_write", 30, pwrite(fd, bytes, 100, 30));
    TRANSFERS(pwrite64, "file_write", 31, pwrite64(fd, bytes, 100, 31));
    TRANSFERS(writev, "file_write", 0, writev(fd, two, 2));
    TRANSFERS(pwritev, "file_write", 40, pwritev(fd, two, 2, 40));
    TRANSFERS(pwritev64, "file_write", 41, pwritev64(fd, two, 2, 41));
    TRANSFERS(pwritev2, "file_write", 0, pwritev2(fd, two, 2, -1, 0));
    TRANSFERS(pwritev64v2, "file_write", 42, pwritev64v2(fd, two, 2, 42, 0));
}

static void streams(void)
{
    char* text = NULL;
    size_t room = 0;
    STREAMS(fread, "r", "file_read", fread(bytes, 10, 7, stream) * 10);
    STREAMS(fread_unlocked, "r", "file_read", fread_unlocked(bytes, 10, 7, stream) * 10);
    STREAMS(__fread_chk, "r", "file_read", __fread_chk(bytes, size, 10, 7, stream) * 10);
    STREAMS(__fread_unlocked_chk, "r", "file_read", __fread_unlocked_chk(bytes, size, 10, 7, stream) * 10);
    STREAMS(fgets, "r", "file_read", strlen(fgets(bytes, size, stream)));
    STREAMS(fgets_unlocked, "r", "file_read", strlen(fgets_unlocked(bytes, size, stream)));
    STREAMS(__fgets_chk, "r", "file_read", strlen(__fgets_chk(bytes, size, size, stream)));
    STREAMS(__fgets_unlocked_chk, "r", "file_read", strlen(__fgets_unlocked_chk(bytes, size, size, stream)));
    STREAMS(getline, "r", "file_read", getline(&text, &room, stream));
    STREAMS(getdelim, "r", "file_read", getdelim(&text, &room, '\n', stream));
    STREAMS(__getdelim, "r", "file_read", __getdelim(&text, &room, '\n', stream));
    STREAMS(fwrite, "w", "file_write", fwrite(bytes, 10, 7, stream) * 10);
    STREAMS(fwrite_unlocked, "w", "file_write", fwrite_unlocked(bytes, 10, 7, stream) * 10);
    free(text);
}

static void positions(void)
{
    fpos_t start;
    fpos64_t start64;
    memset(&start, 0, sizeof start);
    memset(&start64, 0, sizeof start64);
    TRANSFERS(lseek, "file_read", 700, lseek(fd, 700, SEEK_SET) == 700 ? read(fd, bytes, 100) : -1);
    TRANSFERS(lseek64, "file_read", size - 20, lseek64(fd, -20, SEEK_END) > 0 ? read(fd, bytes, 100) : -1);
    SEEKS(fseek, fseek(stream, 300, SEEK_SET));
    SEEKS(fseeko, fseeko(stream, 301, SEEK_SET));
    SEEKS(fseeko64, fseeko64(stream, 302, SEEK_CUR));
    SEEKS(rewind, rewind(stream));
    SEEKS(fsetpos, fsetpos(stream, &start));
    SEEKS(fsetpos64, fsetpos64(stream, &start64));
}

static void maps(void)
{
    int fd = opened("mmap");
    void* at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    expect("file_map", 0, size);
    closed(fd);
    syscall(SYS_munmap, at, size);
    fd = opened("mmap64");
    mmap64(NULL, 500, PROT_READ, MAP_SHARED, fd, 0);
    expect("file_map", 0, 500);
    closed(fd);
    fd = opened("munmap");
    at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    expect("file_map", 0, size);
    munmap(at, size);
    expect("file_unmap", 0, size);
    closed(fd);
}

static void closes(void)
{
    closed(opened("close"));
    closedStream(streamOf("fclose", "r"));
    int fd = opened("close_range");
    close_range((unsigned)fd, (unsigned)fd, 0);
    expect("file_close", 0, 0);
    fd = opened("closefrom");
    closefrom(fd);
    expect("file_close", 0, 0);
}

static void readByCopy(int fd, int copy)
{
    expect("file_read", 0, read(fd, bytes, 10));
    expect("file_read", 10, read(copy, bytes, 10));
    closed(copy);
    closed(fd);
}

static void duplicates(void)
{
    int fd = opened("dup");
    readByCopy(fd, dup(fd));
    fd = opened("dup2");
    readByCopy(fd, dup2(fd, 400));
    fd = opened("dup3");
    readByCopy(fd, dup3(fd, 401, O_CLOEXEC));
    fd = opened("fcntl");
    readByCopy(fd, fcntl(fd, F_DUPFD, 300));
    fd = opened("fcntl64");
    readByCopy(fd, fcntl64(fd, F_DUPFD_CLOEXEC, 300));
}

static void copies(void)
{
    int ends[2];
    const int null = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY);
    const int target = (int)syscall(SYS_openat, AT_FDCWD, folder, O_TMPFILE | O_RDWR, 0600);
    off_t at = 100;
    off64_t at64 = 200;
    if (pipe(ends) != 0) abort();
    TRANSFERS(sendfile, "file_copy", 100, sendfile(null, fd, &at, 50));
    TRANSFERS(sendfile64, "file_copy", 0, sendfile64(null, fd, NULL, 60));
    TRANSFERS(copy_file_range, "file_copy", 200, copy_file_range(fd, &at64, target, NULL, 70, 0));
    at64 = 300;
    TRANSFERS(splice, "file_copy", 300, splice(fd, &at64, ends[1], NULL, 80, 0));
}

static void caches(void)
{
    int fd = opened("posix_fadvise");
    posix_fadvise(fd, 10, 20, POSIX_FADV_SEQUENTIAL);
    expect("file_advise", 10, 20);
    closed(fd);
    fd = opened("posix_fadvise64");
    posix_fadvise64(fd, 11, 21, POSIX_FADV_RANDOM);
    expect("file_advise", 11, 21);
    closed(fd);
    fd = opened("readahead");
    readahead(fd, 0, 500);
    expect("file_advise", 0, 500);
    closed(fd);
    fd = opened("fsync");
    fsync(fd);
    expect("file_sync", 0, 0);
    closed(fd);
    fd = opened("fdatasync");
    fdatasync(fd);
    expect("file_sync", 0, 0);
    closed(fd);
}

static void posixAio(void)
{
#define AIO(call, block, submit, error, take)                                                             \
    do {                                                                                                  \
        const int fd = opened(#call);                                                                     \
        struct block request = {.aio_fildes = fd, .aio_offset = 64, .aio_buf = bytes, .aio_nbytes = 128}; \
        submit(&request);                                                                                 \
        while (error(&request) == EINPROGRESS) usleep(1000);                                              \
        expect("file_submit", 64, take(&request));                                                        \
        closed(fd);                                                                                       \
    } while (0)
    AIO(aio_read, aiocb, aio_read, aio_error, aio_return);
    AIO(aio_read64, aiocb64, aio_read64, aio_error64, aio_return64);
    AIO(aio_write, aiocb, aio_write, aio_error, aio_return);
    AIO(aio_write64, aiocb64, aio_write64, aio_error64, aio_return64);
    AIO(aio_return, aiocb, aio_read, aio_error, aio_return);
    AIO(aio_return64, aiocb64, aio_read64, aio_error64, aio_return64);
}

static void libaio(const char* call)
{
    io_context_t context = NULL;
    if (io_setup(4, &context) != 0) {
        printf("skip %s io_setup\n", call);
        return;
    }
    const int fd = opened(call);
    struct iocb request, *requests[1] = {&request};
    struct io_event event;
    io_prep_pread(&request, fd, bytes, 256, 128);
    if (io_submit(context, 1, requests) != 1 || io_getevents(context, 1, 1, &event, NULL) != 1) abort();
    expect("file_submit", 128, (long)event.res);
    closed(fd);
    io_destroy(context);
}

static void uring(void)
{
    struct io_uring ring;
    if (io_uring_queue_init(4, &ring, 0) != 0) {
        printf("skip io_uring_submit io_uring_setup\n");
        return;
    }
    const int fd = opened("io_uring_submit");
    struct io_uring_cqe* done;
    io_uring_prep_read(io_uring_get_sqe(&ring), fd, bytes, 300, 32);
    if (io_uring_submit(&ring) != 1 || io_uring_wait_cqe(&ring, &done) != 0 || done->res != 300) abort();
    expect("file_submit", 32, 300);
    closed(fd);
    io_uring_queue_exit(&ring);
}

int main(int count, char** arguments)
{
    folder = count > 1 ? arguments[1] : ".";
    opens();
    reads();
    writes();
    streams();
    positions();
    maps();
    duplicates();
    copies();
    caches();
    posixAio();
    libaio("io_submit");
    libaio("io_getevents");
    uring();
    closes();
    return 0;
}
