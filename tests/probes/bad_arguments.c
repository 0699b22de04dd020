// SPDX-License-Identifier: MIT
// Calls with arguments that must fail, and one that must leave errno alone; prints result and errno of each.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHOW(expression)                                            \
    do {                                                            \
        errno = 0;                                                  \
        const long result = (long)(expression);                     \
        printf("%-60s %ld errno %d\n", #expression, result, errno); \
    } while (0)

static void openedWrong(const char* nowhere)
{
    SHOW(open("/nonexistent/file", O_RDONLY));
    SHOW(open(nowhere, O_RDONLY));
    SHOW(open("", O_RDONLY));
    SHOW(open("data.bin", O_RDONLY | O_DIRECTORY));
    SHOW(open64("data.bin", O_CREAT | O_EXCL | O_WRONLY, 0600));
    SHOW(openat(-5, "data.bin", O_RDONLY));
    SHOW(openat64(AT_FDCWD, nowhere, O_RDONLY));
    SHOW(creat("/nonexistent/file", 0600));
    SHOW(creat64("/nonexistent/file", 0600));
    SHOW(fopen("/nonexistent/file", "r"));
    SHOW(fopen("data.bin", "nonsense"));
    SHOW(fopen64("/nonexistent/file", "r"));
}

static volatile int negative = -1;

static void calledOn(int fd, char* nowhere)
{
    const struct iovec bad[1] = {{nowhere, 10}};
    const struct iovec* const noArray = (const struct iovec*)(void*)nowhere;
    off64_t* const noOffset = (off64_t*)(void*)nowhere;
    SHOW(read(fd, nowhere, 10));
    SHOW(write(fd, nowhere, 10));
    SHOW(pread(fd, nowhere, 10, 0));
    SHOW(pread64(fd, nowhere, 10, -7));
    SHOW(pwrite(fd, nowhere, 10, 0));
    SHOW(pwrite64(fd, nowhere, 10, -7));
    SHOW(readv(fd, bad, 1));
    SHOW(readv(fd, noArray, 1));
    SHOW(readv(fd, bad, negative));
    SHOW(writev(fd, noArray, 1));
    SHOW(preadv(fd, noArray, 2, 0));
    SHOW(preadv64(fd, bad, 1, 0));
    SHOW(preadv2(fd, noArray, 1, 0, 0));
    SHOW(preadv64v2(fd, bad, 1, 0, 0x4000));
    SHOW(pwritev(fd, noArray, 1, 0));
    SHOW(pwritev64(fd, bad, 1, 0));
    SHOW(pwritev2(fd, noArray, 1, 0, 0));
    SHOW(pwritev64v2(fd, bad, 1, 0, 0x4000));
    SHOW(lseek(fd, -5, SEEK_SET));
    SHOW(lseek64(fd, 0, 77));
    SHOW(sendfile(1000, fd, NULL, 10));
    SHOW(sendfile64(fd, fd, noOffset, 10));
    SHOW(copy_file_range(fd, noOffset, fd, NULL, 10, 0));
    SHOW(splice(fd, NULL, fd, NULL, 10, 0));
    SHOW(posix_fadvise(fd, 0, -1, 0));
    SHOW(posix_fadvise64(fd, 0, 0, 99));
    SHOW(fcntl(fd, F_DUPFD, -1));
    SHOW(fcntl(fd, 9999, 0));
    SHOW(fcntl64(fd, F_GETFD));
    SHOW(dup2(fd, -1));
    SHOW(dup3(fd, fd, 0));
    SHOW(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0));
    SHOW(mmap64(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 1));
}

int main(void)
{
    char* volatile hidden = (char*)8;  // the compiler would warn of what it could see
    char* const nowhere = hidden;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    openedWrong(nowhere);
    const int fd = open("data.bin", O_RDONLY);
    calledOn(fd, nowhere);
    calledOn(1000, nowhere);
    calledOn(-1, nowhere);
    SHOW(munmap(nowhere, 1));
    SHOW(readahead(1000, 0, 10));
    SHOW(fsync(1000));
    SHOW(fdatasync(-1));
    SHOW(dup(1000));
    SHOW(close(1000));
    SHOW(close(fd));
    SHOW(close(fd));
    SHOW(close_range(5, 4, 0));
    const int again = open("data.bin", O_RDONLY);
    char bytes[10];
    errno = 4711;
    printf("%zd %d\n", read(again, bytes, 10), errno);
    return 0;
}
