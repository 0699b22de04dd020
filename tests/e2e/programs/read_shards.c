// SPDX-License-Identifier: MIT
// A reader that keeps its own books: makes a few files, reads them in one of several ways, and writes down every call and byte.
//   read_shards [--mode=read|pread|readv|preadv|fread] [--files=N] [--bytes=N] [--block=N] [--rounds=N] [--threads=N]
//               [--dir=PATH] [--hold-ms=N]
// The ledger goes to the file that FLOWGAUGE_LEDGER names, as JSON: {"opens", "reads", "bytes", "files"}. With --progress=FILE the count of
// finished reads is kept in FILE (8 bytes, mapped), so that it outlives a SIGKILL.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char* mode = "pread";
static const char* directory = ".";
static const char* progressFile = NULL;
static long files = 2, bytesPerFile = 1 << 20, block = 65536, rounds = 1, threads = 1, holdMs = 0;
static _Atomic long opens, reads, total;
static _Atomic uint64_t* progress = NULL;

static void die(const char* what)
{
    perror(what);
    exit(3);
}

static void pathOf(long file, char* into, size_t size) { snprintf(into, size, "%s/shard-%03ld.bin", directory, file); }

static void makeFile(long file)
{
    char path[4096];
    pathOf(file, path, sizeof path);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || ftruncate(fd, bytesPerFile) != 0) die(path);
    close(fd);
}

/// One call that returns what the kernel returned; 0 at the end of the file.
static ssize_t readOnce(int fd, char* buffer, long at)
{
    const struct iovec halves[2] = {{buffer, (size_t)block / 2}, {buffer + block / 2, (size_t)(block - block / 2)}};
    if (strcmp(mode, "read") == 0) return read(fd, buffer, (size_t)block);
    if (strcmp(mode, "pread") == 0) return pread(fd, buffer, (size_t)block, at);
    if (strcmp(mode, "readv") == 0) return readv(fd, halves, 2);
    return preadv(fd, halves, 2, at);
}

static void count(ssize_t got)
{
    ++reads;
    total += got;
    if (progress != NULL) ++*progress;
    if (holdMs > 0) usleep((useconds_t)holdMs * 1000);
}

static void readStream(const char* path, char* buffer)
{
    FILE* const file = fopen(path, "rb");
    if (file == NULL) die(path);
    ++opens;
    size_t got;
    do {
        got = fread(buffer, 1, (size_t)block, file);
        count((ssize_t)got);
    } while (got > 0);
    fclose(file);
}

static void readFile(long file, char* buffer)
{
    char path[4096];
    pathOf(file, path, sizeof path);
    if (strcmp(mode, "fread") == 0) {
        readStream(path, buffer);
        return;
    }
    const int fd = open(path, O_RDONLY);
    if (fd < 0) die(path);
    ++opens;
    ssize_t got;
    long at = 0;
    do {
        got = readOnce(fd, buffer, at);
        if (got < 0) die(path);
        at += got;
        count(got);
    } while (got > 0);
    close(fd);
}

static void* work(void* first)
{
    char* const buffer = malloc((size_t)block);
    for (long round = 0; round < rounds; ++round)
        for (long file = (long)(intptr_t)first; file < files; file += threads) readFile(file, buffer);
    free(buffer);
    return NULL;
}

static void writeLedger(void)
{
    const char* const path = getenv("FLOWGAUGE_LEDGER");
    FILE* const file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL) return;
    fprintf(file, "{\"opens\": %ld, \"reads\": %ld, \"bytes\": %ld, \"files\": %ld}\n", opens, reads, total, files);
    fclose(file);
}

static void parse(const char* word)
{
    const char* const value = strchr(word, '=');
    if (value == NULL) die(word);
    const struct {
        const char* name;
        long* number;
    } numbers[] = {{"--files", &files},   {"--bytes", &bytesPerFile}, {"--block", &block},
                   {"--rounds", &rounds}, {"--threads", &threads},    {"--hold-ms", &holdMs}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (strncmp(word, numbers[i].name, (size_t)(value - word)) == 0) *numbers[i].number = atol(value + 1);
    if (strncmp(word, "--mode=", 7) == 0) mode = value + 1;
    if (strncmp(word, "--dir=", 6) == 0) directory = value + 1;
    if (strncmp(word, "--progress=", 11) == 0) progressFile = value + 1;
}

static void mapProgress(void)
{
    const int fd = open(progressFile, O_RDWR | O_CREAT, 0644);
    if (fd < 0 || ftruncate(fd, 8) != 0) die(progressFile);
    progress = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (progress == MAP_FAILED) die(progressFile);
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) parse(argv[i]);
    if (progressFile != NULL) mapProgress();
    for (long file = 0; file < files; ++file) makeFile(file);
    pthread_t workers[64];
    for (long i = 0; i < threads && i < 64; ++i) pthread_create(&workers[i], NULL, work, (void*)(intptr_t)i);
    for (long i = 0; i < threads && i < 64; ++i) pthread_join(workers[i], NULL);
    writeLedger();
    printf("read %ld bytes in %ld calls\n", total, reads);
    return 0;
}
