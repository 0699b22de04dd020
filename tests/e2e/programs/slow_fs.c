// SPDX-License-Identifier: MIT
// A read-only file system that serves a folder slowly: slow storage made to measure. Every read that reaches it waits
// DELAY_US and then as long as its bytes take at RATE bytes/s (0: no limit), one read at a time as a saturated server does.
// The kernel caches nothing (direct_io), so every epoch pays.
//
//   slow_fs SOURCE MOUNTPOINT DELAY_US RATE        runs in the foreground; unmount with fusermount3 -u MOUNTPOINT
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char* source;
static long delayNs;
static double nsPerByte;
static pthread_mutex_t server = PTHREAD_MUTEX_INITIALIZER;

static int pathOf(char* into, size_t size, const char* path)
{
    return snprintf(into, size, "%s%s", source, path) < (int)size ? 0 : -ENAMETOOLONG;
}

static int slowGetattr(const char* path, struct stat* into, struct fuse_file_info* file)
{
    char real[4096];
    (void)file;
    if (pathOf(real, sizeof real, path) != 0) return -ENAMETOOLONG;
    return lstat(real, into) == 0 ? 0 : -errno;
}

static int slowReaddir(const char* path, void* buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info* file,
                       enum fuse_readdir_flags flags)
{
    char real[4096];
    (void)offset, (void)file, (void)flags;
    if (pathOf(real, sizeof real, path) != 0) return -ENAMETOOLONG;
    DIR* folder = opendir(real);
    if (folder == NULL) return -errno;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
        fill(buffer, entry->d_name, NULL, 0, (enum fuse_fill_dir_flags)0);
    closedir(folder);
    return 0;
}

static int slowOpen(const char* path, struct fuse_file_info* file)
{
    char real[4096];
    if ((file->flags & O_ACCMODE) != O_RDONLY) return -EROFS;
    if (pathOf(real, sizeof real, path) != 0) return -ENAMETOOLONG;
    const int fd = open(real, O_RDONLY);
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
    source = realpath(argv[1], NULL);
    if (source == NULL) {
        fprintf(stderr, "slow_fs: %s: %s\n", argv[1], strerror(errno));
        return 2;
    }
    delayNs = atol(argv[3]) * 1000;
    nsPerByte = atof(argv[4]) > 0 ? 1e9 / atof(argv[4]) : 0;
    static const struct fuse_operations operations = {
        .getattr = slowGetattr, .readdir = slowReaddir, .open = slowOpen, .read = slowRead, .release = slowRelease};
    char* arguments[] = {argv[0], "-f", argv[2], NULL};
    return fuse_main(3, arguments, &operations, NULL);
}
