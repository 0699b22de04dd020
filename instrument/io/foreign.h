// SPDX-License-Identifier: MIT
#pragma once
#include <aio.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cstddef>
#include <ctime>

struct _IO_FILE;   // FILE
struct _G_fpos_t;  // fpos_t
struct _G_fpos64_t;
struct io_uring;

/// Declarations of hooked functions that no header gives to an injected room: the fortified twins, which compilers call by
/// themselves, the functions of libraries that need not be installed, and stdio, whose header is not welcome here.
extern "C" {
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
ssize_t __read_chk(int fd, void* into, std::size_t count, std::size_t room);
ssize_t __pread_chk(int fd, void* into, std::size_t count, off_t at, std::size_t room);
ssize_t __pread64_chk(int fd, void* into, std::size_t count, off64_t at, std::size_t room);

_IO_FILE* fopen(const char* path, const char* mode);
_IO_FILE* fopen64(const char* path, const char* mode);
_IO_FILE* freopen(const char* path, const char* mode, _IO_FILE* stream);
_IO_FILE* freopen64(const char* path, const char* mode, _IO_FILE* stream);
int fclose(_IO_FILE* stream);
std::size_t fread(void* into, std::size_t size, std::size_t count, _IO_FILE* stream);
std::size_t fread_unlocked(void* into, std::size_t size, std::size_t count, _IO_FILE* stream);
std::size_t __fread_chk(void* into, std::size_t room, std::size_t size, std::size_t count, _IO_FILE* stream);
std::size_t __fread_unlocked_chk(void* into, std::size_t room, std::size_t size, std::size_t count, _IO_FILE* stream);
char* fgets(char* into, int size, _IO_FILE* stream);
char* fgets_unlocked(char* into, int size, _IO_FILE* stream);
char* __fgets_chk(char* into, std::size_t room, int size, _IO_FILE* stream);
char* __fgets_unlocked_chk(char* into, std::size_t room, int size, _IO_FILE* stream);
ssize_t getline(char** into, std::size_t* room, _IO_FILE* stream);
ssize_t getdelim(char** into, std::size_t* room, int delimiter, _IO_FILE* stream);
ssize_t __getdelim(char** into, std::size_t* room, int delimiter, _IO_FILE* stream);
std::size_t fwrite(const void* from, std::size_t size, std::size_t count, _IO_FILE* stream);
std::size_t fwrite_unlocked(const void* from, std::size_t size, std::size_t count, _IO_FILE* stream);
int fseek(_IO_FILE* stream, long offset, int whence);
int fseeko(_IO_FILE* stream, off_t offset, int whence);
int fseeko64(_IO_FILE* stream, off64_t offset, int whence);
void rewind(_IO_FILE* stream);
int fsetpos(_IO_FILE* stream, const _G_fpos_t* position);
int fsetpos64(_IO_FILE* stream, const _G_fpos64_t* position);
/// Not hooked; asked by the hooks of streams.
off64_t ftello64(_IO_FILE* stream);
int fileno(_IO_FILE* stream) noexcept;

/// glibc 2.34; older headers lack them.
int close_range(unsigned first, unsigned last, int flags) noexcept;
void closefrom(int first) noexcept;

/// libaio hands the kernel's own structures around (its struct iocb has the layout of linux/aio_abi.h on 64-bit machines).
int io_submit(aio_context_t context, long count, iocb** requests);
int io_getevents(aio_context_t context, long least, long most, io_event* events, timespec* timeout);
int io_uring_submit(io_uring* ring);
}
