// SPDX-License-Identifier: MIT
/* STAND-IN for libcupti: replays what the stand-in driver did as activity records of the real binary layout. Built once for each version
 * (STAND_IN_CUPTI: 112, 118, 124, 130, and 999 for one that does not exist yet and whose records are longer still).
 *
 * STAND_IN_SCRIPT: words, comma separated.
 *   subscribe=39   cuptiSubscribe answers that           hang        cuptiActivityFlushAll never returns
 *   slow=50        a flush takes so many ms              small=4096  of each buffer only so many bytes are used
 *   drop=5         claims to have dropped so many        fatal       after the third flush CUPTI takes itself down
 *   zero=10        every tenth kernel has no times       ends=10     every tenth kernel ends before it begins
 *   future=10      every tenth kernel is 1e14 ns off     running     the last kernel has no end until a forced flush
 *   unknown=10     behind every tenth kernel a record of a kind that no walker knows
 *   backwards      buffers are completed in reverse      late=20     completions come so many ms after the flush has returned
 *   cycles         time stamps in a domain of their own: twice CLOCK_MONOTONIC, shifted
 *   overhead=500   each flush reports so many ms of instrumentation
 *   null           every fifth kernel has no name */
#define _GNU_SOURCE
#include "tests/fakes/cuda/stand_in.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

typedef void (*request_function)(uint8_t**, size_t*, size_t*);
typedef void (*complete_function)(void*, uint32_t, uint8_t*, size_t, size_t);
typedef void (*callback_function)(void*, uint32_t, uint32_t, const void*);

#if STAND_IN_CUPTI == 112
enum {
    version = 14,
    kernel_bytes = 168,
    copy_bytes_ = 80,
    fill_bytes_ = 80,
    peer_bytes = 88,
    overhead_bytes = 40,
    sync_bytes = 40,
    graph_bytes = 0,
    no_driver = 15
};
#elif STAND_IN_CUPTI == 118
enum {
    version = 18,
    kernel_bytes = 200,
    copy_bytes_ = 88,
    fill_bytes_ = 88,
    peer_bytes = 96,
    overhead_bytes = 40,
    sync_bytes = 40,
    graph_bytes = 48,
    no_driver = 15
};
#elif STAND_IN_CUPTI == 124
enum {
    version = 22,
    kernel_bytes = 208,
    copy_bytes_ = 88,
    fill_bytes_ = 88,
    peer_bytes = 96,
    overhead_bytes = 56,
    sync_bytes = 40,
    graph_bytes = 56,
    no_driver = 15
};
#elif STAND_IN_CUPTI == 130
enum {
    version = 130001,
    kernel_bytes = 216,
    copy_bytes_ = 96,
    fill_bytes_ = 88,
    peer_bytes = 96,
    overhead_bytes = 56,
    sync_bytes = 56,
    graph_bytes = 56,
    no_driver = 999
};
#else
enum {
    version = 149900,
    kernel_bytes = 232,
    copy_bytes_ = 104,
    fill_bytes_ = 96,
    peer_bytes = 104,
    overhead_bytes = 64,
    sync_bytes = 64,
    graph_bytes = 64,
    no_driver = 999
};
#endif

