// SPDX-License-Identifier: MIT
// A reader whose books outlive a SIGKILL: after each call has returned it adds one to a counter in a mapped file.
//   counted_reader --file=DATA --progress=FILE [--reads=N] [--block=N] [--hold-us=N] [--workers=N] [--once]
// Without workers (or under MPI: each rank) it reads itself; with them it forks and they read, as a loader's workers do, and end
// by _exit. Compiled with COUNTED_MPI each 16th read is followed by an MPI_Allreduce. --once makes one open for all reads.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef COUNTED_MPI
#include <mpi.h>
#endif

enum { slots = 16, readsOfAnOpen = 100, readsOfAReduce = 16 };

/// One process's acknowledged calls: 8 numbers of 64 bits.
struct Slot {
    _Atomic int64_t pid, opens, reads, closes, reduces, done, unused[2];
};

static const char *dataFile, *progressFile;
static long reads = 1000, block = 4096, holdUs = 50, workers = 0;
static int once = 0;
static struct Slot* progress;

static void die(const char* what)
{
    perror(what);
    exit(3);
}

static void parse(const char* word)
{
    const char* const value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : "";
    if (strncmp(word, "--file=", 7) == 0) dataFile = value;
    if (strncmp(word, "--progress=", 11) == 0) progressFile = value;
    if (strncmp(word, "--reads=", 8) == 0) reads = atol(value);
    if (strncmp(word, "--block=", 8) == 0) block = atol(value);
    if (strncmp(word, "--hold-us=", 10) == 0) holdUs = atol(value);
    if (strncmp(word, "--workers=", 10) == 0) workers = atol(value);
    if (strcmp(word, "--once") == 0) once = 1;
}

static void mapProgress(void)
{
    const int fd = open(progressFile, O_RDWR | O_CREAT, 0644);
    if (fd < 0 || ftruncate(fd, sizeof(struct Slot) * slots) != 0) die(progressFile);
    progress = mmap(NULL, sizeof(struct Slot) * slots, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (progress == MAP_FAILED) die(progressFile);
}

static void work(struct Slot* mine)
{
    char* const buffer = malloc((size_t)block);
    struct stat status;
    if (stat(dataFile, &status) != 0) die(dataFile);
    mine->pid = getpid();
    int fd = -1;
    for (long i = 0; i < reads; ++i) {
        if (fd < 0) {
            fd = open(dataFile, O_RDONLY);
            if (fd < 0) die(dataFile);
            ++mine->opens;
        }
        if (pread(fd, buffer, (size_t)block, i * block % (status.st_size - block)) != block) die(dataFile);
        ++mine->reads;
        if (holdUs > 0) usleep((useconds_t)holdUs);
#ifdef COUNTED_MPI
        int sum = 0, one = 1;
        if (i % readsOfAReduce == 0) {
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            ++mine->reduces;
        }
#endif
        if (!once && i % readsOfAnOpen == readsOfAnOpen - 1) {
            close(fd);
            ++mine->closes;
            fd = -1;
        }
    }
    mine->done = 1;
    free(buffer);
}

static void runWorkers(void)
{
    for (long i = 0; i < workers; ++i) {
        const pid_t child = fork();
        if (child < 0) die("fork");
        if (child > 0) continue;
        work(&progress[i]);
        _exit(0);
    }
    while (wait(NULL) > 0) {
    }
}

int main(int argc, char** argv)
{
    int rank = 0;
    for (int i = 1; i < argc; ++i) parse(argv[i]);
    if (dataFile == NULL || progressFile == NULL) return 2;
#ifdef COUNTED_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    mapProgress();
    if (workers > 0)
        runWorkers();
    else
        work(&progress[rank]);
#ifdef COUNTED_MPI
    MPI_Finalize();
#endif
    return 0;
}
