// SPDX-License-Identifier: MIT
// Four threads open, read and close two files of different length: every read must be told of the file it came from.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* race(void* name)
{
    char bytes[4];
    for (int i = 0; i < 5000; ++i) {
        const int fd = open(name, O_RDONLY);
        if (read(fd, bytes, sizeof bytes) != *(const char*)name - '0') printf("wrong\n");
        close(fd);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    char* names[4] = {"1byte", "2bytes", "1byte", "2bytes"};
    for (int i = 0; i < 2; ++i) {
        const int fd = open(names[i], O_CREAT | O_WRONLY, 0600);
        if (write(fd, "xx", i + 1U) != i + 1) return 1;
        close(fd);
    }
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, race, names[i]);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    printf("done\n");
    return 0;
}