struct full {
    uint8_t* buffer;
    size_t bytes, valid;
    char* names; /* where the texts lay that its kernels point to */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static request_function request;
static complete_function complete;
static callback_function callback;
static void* callback_user;
static int subscribed, enabled[64];
static uint8_t* current;
static size_t current_bytes, current_valid, names_used;
static char* names;
enum { names_room = 1 << 20, most_full = 4096 };
static struct full queue[most_full];
static unsigned queued;
static uint32_t correlation;
static uint64_t emitted[64], refused, made, flushes, running_start;
static struct stand_in_work running;
static uint64_t (*timestamp_callback)(void);

static const char* script(const char* word)
{
    const char* const all = getenv("STAND_IN_SCRIPT");
    const size_t length = strlen(word);
    for (const char* at = all ? strstr(all, word) : NULL; at; at = strstr(at + 1, word))
        if ((at == all || at[-1] == ',') && (at[length] == '=' || at[length] == ',' || at[length] == '\0'))
            return at + length + (at[length] == '=');
    return NULL;
}
static long number(const char* word) { return script(word) ? atol(script(word)) : 0; }
static int each(const char* word) { return number(word) > 0 && made % (uint64_t)number(word) == 0; }

static uint64_t clock_ns(clockid_t id)
{
    struct timespec at;
    clock_gettime(id, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}
static uint64_t now(void)
{
    if (timestamp_callback) return timestamp_callback();
    return script("cycles") ? clock_ns(CLOCK_MONOTONIC) * 2 + 123456789 : clock_ns(CLOCK_REALTIME);
}
static uint64_t units(uint64_t ns) { return script("cycles") ? ns * 2 : ns; }

static size_t bytes_of(uint32_t kind)
{
    switch (kind) {
        case 1:
            return copy_bytes_;
        case 2:
            return fill_bytes_;
        case 3:
        case 10:
            return kernel_bytes;
        case 4:
        case 5:
            return 40;
        case 17:
            return overhead_bytes;
        case 22:
            return peer_bytes;
        case 38:
            return sync_bytes;
        case 51:
            return graph_bytes;
        default:
            return 0;
    }
}

static void put(uint8_t* record, size_t at, size_t width, uint64_t value) { memcpy(record + at, &value, width); }

static void finish_current(void)
{
    if (!current) return;
    queue[queued++] = (struct full){current, current_bytes, current_valid, names};
    current = NULL, names = NULL;
}

/* Hands over what is full. The texts are spoiled once the handler has returned: they belong to modules, which may be unloaded. */
static void deliver(void)
{
    while (queued > 0) {
        struct full full;
        if (script("backwards"))
            full = queue[--queued];
        else
            full = queue[0], memmove(queue, queue + 1, --queued * sizeof *queue);
        pthread_mutex_unlock(&lock);
        complete(NULL, 0, full.buffer, full.bytes, full.valid);
        pthread_mutex_lock(&lock);
        if (full.names) memset(full.names, 'X', names_room);
        free(full.names);
    }
}

/* Room for a record of that size, or NULL. The lock is held; it is let go while the program's handler is asked. */
static uint8_t* take(size_t bytes)
{
    if (!request || !complete || bytes == 0) return NULL;
    const size_t room = number("small") ? (size_t)number("small") : current_bytes;
    if (current && (current_valid + bytes > room || names_used + 512 > names_room)) {
        finish_current();
        deliver();
    }
    if (!current) {
        uint8_t* given = NULL;
        size_t size = 0, most = 0;
        pthread_mutex_unlock(&lock);
        request(&given, &size, &most);
        pthread_mutex_lock(&lock);
        if (!given) {
            fprintf(stderr, "stand-in CUPTI: a null buffer, on which the real one before 12.9 crashes\n");
            abort();
        }
        if (current) finish_current(); /* another thread was quicker */
        current = given, current_bytes = size, current_valid = 0;
        names = malloc(names_room), names_used = 0;
    }
    uint8_t* const record = current + current_valid;
    memset(record, 0xA5, bytes); /* fields that nobody fills must not be taken for zeros */
    current_valid += bytes;
    return record;
}

static const char* kept(const char* text)
{
    char* const at = names + names_used;
    names_used += (size_t)snprintf(at, 512, "%s", text) + 1;
    return at;
}

static void emit(const struct stand_in_work* work, uint64_t start, uint64_t end, uint32_t id)
{
    uint8_t* const record = take(bytes_of(work->kind));
    if (!record) return;
    emitted[work->kind]++;
    put(record, 0, 4, work->kind);
    const int graph = work->kind == 51;
    put(record, graph ? 8 : 16, 8, start);
    put(record, graph ? 16 : 24, 8, end);
    if (work->kind == 10) {
        put(record, 40, 4, work->device), put(record, 44, 4, work->device + 1), put(record, 48, 4, work->stream), put(record, 92, 4, id);
        put(record, 104, 8, script("null") && made % 5 == 0 ? 0 : (uint64_t)(uintptr_t)kept(work->name));
    } else if (graph) {
        put(record, 4, 4, id), put(record, 24, 4, work->device), put(record, 28, 4, work->direction), put(record, 32, 4, work->device + 1);
        put(record, 36, 4, work->stream);
    } else {
        put(record, 4, work->kind == 2 ? 4 : 1, work->direction), put(record, 8, 8, work->bytes);
        put(record, 32, 4, work->device), put(record, 36, 4, work->device + 1), put(record, 40, 4, work->stream);
        put(record, work->kind == 22 ? 60 : 44, 4, id);
    }
    if (work->kind == 10 && each("unknown")) put(take(64), 0, 4, 900), emitted[0]++;
}

static uint32_t on_work(const struct stand_in_work* work)
{
    pthread_mutex_lock(&lock);
    const uint32_t id = ++correlation;
    if (work->kind < 64 && enabled[work->kind]) {
        uint64_t start = now(), end = start + units(work->duration_ns);
        if (work->kind == 10) {
            made++;
            if (each("zero"))
                start = end = 0, refused++;
            else if (each("ends"))
                end = start - 1, refused++;
            else if (each("future"))
                start += 100000000000000u, end += 100000000000000u, refused++;
        }
        if (work->kind == 10 && script("running")) {
            if (running.kind) emit(&running, running_start, running_start + units(running.duration_ns), id - 1);
            running = *work, running_start = start;
        } else
            emit(work, start, end, id);
    }
    pthread_mutex_unlock(&lock);
    return id;
}

static void on_call(uint32_t domain, uint32_t id, uint32_t tie, uint64_t begin, uint64_t end, int result)
{
    const uint32_t kind = domain == 1 ? 4 : 5;
    pthread_mutex_lock(&lock);
    uint8_t* const record = enabled[kind] ? take(40) : NULL;
    if (record) {
        emitted[kind]++;
        put(record, 0, 4, kind), put(record, 4, 4, id), put(record, 8, 8, begin), put(record, 16, 8, end);
        put(record, 24, 4, (uint64_t)getpid()), put(record, 28, 4, (uint64_t)syscall(SYS_gettid)), put(record, 32, 4, tie);
        put(record, 36, 4, (uint64_t)result);
    }
    pthread_mutex_unlock(&lock);
}

static void on_synchronized(uint32_t type, uint32_t stream, uint64_t begin, uint64_t end)
{
    pthread_mutex_lock(&lock);
    uint8_t* const record = enabled[38] ? take(sync_bytes) : NULL;
    if (record) {
        emitted[38]++;
        put(record, 0, 4, 38), put(record, 4, 4, type), put(record, 8, 8, begin), put(record, 16, 8, end), put(record, 24, 4, 0);
        put(record, 28, 4, 1), put(record, 32, 4, stream);
    }
    pthread_mutex_unlock(&lock);
}

static void call_back(uint32_t domain, uint32_t id)
{
    if (subscribed && callback) callback(callback_user, domain, id, NULL);
}
static void on_initialized(void) { call_back(3, 5); }
static void on_context(void) { call_back(3, 1); }

static void on_report(void* file)
{
    fprintf(file, ", \"cupti\": %d, \"subscribed\": %d, \"refused\": %lu, \"unknown\": %lu, \"flushes\": %lu", version, subscribed,
            (unsigned long)refused, (unsigned long)emitted[0], (unsigned long)flushes);
    fprintf(file,
            ", \"kernel_records\": %lu, \"copy_records\": %lu, \"fill_records\": %lu, \"call_records\": %lu, \"graph_records\": %lu, "
            "\"sync_records\": %lu",
            (unsigned long)emitted[10], (unsigned long)(emitted[1] + emitted[22]), (unsigned long)emitted[2],
            (unsigned long)(emitted[4] + emitted[5]), (unsigned long)emitted[51], (unsigned long)emitted[38]);
}

/* Whichever of the two is loaded later finds the other: the driver asks for this, or is told. */
static const struct stand_in_tracer mine = {on_initialized, on_context, on_work, on_call, on_synchronized, on_report};
SHOWN const struct stand_in_tracer* cupti_stand_in(void) { return &mine; }
__attribute__((constructor)) static void loaded(void)
{
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void (*const tell)(const struct stand_in_tracer*) =
        driver ? (void (*)(const struct stand_in_tracer*))dlsym(driver, "stand_in_register") : NULL;
    if (tell) tell(&mine);
}

static int driver_is_here(void) { return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) != NULL; }

SHOWN int cuptiGetVersion(uint32_t* into) { return *into = version, 0; }
SHOWN int cuptiGetTimestamp(uint64_t* into) { return *into = now(), 0; }
SHOWN int cuptiGetCallbackName(uint32_t domain, uint32_t id, const char** name)
{
    *name = domain == 1 && id == 307   ? "cuLaunchKernel"
            : domain == 1 && id == 277 ? "cuMemcpyHtoDAsync_v2"
            : domain == 1 && id == 279 ? "cuMemcpyDtoHAsync_v2"
                                       : "?";
    return 0;
}
SHOWN int cuptiSubscribe(void** subscriber, callback_function function, void* user)
{
    if (!driver_is_here()) return no_driver;
    if (script("subscribe")) return (int)number("subscribe");
    if (subscribed) return 39;
    subscribed = 1, callback = function, callback_user = user;
    return *subscriber = &subscribed, 0;
}
#if STAND_IN_CUPTI >= 130
struct parameters {
    size_t bytes;
    const char* name;
    char* holder;
    size_t holder_bytes;
};
SHOWN int cuptiSubscribe_v2(void** subscriber, callback_function function, void* user, struct parameters* parameters)
{
    const int status = cuptiSubscribe(subscriber, function, user);
    if (status == 39 && parameters->holder) snprintf(parameters->holder, parameters->holder_bytes, "another stand-in");
    return status;
}
#endif
SHOWN int cuptiUnsubscribe(void* subscriber)
{
    if (subscriber != &subscribed || !subscribed) return 1;
    return subscribed = 0, callback = NULL, 0;
}
SHOWN int cuptiFinalize(void)
{
    subscribed = 0;
    request = NULL, complete = NULL;
    memset(enabled, 0, sizeof enabled);
    return 0;
}
SHOWN int cuptiEnableCallback(uint32_t on, void* subscriber, uint32_t domain, uint32_t id)
{
    (void)on, (void)domain, (void)id;
    return subscriber == &subscribed ? 0 : 1;
}
SHOWN int cuptiActivityRegisterCallbacks(request_function asks, complete_function takes) { return request = asks, complete = takes, 0; }
SHOWN int cuptiActivityRegisterTimestampCallback(uint64_t (*function)(void)) { return timestamp_callback = function, 0; }
SHOWN int cuptiActivityEnable(uint32_t kind)
{
    if (!driver_is_here()) return no_driver;
    if (kind >= 64 || bytes_of(kind) == 0) return 21;
    return enabled[kind] = 1, 0;
}
SHOWN int cuptiActivityDisable(uint32_t kind) { return kind < 64 ? (enabled[kind] = 0, 0) : 21; }
SHOWN int cuptiActivitySetAttribute(int attribute, size_t* bytes, void* value) { return (void)attribute, (void)value, *bytes == 1 ? 0 : 1; }
SHOWN int cuptiSetThreadIdType(uint32_t type) { return type == 1 ? 0 : 1; }
SHOWN int cuptiActivityGetNumDroppedRecords(void* context, uint32_t stream, size_t* dropped)
{
    (void)context, (void)stream;
    static int told;
    *dropped = told ? 0 : (size_t)number("drop");
    return told = 1, 0;
}

SHOWN int cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, uint8_t** record)
{
    uint32_t kind;
    if (!buffer) return 1;
    uint8_t* at = buffer;
    if (*record) {
        memcpy(&kind, *record, 4);
        at = *record + bytes_of(kind);
    }
    if (at + 8 > buffer + valid) return 12;
    memcpy(&kind, at, 4);
    if (bytes_of(kind) == 0) return STAND_IN_CUPTI == 118 ? 999 : 21;
    if (at + bytes_of(kind) > buffer + valid) return 12;
    return *record = at, 0;
}

