// SPDX-License-Identifier: MIT
// Cancels threads that are blocked in read: on a pipe, and in a loop on a data file. Cancellation unwinds through the call.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* blocked(void* unused)
{
    char byte;
    (void)unused;
    (void)!read(ends[0], &byte, 1);
    return NULL;
}

static void* looping(void* unused)
{
    char bytes[64];
    const int fd = open("data.bin", O_RDONLY);
    (void)unused;
    for (;;) (void)!pread(fd, bytes, sizeof bytes, 0);
    return NULL;
}

int main(void)
{
    if (pipe(ends) != 0) return 1;
    void* (*const bodies[])(void*) = {blocked, looping};
    for (int i = 0; i < 2; ++i) {
        pthread_t thread;
        void* result;
        pthread_create(&thread, NULL, bodies[i], NULL);
        usleep(50000);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        printf("thread %d %s\n", i, result == PTHREAD_CANCELED ? "cancelled" : "returned");
    }
    return 0;
}
