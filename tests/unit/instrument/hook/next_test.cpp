// SPDX-License-Identifier: MIT
#include "instrument/hook/next.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace flowgauge::hook {
namespace {

int answer(int) { return 42; }

TEST(Next, FindsTheFunctionOfTheCLibrary)
{
    Next<decltype(&::getpid)> next("getpid");
    EXPECT_EQ(next.get()(), getpid());
    EXPECT_EQ(reinterpret_cast<void*>(next.get()), dlsym(RTLD_NEXT, "getpid"));
}

TEST(Next, WhatIsNowhereFailsWithEnosysAndIsNeverNull)
{
    Next<int (*)(int)> number("flowgauge_no_such_function");
    Next<void* (*)(int)> pointer("flowgauge_no_such_function");
    Next<int (*)(int, ...)> variadic("flowgauge_no_such_function");
    errno = 0;
    EXPECT_EQ(number.get()(1), -1);
    EXPECT_EQ(errno, ENOSYS);
    EXPECT_EQ(pointer.get()(1), nullptr);
    EXPECT_EQ(variadic.get()(1, 2), -1);
}

TEST(Next, AnswersWithTheBootstrapWhileALookupIsUnderWay)
{
    Next<int (*)(int)> next("flowgauge_no_such_function", &answer);
    detail::resolving = 1;
    EXPECT_EQ(next.get()(0), 42);
    detail::resolving = 0;
    EXPECT_EQ(next.get()(0), 42);
}

TEST(Find, KeepsErrnoAndLeavesNoMessageBehind)
{
    dlerror();
    errno = 4711;
    EXPECT_EQ(findNext("flowgauge_no_such_function"), nullptr);
    EXPECT_EQ(findFromCaller("flowgauge_no_such_function", __builtin_return_address(0)), nullptr);
    EXPECT_EQ(errno, 4711);
    EXPECT_EQ(dlerror(), nullptr);
}

TEST(Find, FindsWhatOnlyALocallyLoadedObjectHas)
{
    void* const library = dlopen("libaio.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) GTEST_SKIP() << "libaio.so.1 is not installed";
    EXPECT_EQ(findNext("io_queue_run"), nullptr);
    EXPECT_EQ(findFromCaller("io_queue_run", __builtin_return_address(0)), dlsym(library, "io_queue_run"));
}

}  // namespace
}  // namespace flowgauge::hook
