/* SPDX-License-Identifier: MIT */
/* The books of a small MPI program: what it did, by the sentences of collector/record/kinds.def, and which functions it called.
 * Written as JSON to $MPI_LEDGER.<rank>. */
#ifndef MPI_LEDGER_H
#define MPI_LEDGER_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const char* kind;
    long long count, bytes;
};
static struct entry entries[64];
static const char* called[512];
static int entry_count, called_count;

static inline void book(const char* kind, long long bytes)
{
    int i = 0;
    while (i < entry_count && strcmp(entries[i].kind, kind) != 0) ++i;
    if (i == entry_count) entries[entry_count++].kind = kind;
    ++entries[i].count;
    entries[i].bytes += bytes;
}

static inline int note_call(const char* name)
{
    for (int i = 0; i < called_count; ++i)
        if (strcmp(called[i], name) == 0) return 0;
    called[called_count++] = name;
    return 0;
}

/* Calls a function of MPI and notes that it was called. */
#define CALL(name, ...) (note_call(#name), name(__VA_ARGS__))

static inline void write_ledger(int rank)
{
    const char* base = getenv("MPI_LEDGER");
    char path[4096];
    if (!base) return;
    snprintf(path, sizeof path, "%s.%d", base, rank);
    FILE* file = fopen(path, "w");
    if (!file) exit(3);
    fprintf(file, "{\"kinds\": {");
    for (int i = 0; i < entry_count; ++i)
        fprintf(file, "%s\"%s\": [%lld, %lld]", i ? ", " : "", entries[i].kind, entries[i].count, entries[i].bytes);
    fprintf(file, "}, \"called\": [");
    for (int i = 0; i < called_count; ++i) fprintf(file, "%s\"%s\"", i ? ", " : "", called[i]);
    fprintf(file, "]}\n");
    fclose(file);
}

#endif
