// SPDX-License-Identifier: MIT
// The functions that NVTX calls in our place, and how they get there. NVTX 3 lives in headers: each shared object that uses it asks for
// itself, at its first call, perhaps several at once.
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/hook/vendor.h"
#include "instrument/nvtx/nvtx.h"
#include "instrument/nvtx/ranges.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace flowgauge::nvtx {
namespace {

constexpr const char* door = "NVTX_INJECTION64_PATH";
std::atomic<bool> doorIsTaken{false};

Given plain(Known text) { return {text, 0, 0}; }
Known ascii(const char* text) { return text == nullptr ? Known{} : knownText({text, std::strlen(text)}); }

bool watching() { return buffer::enabled(); }

// Module CORE: everything happens in the default domain.
void markEx(const Attributes* attributes)
{
    if (watching()) mark(nullptr, givenBy(nullptr, attributes));
}
void markA(const char* text)
{
    if (watching()) mark(nullptr, plain(ascii(text)));
}
void markW(const wchar_t* text)
{
    if (watching()) mark(nullptr, plain(knownWide(text)));
}
std::uint64_t rangeStartEx(const Attributes* attributes) { return watching() ? startRange(nullptr, givenBy(nullptr, attributes)) : 0; }
std::uint64_t rangeStartA(const char* text) { return watching() ? startRange(nullptr, plain(ascii(text))) : 0; }
std::uint64_t rangeStartW(const wchar_t* text) { return watching() ? startRange(nullptr, plain(knownWide(text))) : 0; }
void rangeEnd(std::uint64_t number)
{
    if (watching()) stopRange(number);
}
int rangePushEx(const Attributes* attributes) { return watching() ? push(nullptr, givenBy(nullptr, attributes)) : -2; }
int rangePushA(const char* text) { return watching() ? push(nullptr, plain(ascii(text))) : -2; }
int rangePushW(const wchar_t* text) { return watching() ? push(nullptr, plain(knownWide(text))) : -2; }
int rangePop() { return watching() ? pop(nullptr) : -2; }

// Module CORE2: the same in a domain, and the handles of domains and strings.
void domainMarkEx(const void* domain, const Attributes* attributes)
{
    if (watching()) mark(domain, givenBy(domain, attributes));
}
std::uint64_t domainRangeStartEx(const void* domain, const Attributes* attributes)
{
    return watching() ? startRange(domain, givenBy(domain, attributes)) : 0;
}
void domainRangeEnd(const void*, std::uint64_t number) { rangeEnd(number); }
int domainRangePushEx(const void* domain, const Attributes* attributes)
{
    return watching() ? push(domain, givenBy(domain, attributes)) : -2;
}
int domainRangePop(const void* domain) { return watching() ? pop(domain) : -2; }
const void* domainRegisterStringA(const void*, const char* text) { return registerText(text == nullptr ? "" : text); }
const void* domainRegisterStringW(const void*, const wchar_t* text) { return registerWide(text); }
const void* domainCreateA(const char* name) { return domainOf(name == nullptr ? "" : name); }
const void* domainCreateW(const wchar_t*) { return domainOf("?"); }

template <typename Handler>
void install(Function** slots, std::uint32_t count, std::uint32_t slot, Handler* handler)
{
    if (slot < count && slots[slot] != nullptr) *slots[slot] = reinterpret_cast<Function>(handler);
}

void installCore(Function** slots, std::uint32_t count)
{
    install(slots, count, 1, markEx);
    install(slots, count, 2, markA);
    install(slots, count, 3, markW);
    install(slots, count, 4, rangeStartEx);
    install(slots, count, 5, rangeStartA);
    install(slots, count, 6, rangeStartW);
    install(slots, count, 7, rangeEnd);
    install(slots, count, 8, rangePushEx);
    install(slots, count, 9, rangePushA);
    install(slots, count, 10, rangePushW);
    install(slots, count, 11, rangePop);
}

void installCore2(Function** slots, std::uint32_t count)
{
    install(slots, count, 1, domainMarkEx);
    install(slots, count, 2, domainRangeStartEx);
    install(slots, count, 3, domainRangeEnd);
    install(slots, count, 4, domainRangePushEx);
    install(slots, count, 5, domainRangePop);
    install(slots, count, 10, domainRegisterStringA);
    install(slots, count, 11, domainRegisterStringW);
    install(slots, count, 12, domainCreateA);
    install(slots, count, 13, domainCreateW);
}

/// A module that this NVTX does not have answers with success and no slots.
void installModule(const Callbacks& callbacks, std::uint32_t module, void (*into)(Function**, std::uint32_t))
{
    Function** slots = nullptr;
    std::uint32_t count = 0;
    if (callbacks.moduleFunctions(module, &slots, &count) == 1 && slots != nullptr) into(slots, count);
}

}  // namespace

void start()
{
    if (!buffer::wants(Kind::Range) && !buffer::wants(Kind::PhaseMark) && !buffer::wants(Kind::EpochMark) && !buffer::wants(Kind::StepMark))
        return;
    setPatterns(settingOf(Variable::Nvtx));
    hook::LibraryPath own;
    if (!hook::ownFile(own)) return;
    const char* const named = std::getenv(door);
    if (named == nullptr || *named == '\0')
        setenv(door, own.data(), 1);
    else if (std::strcmp(named, own.data()) != 0 && !hook::isSameFile(named, own.data()))
        doorIsTaken.store(true, std::memory_order_relaxed);
}

void onStart()
{
    if (doorIsTaken.load(std::memory_order_relaxed))
        buffer::ledger("NVTX ranges", "absent", "NVTX_INJECTION64_PATH names another tool, which was left in peace");
}

void forgetAfterFork()
{
    forgetTexts();
    forgetRanges();
}

}  // namespace flowgauge::nvtx

/// Always a success: NVTX would unload us otherwise. What is not filled in stays a call that does nothing.
extern "C" FLOWGAUGE_EXPORT int InitializeInjectionNvtx2(flowgauge::nvtx::ExportTable exportTable)
{
    using namespace flowgauge::nvtx;
    if (exportTable == nullptr || !flowgauge::buffer::enabled()) return 1;
    const flowgauge::raw::KeepErrno keep;
    const auto* const callbacks = static_cast<const Callbacks*>(exportTable(callbacksTable));
    if (callbacks == nullptr || callbacks->bytes < sizeof(Callbacks) || callbacks->moduleFunctions == nullptr) return 1;
    if (const auto* const version = static_cast<const VersionInfo*>(exportTable(versionTable));
        version != nullptr && version->bytes >= sizeof(VersionInfo) && version->setInjectionVersion != nullptr)
        version->setInjectionVersion(3);
    installModule(*callbacks, moduleCore, installCore);
    installModule(*callbacks, moduleCore2, installCore2);
    return 1;
}
