// SPDX-License-Identifier: MIT
/* STAND-IN for libnvidia-ml.so.1: two GPUs whose readings follow from their number and from how often they were asked.
 *
 * STAND_IN_NVML: words, comma separated. init=9 (what nvmlInit answers), old (no GPM, no PCIe counters), mig (no utilisation, GPM refused),
 * lost (from the third reading on the first GPU answers 15), slots=333 (GPM writes as many entries as the newest header has), nvlink (joins
 * the two GPUs). */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

struct device {
    unsigned index, asked;
};
static struct device devices[2] = {{0, 0}, {1, 0}};
static int users;

static int says(const char* word)
{
    const char* const all = getenv("STAND_IN_NVML");
    return all != NULL && strstr(all, word) != NULL;
}
static int refused(const struct device* device) { return says("lost") && device->index == 0 && device->asked > 2 ? 15 : 0; }

SHOWN int nvmlInit_v2(void)
{
    const char* const all = getenv("STAND_IN_NVML");
    const char* const code = all != NULL ? strstr(all, "init=") : NULL;
    if (code != NULL) return atoi(code + 5);
    if (users == 0) devices[0].asked = devices[1].asked = 0;
    return ++users, 0;
}
SHOWN int nvmlShutdown(void) { return --users, 0; }
SHOWN int stand_in_nvml_users(void) { return users; }
SHOWN int nvmlDeviceGetCount_v2(unsigned* count) { return *count = 2, users > 0 ? 0 : 1; }
SHOWN int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct device** device) { return index < 2 ? (*device = &devices[index], 0) : 2; }
SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, struct device** device)
{
    return nvmlDeviceGetHandleByIndex_v2((unsigned)atoi(bus + sizeof "0000:" - 1), device) == 0 ? 0 : 6;
}
SHOWN int nvmlDeviceGetP2PStatus(struct device* one, struct device* other, int capability, int* status)
{
    return *status = says("nvlink") ? 0 : 5, one == other || capability != 2 ? 2 : 0;
}
SHOWN int nvmlDeviceGetUUID(struct device* device, char* text, unsigned room)
{
    return snprintf(text, room, "GPU-stand-in-%u", device->index), 0;
}
SHOWN int nvmlDeviceGetName(struct device* device, char* text, unsigned room)
{
    return (void)device, snprintf(text, room, "Stand-in GPU"), 0;
}
SHOWN int nvmlDeviceGetUtilizationRates(struct device* device, unsigned* rates)
{
    ++device->asked;
    if (says("mig")) return 3;
    return rates[0] = 50 + device->index, rates[1] = 20 + device->index, refused(device);
}
SHOWN int nvmlDeviceGetMemoryInfo(struct device* device, unsigned long long* info)
{
    return info[0] = 1000000, info[1] = 400000, info[2] = 600000 + device->index, refused(device);
}
SHOWN int nvmlDeviceGetPowerUsage(struct device* device, unsigned* mw) { return *mw = 300000 + device->asked, refused(device); }
SHOWN int nvmlDeviceGetTotalEnergyConsumption(struct device* device, unsigned long long* mj)
{
    return *mj = 1000ull * device->asked, refused(device);
}
SHOWN int nvmlDeviceGetTemperature(struct device* device, int sensor, unsigned* degrees)
{
    return *degrees = 60, sensor == 0 ? refused(device) : 2;
}
SHOWN int nvmlDeviceGetClockInfo(struct device* device, int clock, unsigned* mhz)
{
    return *mhz = 1000u * (unsigned)clock, refused(device);
}
SHOWN int nvmlDeviceGetCurrentClocksThrottleReasons(struct device* device, unsigned long long* reasons)
{
    return *reasons = 4, refused(device);
}

/* The second GPU sits in a narrow slot. */
SHOWN int nvmlDeviceGetCurrPcieLinkGeneration(struct device* device, unsigned* generation) { return *generation = 4, refused(device); }
SHOWN int nvmlDeviceGetCurrPcieLinkWidth(struct device* device, unsigned* lanes)
{
    return *lanes = device->index == 0 ? 16 : 8, refused(device);
}

struct field {
    uint32_t id, scope;
    int64_t timestamp, latency;
    int32_t type, status;
    uint64_t value;
};
SHOWN int nvmlDeviceGetFieldValues(struct device* device, int count, struct field* fields)
{
    for (int i = 0; i < count; ++i) {
        const int pcie = fields[i].id == 197 || fields[i].id == 198, nvlink = fields[i].id == 138 || fields[i].id == 139;
        const int rate = fields[i].id == 90 || fields[i].id == 91;
        fields[i].status = (pcie && !says("old")) || (nvlink && fields[i].scope == UINT32_MAX) || (rate && device->index == 0) ? 0 : 2;
        fields[i].type = pcie ? 3 : 1;
        /* An unsigned value fills 4 bytes; what lies beside it is not its own. */
        if (rate)
            fields[i].value = fields[i].id == 90 ? 0xDEADBEEF00000000u | 25781 : 12;
        else
            fields[i].value = pcie ? (uint64_t)fields[i].id << 32 : 0xDEADBEEF00000000u | (fields[i].id + device->asked);
    }
    return refused(device);
}

struct support {
    unsigned version, supported;
};
struct metric {
    unsigned id;
    int status;
    double value;
    const char* texts[3];
};
struct metrics {
    unsigned version, count;
    int *first, *second;
    struct metric metrics[333];
};
SHOWN int nvmlGpmQueryDeviceSupport(struct device* device, struct support* support)
{
    if (support->version != 1) return 25;
    return support->supported = !says("old") && device->index == 0, 0;
}
SHOWN int nvmlGpmSampleAlloc(int** sample) { return *sample = calloc(1, sizeof **sample), 0; }
SHOWN int nvmlGpmSampleFree(int* sample) { return free(sample), 0; }
SHOWN int nvmlGpmSampleGet(struct device* device, int* sample) { return *sample = (int)device->asked, says("mig") ? 3 : 0; }
SHOWN int nvmlGpmMetricsGet(struct metrics* into)
{
    if (into->version != 1) return 25;
    if (*into->second <= *into->first) return 2;
    for (unsigned i = 0; i < into->count; ++i)
        into->metrics[i].status = into->metrics[i].id == 5 ? 3 : 0, into->metrics[i].value = into->metrics[i].id + 0.5;
    if (says("slots=333")) into->metrics[332].status = 3;
    return 0;
}
