// SPDX-License-Identifier: MIT
// A read-only file system that serves a folder slowly: slow storage made to measure. Every read that reaches it waits
// DELAY_US and then as long as its bytes take at RATE bytes/s (0: no limit), one read at a time as a saturated server does.
// The kernel caches nothing (direct_io), so every epoch pays.
//
//   slow_fs SOURCE MOUNTPOINT DELAY_US RATE        runs in the foreground; unmount with fusermount3 -u MOUNTPOINT
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include "tests/e2e/programs/shown_folder.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long delayNs;
static double nsPerByte;
static pthread_mutex_t server = PTHREAD_MUTEX_INITIALIZER;

static int slowOpen(const char* path, struct fuse_file_info* file)
{
    char place[4096];
    if ((file->flags & O_ACCMODE) != O_RDONLY) return -EROFS;
    if (placeOf(place, sizeof place, path) != 0) return -ENAMETOOLONG;
    const int fd = open(place, O_RDONLY);
    if (fd < 0) return -errno;
    file->fh = (uint64_t)fd;
    file->direct_io = 1;
    return 0;
}

static int slowRead(const char* path, char* into, size_t size, off_t offset, struct fuse_file_info* file)
{
    (void)path;
    const ssize_t got = pread((int)file->fh, into, size, offset);
    if (got < 0) return -errno;
    const long wait = delayNs + (long)((double)got * nsPerByte);
    const struct timespec pause = {wait / 1000000000L, wait % 1000000000L};
    pthread_mutex_lock(&server);
    nanosleep(&pause, NULL);
    pthread_mutex_unlock(&server);
    return (int)got;
}

static int slowRelease(const char* path, struct fuse_file_info* file)
{
    (void)path;
    close((int)file->fh);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: slow_fs SOURCE MOUNTPOINT DELAY_US RATE_BYTES_PER_S\n");
        return 2;
    }
    shownFolder = realpath(argv[1], NULL);
    if (shownFolder == NULL) {
        fprintf(stderr, "slow_fs: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    delayNs = atol(argv[3]) * 1000;
    nsPerByte = atof(argv[4]) > 0 ? 1e9 / atof(argv[4]) : 0;
    static const struct fuse_operations operations = {
        .getattr = shownGetattr, .readdir = shownReaddir, .open = slowOpen, .read = slowRead, .release = slowRelease};
    return showAt(argv[0], argv[2], &operations);
}
