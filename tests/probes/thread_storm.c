// SPDX-License-Identifier: MIT
// 2,000 threads, sixteen at a time, each of which reads once and ends.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int fd;

static void* readOnce(void* into)
{
    char bytes[250];
    *(long*)into = pread(fd, bytes, sizeof bytes, 1000);
    return NULL;
}

int main(void)
{
    long total = 0, got[16];
    pthread_t threads[16];
    fd = open("data.bin", O_RDONLY);
    for (int round = 0; round < 125; ++round) {
        for (int i = 0; i < 16; ++i) pthread_create(&threads[i], NULL, readOnce, &got[i]);
        for (int i = 0; i < 16; ++i) {
            pthread_join(threads[i], NULL);
            total += got[i];
        }
    }
    printf("%ld bytes by 2000 threads\n", total);
    return 0;
}
