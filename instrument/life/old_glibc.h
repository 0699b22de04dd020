// SPDX-License-Identifier: MIT
// Put in front of every file of the injected rooms by the compiler (-include). A program image built on a new C library asks
// for the newest version of each symbol, and an older host then refuses to load it. These names moved into libc, or got a new
// version, after 2.28; asking for the old version works everywhere (new C libraries keep it for old programs). The sanitizers
// stand in front of the plain names, so they get those.
#pragma once
#if defined(__has_feature)
#define FLOWGAUGE_HAS_FEATURE(name) __has_feature(name)
#else
#define FLOWGAUGE_HAS_FEATURE(name) 0
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !FLOWGAUGE_HAS_FEATURE(address_sanitizer) && \
    !FLOWGAUGE_HAS_FEATURE(thread_sanitizer)
#define FLOWGAUGE_OLD(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5");
FLOWGAUGE_OLD(dladdr)
FLOWGAUGE_OLD(dlclose)
FLOWGAUGE_OLD(dlerror)
FLOWGAUGE_OLD(dlopen)
FLOWGAUGE_OLD(dlsym)
FLOWGAUGE_OLD(pthread_create)
FLOWGAUGE_OLD(pthread_detach)
FLOWGAUGE_OLD(pthread_getspecific)
FLOWGAUGE_OLD(pthread_join)
FLOWGAUGE_OLD(pthread_key_create)
FLOWGAUGE_OLD(pthread_key_delete)
FLOWGAUGE_OLD(pthread_kill)
FLOWGAUGE_OLD(pthread_once)
FLOWGAUGE_OLD(pthread_setspecific)
FLOWGAUGE_OLD(pthread_sigmask)
FLOWGAUGE_OLD(sem_destroy)
FLOWGAUGE_OLD(sem_post)
FLOWGAUGE_OLD(sem_wait)
#undef FLOWGAUGE_OLD
__asm__(".symver dladdr1,dladdr1@GLIBC_2.3.3");
__asm__(".symver pthread_attr_setstacksize,pthread_attr_setstacksize@GLIBC_2.2.5");
__asm__(".symver pthread_setname_np,pthread_setname_np@GLIBC_2.12");
__asm__(".symver pthread_setaffinity_np,pthread_setaffinity_np@GLIBC_2.3.4");
#endif
#undef FLOWGAUGE_HAS_FEATURE
