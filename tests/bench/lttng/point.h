// SPDX-License-Identifier: MIT
// The two tracepoints of the comparison: what an I/O tracer on LTTng-UST would record around one read.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER flowgauge_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/bench/lttng/point.h"

#if !defined(FLOWGAUGE_BENCH_LTTNG_POINT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define FLOWGAUGE_BENCH_LTTNG_POINT_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(flowgauge_bench, enter, LTTNG_UST_TP_ARGS(int, fd, size_t, bytes),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, fd, fd) lttng_ust_field_integer(size_t, bytes, bytes)))
LTTNG_UST_TRACEPOINT_EVENT(flowgauge_bench, leave, LTTNG_UST_TP_ARGS(int, fd, long, got),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, fd, fd) lttng_ust_field_integer(long, got, got)))
#endif

#include <lttng/tracepoint-event.h>
