// SPDX-License-Identifier: MIT
#pragma once
// What the test's file systems have in common: they show an existing folder, read-only, and only reading is their own.
// Define FUSE_USE_VERSION and _GNU_SOURCE first.
#include <dirent.h>
#include <errno.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char* shownFolder;

/// The place of a shown path: 0, or -ENAMETOOLONG.
static int placeOf(char* into, size_t size, const char* path)
{
    return snprintf(into, size, "%s%s", shownFolder, path) < (int)size ? 0 : -ENAMETOOLONG;
}

static int shownGetattr(const char* path, struct stat* into, struct fuse_file_info* file)
{
    char place[4096];
    (void)file;
    if (placeOf(place, sizeof place, path) != 0) return -ENAMETOOLONG;
    return lstat(place, into) == 0 ? 0 : -errno;
}

static int shownReaddir(const char* path, void* buffer, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info* file,
                        enum fuse_readdir_flags flags)
{
    char place[4096];
    (void)offset, (void)file, (void)flags;
    if (placeOf(place, sizeof place, path) != 0) return -ENAMETOOLONG;
    DIR* folder = opendir(place);
    if (folder == NULL) return -errno;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
        fill(buffer, entry->d_name, NULL, 0, (enum fuse_fill_dir_flags)0);
    closedir(folder);
    return 0;
}

/// Serves the mount point in the foreground until it is unmounted.
static int showAt(char* program, char* mountPoint, const struct fuse_operations* operations)
{
    char* arguments[] = {program, "-f", mountPoint, NULL};
    return fuse_main(3, arguments, operations, NULL);
}
