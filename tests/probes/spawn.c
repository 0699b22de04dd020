// SPDX-License-Identifier: MIT
// posix_spawn with file actions: a child whose standard input is the data file.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

int main(void)
{
    char bytes[100];
    char* const command[] = {"head", "-c", "5", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    const int fd = open("data.bin", O_RDONLY);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd, 0);
    if (posix_spawnp(&child, "head", &actions, NULL, command, environ) != 0) return 1;
    waitpid(child, &status, 0);
    printf("child ended with %d, position %ld, read %zd\n", WEXITSTATUS(status), (long)lseek(fd, 0, SEEK_CUR), read(fd, bytes, 30));
    return 0;
}
