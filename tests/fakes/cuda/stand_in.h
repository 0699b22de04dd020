// SPDX-License-Identifier: MIT
/* What the stand-ins of this folder say to each other. A STAND-IN is no GPU and no vendor's library: it has the vendor's file name and
 * the part of its binary interface that our tests need, and plays a script. What it "executes" is told by itself in a ledger, which a
 * test compares with what was recorded. */
#ifndef FLOWGAUGE_STAND_IN_H
#define FLOWGAUGE_STAND_IN_H

#include <stddef.h>
#include <stdint.h>

/* One thing the stand-in GPU does, handed from the stand-in driver to the stand-in CUPTI. */
struct stand_in_work {
    uint32_t kind; /* as CUpti_ActivityKind: 10 kernel, 1 copy, 22 peer copy, 2 fill, 51 graph */
    const char* name;
    uint64_t bytes;
    uint32_t direction; /* of a copy; the value of a fill; the number of a graph */
    uint32_t device, stream;
    uint64_t duration_ns;
};

/* What the stand-in CUPTI shows to the stand-in driver when it is loaded. */
struct stand_in_tracer {
    void (*initialized)(void);
    void (*context_created)(void);
    uint32_t (*work)(const struct stand_in_work* work); /* returns the correlation id */
    void (*call)(uint32_t domain, uint32_t id, uint32_t correlation, uint64_t begin, uint64_t end, int result);
    void (*synchronized)(uint32_t type, uint32_t stream, uint64_t begin, uint64_t end);
    void (*report)(void* file); /* FILE*: its part of the ledger */
};
void stand_in_register(const struct stand_in_tracer* tracer);

/* For programs: writes the ledger of everything the stand-ins did, as JSON. Returns 0, or -1. */
int stand_in_report(const char* path);

#endif
