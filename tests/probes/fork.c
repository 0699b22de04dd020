// SPDX-License-Identifier: MIT
// Parent and child read one open file; its position is theirs together. The child also opens the file anew.
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char bytes[100];
    int status;
    const int fd = open("data.bin", O_RDONLY);
    printf("parent %zd\n", read(fd, bytes, 10));
    fflush(stdout);
    if (fork() == 0) {
        const int own = open("data.bin", O_RDONLY);
        printf("child %zd %zd at %ld\n", read(fd, bytes, 20), read(own, bytes, 30), (long)lseek(fd, 0, SEEK_CUR));
        fflush(stdout);
        _exit(7);
    }
    wait(&status);
    printf("parent %zd at %ld, child ended with %d\n", read(fd, bytes, 40), (long)lseek(fd, 0, SEEK_CUR), WEXITSTATUS(status));
    return 0;
}
