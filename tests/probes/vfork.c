// SPDX-License-Identifier: MIT
// A child of vfork borrows the parent's memory: what it closes and opens must not change what the parent knows.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char bytes[100];
    int status;
    const int fd = open("data.bin", O_RDONLY);
    printf("before %zd\n", read(fd, bytes, 10));
    fflush(stdout);
    const pid_t child = vfork();
    if (child == 0) {
        close(fd);
        open("/dev/null", O_WRONLY);
        open("other.bin", O_CREAT | O_WRONLY, 0600);
        execlp("true", "true", (char*)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("after %zd at %ld, child ended with %d\n", read(fd, bytes, 20), (long)lseek(fd, 0, SEEK_CUR), WEXITSTATUS(status));
    return 0;
}
