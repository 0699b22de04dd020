// SPDX-License-Identifier: MIT
/* Marks that a training program may set, so that a profile speaks of its epochs, steps and phases. Never needed.
 *
 * Header only, C99 and C++11, nothing to link. Where the program is not being profiled (and in a static one, which nothing can be
 * injected into) a call costs a load and a branch.
 *
 *     for (long long epoch = 0; epoch < epochs; ++epoch) {
 *         flowgauge_epoch_begin(epoch);
 *         ...
 *             flowgauge_step_begin(step);
 *             flowgauge_phase_begin(FLOWGAUGE_FORWARD);  ...  flowgauge_phase_end(FLOWGAUGE_FORWARD);
 *             flowgauge_step_end(step, batch_size);
 *         flowgauge_epoch_end(epoch, 0);
 *     }
 *
 * Marks belong to the thread that sets them: what one thread begins, the same thread ends. They nest; an end without its begin is
 * ignored, and counted. `samples` 0 means: what flowgauge_samples and the steps of this thread have added meanwhile. */
#ifndef FLOWGAUGE_H
#define FLOWGAUGE_H

#include <errno.h>
#include <stddef.h>

/* The phases that the analysis knows; any other text is a phase of its own. */
#define FLOWGAUGE_FORWARD "forward"
#define FLOWGAUGE_BACKWARD "backward"
#define FLOWGAUGE_OPTIMIZER "optimizer"
#define FLOWGAUGE_COMPUTE "compute"             /* forward, backward and optimizer count as compute too */
#define FLOWGAUGE_INPUT "input"                 /* waiting for data */
#define FLOWGAUGE_EVALUATION "evaluation"
#define FLOWGAUGE_CHECKPOINT "checkpoint"
#define FLOWGAUGE_SHUFFLE "shuffle"
#define FLOWGAUGE_COMMUNICATION "communication" /* by means that are not seen by themselves */

#ifdef __cplusplus
extern "C" {
#endif

/* What the injected library answers: it only ever grows at its end. */
struct flowgauge_marks {
    size_t size; /* bytes of the table that the library fills */
    void (*epoch_begin)(long long number);
    void (*epoch_end)(long long number, unsigned long long samples);
    void (*step_begin)(long long number);
    void (*step_end)(long long number, unsigned long long samples);
    void (*phase_begin)(const char* name);
    void (*phase_end)(const char* name);
    void (*samples)(unsigned long long count);
};

/* The question goes through confstr(3), with a number that no C library knows. A weak reference to a function of the library would
 * be the obvious way and does not work: linkers resolve it to 0 for good in an executable that is not position independent, and some
 * do in others; dlsym needs -ldl before glibc 2.34. confstr is in every C library since POSIX.2, is an ordinary undefined symbol
 * however the program is linked, and next to nobody calls it, so that standing in front of it harms nobody. The alias keeps
 * -std=c99 happy, where unistd.h does not declare it. */
#define FLOWGAUGE_MARKS_QUESTION 0x464c4f57
extern size_t flowgauge_ask_(int question, char* answer, size_t bytes) __asm__("confstr");

#ifdef __cplusplus
}
#endif

/* NOLINTBEGIN(modernize-use-nullptr,bugprone-sizeof-expression): C as well, and the pointer itself is what is asked for. */
/* The table, or NULL. Asked for once in each source file. */
static inline const struct flowgauge_marks* flowgauge_marks_(void)
{
    static const struct flowgauge_marks* table = NULL;
    static char asked = 0;
    if (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
        const int kept = errno;
        const struct flowgauge_marks* answer = NULL;
        if (flowgauge_ask_(FLOWGAUGE_MARKS_QUESTION, (char*)&answer, sizeof answer) != sizeof answer) answer = NULL;
        errno = kept;
        if (answer != NULL && answer->size < sizeof *answer) answer = NULL;
        __atomic_store_n(&table, answer, __ATOMIC_RELAXED);
        __atomic_store_n(&asked, (char)1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&table, __ATOMIC_RELAXED);
}
/* NOLINTEND(modernize-use-nullptr,bugprone-sizeof-expression) */

static inline void flowgauge_epoch_begin(long long number)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->epoch_begin(number);
}

static inline void flowgauge_epoch_end(long long number, unsigned long long samples)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->epoch_end(number, samples);
}

static inline void flowgauge_step_begin(long long number)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->step_begin(number);
}

static inline void flowgauge_step_end(long long number, unsigned long long samples)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->step_end(number, samples);
}

static inline void flowgauge_phase_begin(const char* name)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->phase_begin(name);
}

static inline void flowgauge_phase_end(const char* name)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->phase_end(name);
}

/* Adds to the open step and the open epoch of this thread. */
static inline void flowgauge_samples(unsigned long long count)
{
    const struct flowgauge_marks* const marks = flowgauge_marks_();
    if (marks) marks->samples(count);
}

#endif
