// SPDX-License-Identifier: MIT
// Both sides of TCP connections in one process, over loopback, and a book of what was written and read by each:
//
//     tcp_books FILE ADDRESS SHORT
//
// Reads a byte of FILE first, so that the process records. Over ADDRESS (127.0.0.1, ::1, ::ffff:127.0.0.1) it makes SHORT connections
// that live for one message, one that lives on for some time, one whose descriptor is duplicated and closed, one by a connect that does
// not wait, and one that a forked child serves. Prints a line a side: "LOCAL PEER WRITTEN READ", the child's lines too.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1 << 16];
static struct sockaddr_storage server;
static socklen_t serverLength;
static int listening;

static void die(const char* what)
{
    perror(what);
    exit(1);
}

static void printAddress(const struct sockaddr_storage* address)
{
    char text[INET6_ADDRSTRLEN];
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in* const ipv4 = (const struct sockaddr_in*)address;
        printf("%s:%d ", inet_ntop(AF_INET, &ipv4->sin_addr, text, sizeof text), ntohs(ipv4->sin_port));
        return;
    }
    const struct sockaddr_in6* const ipv6 = (const struct sockaddr_in6*)address;
    inet_ntop(AF_INET6, &ipv6->sin6_addr, text, sizeof text);
    if (strncmp(text, "::ffff:", 7) == 0)
        printf("%s:%d ", text + 7, ntohs(ipv6->sin6_port));
    else
        printf("[%s]:%d ", text, ntohs(ipv6->sin6_port));
}

static void book(int fd, long written, long got)
{
    struct sockaddr_storage own, peer;
    socklen_t length = sizeof own;
    if (getsockname(fd, (struct sockaddr*)&own, &length) != 0) die("getsockname");
    length = sizeof peer;
    if (getpeername(fd, (struct sockaddr*)&peer, &length) != 0) die("getpeername");
    printAddress(&own);
    printAddress(&peer);
    printf("%ld %ld\n", written, got);
    fflush(stdout);
}

static void sendAll(int fd, long count)
{
    while (count > 0) {
        const ssize_t put = write(fd, bytes, count < (long)sizeof bytes ? (size_t)count : sizeof bytes);
        if (put <= 0) die("write");
        count -= put;
    }
}
static void takeAll(int fd, long count)
{
    while (count > 0) {
        const ssize_t got = read(fd, bytes, count < (long)sizeof bytes ? (size_t)count : sizeof bytes);
        if (got <= 0) die("read");
        count -= got;
    }
}

static int connected(int flags)
{
    const int fd = socket(server.ss_family, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (connect(fd, (struct sockaddr*)&server, serverLength) != 0 && errno != EINPROGRESS) die("connect");
    return fd;
}
static int taken(void)
{
    const int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) die("accept4");
    return fd;
}

/// One message each way, then both sides close.
static void converse(int client, int at, long asked, long answered)
{
    sendAll(client, asked);
    takeAll(at, asked);
    sendAll(at, answered);
    takeAll(client, answered);
    book(client, asked, answered);
    book(at, answered, asked);
}

static void shortOnes(int count)
{
    for (int i = 0; i < count; ++i) {
        const int client = connected(0), at = taken();
        converse(client, at, 100 + i, 5000 + i);
        close(client);
        close(at);
    }
}

static void longOne(void)
{
    const int client = connected(0), at = taken();
    for (int i = 0; i < 10; ++i) {
        sendAll(client, 50000);
        takeAll(at, 50000);
        usleep(50000);
    }
    book(client, 500000, 0);
    book(at, 0, 500000);
    close(client);
    close(at);
}

/// The number that connected is closed before anything is sent; the copy goes on and is closed by dup2 over it.
static void duplicatedOne(void)
{
    const int client = connected(0), copy = dup(client), at = taken();
    close(client);
    converse(copy, at, 70000, 30000);
    dup2(listening, copy);
    close(copy);
    close(at);
}

static void eagerOne(void)
{
    const int client = connected(SOCK_NONBLOCK), at = accept(listening, NULL, NULL);
    struct pollfd ready = {client, POLLOUT, 0};
    poll(&ready, 1, 5000);
    fcntl(client, F_SETFL, 0);
    converse(client, at, 12345, 54321);
    close(client);
    close(at);
}

/// The parent accepts and closes; the child, which records as well, answers, and ends without closing.
static void forkedOne(const char* file)
{
    const int client = connected(0), at = taken();
    const pid_t child = fork();
    if (child == 0) {
        const int fd = open(file, O_RDONLY);
        if (read(fd, bytes, 1) != 1) _exit(1);
        close(client);
        sendAll(at, 200000);
        book(at, 200000, 0);
        exit(0);
    }
    close(at);
    takeAll(client, 200000);
    book(client, 0, 200000);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) exit(1);
    close(client);
}

int main(int count, char** arguments)
{
    if (count < 4) return 2;
    const int file = open(arguments[1], O_RDONLY);
    if (file < 0 || read(file, bytes, 1) != 1) die(arguments[1]);
    close(file);
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    const int isIpv4 = inet_pton(AF_INET, arguments[2], &ipv4.sin_addr) == 1;
    if (!isIpv4 && inet_pton(AF_INET6, arguments[2], &ipv6.sin6_addr) != 1) return 2;
    serverLength = isIpv4 ? sizeof ipv4 : sizeof ipv6;
    memcpy(&server, isIpv4 ? (void*)&ipv4 : (void*)&ipv6, serverLength);
    listening = socket(server.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listening, (struct sockaddr*)&server, serverLength) != 0 || listen(listening, 16) != 0) die("listen");
    getsockname(listening, (struct sockaddr*)&server, &serverLength);
    shortOnes(atoi(arguments[3]));
    longOne();
    duplicatedOne();
    eagerOne();
    forkedOne(arguments[1]);
    return 0;
}
