// SPDX-License-Identifier: MIT
// A read-only file system whose data come over TCP: remote storage for hosts that are namespaces of one machine. Names and sizes are looked
// up in the folder itself, which all of them see; every byte of a file crosses the wire. The kernel caches nothing (direct_io).
//
//   wire_fs serve FOLDER PORT                     answers on all addresses; prints "serving" when it does
//   wire_fs mount FOLDER MOUNTPOINT ADDRESS PORT  runs in the foreground; unmount with fusermount3 -u MOUNTPOINT
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include "tests/e2e/programs/shown_folder.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONGEST_PATH = 2048, LARGEST_READ = 1 << 20 };

struct Request {
    uint64_t offset;
    uint32_t size, pathLength;
};

static int server;
static pthread_mutex_t oneAtATime = PTHREAD_MUTEX_INITIALIZER;

static int receiveAll(int fd, void* into, size_t size)
{
    return recv(fd, into, size, MSG_WAITALL) == (ssize_t)size ? 0 : -EIO;
}

static int sendAll(int fd, const void* from, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        const ssize_t more = send(fd, (const char*)from + sent, size - sent, MSG_NOSIGNAL);
        if (more <= 0) return -EIO;
        sent += (size_t)more;
    }
    return 0;
}

static void setUndelayed(int fd)
{
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int64_t readPart(const char* path, const struct Request* request, char* into)
{
    char place[4096];
    if (placeOf(place, sizeof place, path) != 0) return -ENAMETOOLONG;
    const int fd = open(place, O_RDONLY);
    if (fd < 0) return -errno;
    const ssize_t got = pread(fd, into, request->size, (off_t)request->offset);
    const int64_t result = got < 0 ? -errno : got;
    close(fd);
    return result;
}

static void answerAll(int client)
{
    static char path[LONGEST_PATH + 1], data[LARGEST_READ];
    struct Request request;
    while (receiveAll(client, &request, sizeof request) == 0) {
        if (request.pathLength > LONGEST_PATH || request.size > LARGEST_READ) return;
        if (receiveAll(client, path, request.pathLength) != 0) return;
        path[request.pathLength] = '\0';
        const int64_t got = readPart(path, &request, data);
        if (sendAll(client, &got, sizeof got) != 0 || (got > 0 && sendAll(client, data, (size_t)got) != 0)) return;
    }
}

static int serve(int port)
{
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_in all = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (bind(listener, (const struct sockaddr*)&all, sizeof all) != 0 || listen(listener, 16) != 0) return perror("wire_fs"), 1;
    signal(SIGCHLD, SIG_IGN);
    puts("serving");
    fflush(stdout);
    for (;;) {
        const int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        if (fork() == 0) {
            setUndelayed(client);
            answerAll(client);
            _exit(0);
        }
        close(client);
    }
}

static int wireOpen(const char* path, struct fuse_file_info* file)
{
    (void)path;
    if ((file->flags & O_ACCMODE) != O_RDONLY) return -EROFS;
    file->direct_io = 1;
    return 0;
}

static int askFor(const char* path, const struct Request* request, char* into)
{
    int64_t got = -EIO;
    if (sendAll(server, request, sizeof *request) != 0 || sendAll(server, path, request->pathLength) != 0) return -EIO;
    if (receiveAll(server, &got, sizeof got) != 0 || (got > 0 && receiveAll(server, into, (size_t)got) != 0)) return -EIO;
    return (int)got;
}

static int wireRead(const char* path, char* into, size_t size, off_t offset, struct fuse_file_info* file)
{
    (void)file;
    const struct Request request = {(uint64_t)offset, (uint32_t)(size < LARGEST_READ ? size : LARGEST_READ), (uint32_t)strlen(path)};
    if (request.pathLength > LONGEST_PATH) return -ENAMETOOLONG;
    pthread_mutex_lock(&oneAtATime);
    const int got = askFor(path, &request, into);
    pthread_mutex_unlock(&oneAtATime);
    return got;
}

static int mountAt(char* program, char* mountPoint, const char* address, int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (inet_pton(AF_INET, address, &to.sin_addr) != 1 || connect(server, (const struct sockaddr*)&to, sizeof to) != 0)
        return perror("wire_fs"), 1;
    setUndelayed(server);
    static const struct fuse_operations operations = {.getattr = shownGetattr, .readdir = shownReaddir, .open = wireOpen, .read = wireRead};
    return showAt(program, mountPoint, &operations);
}

int main(int argc, char** argv)
{
    shownFolder = argc > 2 ? realpath(argv[2], NULL) : NULL;
    if (shownFolder != NULL && argc == 4 && strcmp(argv[1], "serve") == 0) return serve(atoi(argv[3]));
    if (shownFolder != NULL && argc == 6 && strcmp(argv[1], "mount") == 0) return mountAt(argv[0], argv[3], argv[4], atoi(argv[5]));
    fprintf(stderr, "usage: wire_fs serve FOLDER PORT | mount FOLDER MOUNTPOINT ADDRESS PORT\n");
    return 2;
}
