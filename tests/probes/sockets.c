// SPDX-License-Identifier: MIT
// Makes every call of instrument/socket/socket_calls.def, rightly and wrongly, and prints what each answered and left in errno; then
// cancels a thread in accept: what the C library promises has to hold with a hook in front.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_in server = {.sin_family = AF_INET};

static void say(const char* what, int result) { printf("%s %s %s\n", what, result >= 0 ? "done" : "failed", result < 0 ? strerror(errno) : ""); }

static int listening(int flags)
{
    socklen_t length = sizeof server;
    const int fd = socket(AF_INET, SOCK_STREAM | flags, 0);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = 0;
    if (bind(fd, (struct sockaddr*)&server, sizeof server) != 0 || listen(fd, 4) != 0) perror("listen");
    getsockname(fd, (struct sockaddr*)&server, &length);
    return fd;
}

static void* waitForNobody(void* fd)
{
    accept(*(int*)fd, NULL, NULL);
    return NULL;
}

static void rightCalls(void)
{
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    const int at = listening(0);
    const int first = socket(AF_INET, SOCK_STREAM, 0), second = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    say("call connect", connect(first, (struct sockaddr*)&server, sizeof server));
    errno = 77;
    const int taken = accept(at, (struct sockaddr*)&peer, &length);
    printf("call accept %d %d errno %d\n", taken == second + 1, length == sizeof peer, errno);
    const int result = connect(second, (struct sockaddr*)&server, sizeof server);
    printf("connect that does not wait %d\n", result == 0 || errno == EINPROGRESS);
    const int other = accept4(at, NULL, NULL, SOCK_CLOEXEC);
    printf("call accept4 %d flags %d\n", other == taken + 1, fcntl(other, F_GETFD));
    say("connect again", connect(first, (struct sockaddr*)&server, sizeof server));
    printf("lowest free %d\n", dup(0) == other + 1);
}

static void wrongCalls(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "nobody"};
    const int quiet = listening(SOCK_NONBLOCK), lonely = listening(0);
    close(lonely);
    say("accept with nobody", accept(quiet, NULL, NULL));
    say("accept4 with wrong flags", accept4(quiet, NULL, NULL, 1));
    say("accept of no socket", accept(0, NULL, NULL));
    say("connect of nothing", connect(-1, (struct sockaddr*)&server, sizeof server));
    say("connect to nobody", connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)&server, sizeof server));
    say("connect to no address", connect(socket(AF_INET, SOCK_STREAM, 0), NULL, 16));
    say("connect by a name", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&name, sizeof name));
    say("connect of datagrams", connect(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr*)&server, sizeof server));
}

static void cancelled(void)
{
    int fd = listening(0);
    pthread_t thread;
    void* result;
    pthread_create(&thread, NULL, waitForNobody, &fd);
    usleep(50000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("accept %s\n", result == PTHREAD_CANCELED ? "cancelled" : "returned");
}

int main(int count, char** arguments)
{
    char byte;
    const int data = open(count > 1 ? arguments[1] : "data.bin", O_RDONLY);
    if (read(data, &byte, 1) != 1) return 1;
    rightCalls();
    wrongCalls();
    cancelled();
    return 0;
}