static void wait_ms(long ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

static void* deliver_late(void* nothing)
{
    wait_ms(number("late"));
    pthread_mutex_lock(&lock);
    deliver();
    pthread_mutex_unlock(&lock);
    return nothing;
}

SHOWN int cuptiActivityFlushAll(uint32_t flag)
{
    if (!driver_is_here()) return no_driver;
    while (script("hang")) pause();
    if (number("slow")) wait_ms(number("slow"));
    pthread_mutex_lock(&lock);
    if (number("overhead") && enabled[17]) {
        const uint64_t at = now();
        uint8_t* const record = take(overhead_bytes);
        if (record)
            put(record, 0, 4, 17), put(record, 4, 4, 2 << 16), put(record, 24, 8, at - (uint64_t)number("overhead") * 1000000u),
                put(record, 32, 8, at);
    }
    if (flag == 1 && running.kind) emit(&running, running_start, 0, correlation), running.kind = 0;
    finish_current();
    const int fatal = ++flushes == 3 && script("fatal") != NULL;
    pthread_t thread;
    if (number("late") && pthread_create(&thread, NULL, deliver_late, NULL) == 0)
        pthread_detach(thread);
    else
        deliver();
    pthread_mutex_unlock(&lock);
    if (fatal) call_back(6, 1);
    return 0;
}
