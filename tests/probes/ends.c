// SPDX-License-Identifier: MIT
// Reads, then ends in the way that is named: exit, _exit, quick_exit, abort, kill, fault, return from a thread.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** arguments)
{
    char bytes[100];
    const char* const way = count > 1 ? arguments[1] : "exit";
    const int fd = open("data.bin", O_RDONLY);
    for (int i = 0; i < 100; ++i) (void)!pread(fd, bytes, sizeof bytes, i);
    printf("%s\n", way);
    fflush(stdout);
    if (strcmp(way, "_exit") == 0) _exit(11);
    if (strcmp(way, "quick_exit") == 0) quick_exit(12);
    if (strcmp(way, "abort") == 0) abort();
    if (strcmp(way, "kill") == 0) raise(SIGKILL);
    if (strcmp(way, "fault") == 0) raise(SIGSEGV);
    if (strcmp(way, "pthread_exit") == 0) pthread_exit(NULL);
    exit(10);
}
