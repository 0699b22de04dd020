// SPDX-License-Identifier: MIT
#include "instrument/nccl/contexts.h"
#include "instrument/nccl/operation.h"
#include "instrument/nccl/places.h"
#include "instrument/nccl/theirs.h"
#include "instrument/nccl/words.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace flowgauge;
using namespace flowgauge::nccl;

namespace {

Operation part(Kind kind, std::int64_t peer, std::uint64_t bytes = 100, Kind partOf = Kind::None)
{
    Operation operation;
    operation.kind = kind;
    operation.partOf = partOf;
    operation.peer = peer;
    operation.bytes = bytes;
    operation.span = {static_cast<Ticks>(10 + peer), static_cast<Ticks>(20 + peer)};
    return operation;
}

Operation wholeOf(std::uint32_t ranks, std::int64_t self, const std::vector<Operation>& parts)
{
    Exchange exchange(ranks);
    for (const Operation& one : parts) exchange.add(one, self);
    return exchange.whole();
}

std::vector<Operation> withPeers(std::initializer_list<int> peers)
{
    std::vector<Operation> parts;
    for (const int peer : peers) parts.push_back(part(Kind::Send, peer)), parts.push_back(part(Kind::Recv, peer));
    return parts;
}

}  // namespace

TEST(Handle, SaysWhatItStandsForAndIsNobodyElses)
{
    chooseSalt();
    const Handle handle = makeHandle(0x12345 << 8 | 7, 3, 4711);
    EXPECT_TRUE(isOurs(handle));
    EXPECT_EQ(placeOf(handle), 4711U);
    EXPECT_EQ(ageOf(handle), 3U);
    EXPECT_EQ(planOf(handle), 0x12345U);
    EXPECT_EQ(linkOfHandle(handle), (std::uint64_t{1} << 62) + (0x12345 << 8 | 7));
    EXPECT_FALSE(isOurs(0));
    EXPECT_FALSE(isOurs(handle ^ std::uint64_t{1} << 60));
    EXPECT_EQ(linkOfHandle(makeHandle(5, 0, firstContextPlace)), 0U) << "a communicator is no operation";
    const std::uint64_t salt = handleSalt;
    int taken = 0;
    for (std::uint64_t other = 1; other <= 1000; ++other) {  // as another process with another salt made them
        handleSalt = salt + other;
        const Handle foreign = makeHandle(other, 0, 1);
        handleSalt = salt;
        taken += isOurs(foreign);
    }
    EXPECT_LT(taken, 60) << "about one in 64 passes by chance";
}

TEST(Places, ReturnOnlyWhatIsStillMeant)
{
    places::forgetAll();
    EventPlace* const place = places::takeEvent();
    ASSERT_NE(place, nullptr);
    const Handle handle = places::publish(*place, 42);
    EXPECT_EQ(places::findEvent(handle), place);
    EXPECT_EQ(places::findProxy(handle), nullptr);
    EXPECT_TRUE(places::claim(place->handle, handle));
    EXPECT_FALSE(places::claim(place->handle, handle)) << "only one thread ends an event";
    EXPECT_EQ(places::findEvent(handle), nullptr);
    places::free(*place);
    EXPECT_EQ(places::findEvent(handle), nullptr);
}

TEST(Places, OfTenMillionOperationsNoneIsTakenForAnEarlierOneWhereSerialsWrapToo)
{
    places::forgetAll();
    constexpr std::uint64_t operations = 10'000'000;
    const std::uint64_t first = serialMask - operations / 2;  // the wrap lies in the middle
    Handle before = 0;
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        EventPlace* const place = places::takeEvent();
        ASSERT_NE(place, nullptr);
        const Handle handle = places::publish(*place, (first + i) & serialMask);
        wrong += places::findEvent(handle) != place || handle == before || (before != 0 && places::findEvent(before) != nullptr);
        ASSERT_TRUE(places::claim(place->handle, handle));
        places::free(*place);
        before = handle;
    }
    EXPECT_EQ(wrong, 0U);
}

TEST(Places, AllCanBeTakenOnceAndTheNextIsRefused)
{
    places::forgetAll();
    std::set<EventPlace*> taken;
    for (std::uint32_t i = 0; i < eventPlaces; ++i) taken.insert(places::takeEvent());
    EXPECT_EQ(taken.size(), eventPlaces);
    EXPECT_EQ(taken.count(nullptr), 0U);
    EXPECT_EQ(places::takeEvent(), nullptr);
    places::forgetAll();
}

TEST(Places, StepsBelongToTheirOperationAsLongAsItLives)
{
    places::forgetAll();
    ProxyPlace* const place = places::takeProxy();
    const Handle operation = places::publish(*place, 9);
    std::uint32_t step = 0;
    EXPECT_EQ(places::findProxyOfStep(places::stepHandle(operation, 100'000), step), place);
    EXPECT_EQ(step, 100'000U);
    const Handle late = places::stepHandle(operation, 3);
    ASSERT_TRUE(places::claim(place->handle, operation));
    places::free(*place);
    EXPECT_EQ(places::findProxyOfStep(late, step), nullptr);
    EXPECT_EQ(places::findProxyOfStep(operation, step), nullptr) << "an operation is no step";
}

TEST(Exchange, WithEveryRankIsAnAllToAll)
{
    const Operation whole = wholeOf(4, 2, withPeers({0, 1, 2, 3}));
    EXPECT_EQ(whole.kind, Kind::Alltoall);
    EXPECT_EQ(whole.bytes, 400U);
    EXPECT_EQ(whole.peer, -1);
    EXPECT_EQ(whole.span.begin, 10U);
    EXPECT_EQ(whole.span.end, 23U);
    EXPECT_EQ(wholeOf(4, 2, withPeers({3, 0, 1})).kind, Kind::Alltoall) << "without a copy to itself";
    EXPECT_EQ(wholeOf(0, 1, withPeers({0, 1, 2})).kind, Kind::Alltoall) << "the number of ranks is not known before v4";
}

TEST(Exchange, WithSomeRanksIsNone)
{
    EXPECT_EQ(wholeOf(5, 1, withPeers({0, 2})).kind, Kind::None);
    EXPECT_EQ(wholeOf(2, 0, withPeers({1})).kind, Kind::None) << "two ranks that swap";
    EXPECT_EQ(wholeOf(4, 0, withPeers({0, 0, 3, 3})).kind, Kind::None) << "as many parts, and the same sum";
    EXPECT_EQ(wholeOf(2, 0, {part(Kind::Send, 0), part(Kind::Send, 1)}).kind, Kind::None) << "nothing is received";
    EXPECT_EQ(wholeOf(0, -1, withPeers({0, 1, 2})).kind, Kind::None) << "neither size nor rank known: it may be anything";
}

TEST(Exchange, IsWhatItsCallWasNamed)
{
    const Operation gather = wholeOf(4, 1, {part(Kind::Send, 3, 50, Kind::Gather)});
    EXPECT_EQ(gather.kind, Kind::Gather);
    EXPECT_EQ(gather.peer, 3) << "the root";
    EXPECT_EQ(gather.bytes, 50U);
    const Operation scatter = wholeOf(4, 1, {part(Kind::Recv, 2, 60, Kind::Scatter)});
    EXPECT_EQ(scatter.peer, 2);
    EXPECT_EQ(scatter.bytes, 60U);
    EXPECT_EQ(wholeOf(4, 1, {part(Kind::Send, 3, 50, Kind::Gather), part(Kind::Send, 2)}).kind, Kind::None) << "two calls in one group";
}

TEST(Words, OfEveryRowAreKnownByNameAndByNumber)
{
#define FLOWGAUGE_NCCL_FUNC(word, number, meaning)                    \
    EXPECT_EQ(kindOf(static_cast<const char*>(word)), Kind::meaning); \
    EXPECT_EQ((number) < 0 ? Kind::meaning : kindOf(static_cast<std::uint8_t>(number)), Kind::meaning);
#define FLOWGAUGE_NCCL_TYPE(word, number, bytes)                              \
    EXPECT_EQ(bytesOf(static_cast<const char*>(word)), std::uint64_t{bytes}); \
    EXPECT_EQ(bytesOf(static_cast<std::uint8_t>(number)), std::uint64_t{bytes});
#define FLOWGAUGE_NCCL_ALGORITHM(word, number)
#define FLOWGAUGE_NCCL_PROTOCOL(word, number)                      \
    EXPECT_EQ(protocolOf(static_cast<const char*>(word)), number); \
    EXPECT_EQ(protocolOf(static_cast<std::uint8_t>(number)), number);
#include "instrument/nccl/words.def"
#undef FLOWGAUGE_NCCL_FUNC
#undef FLOWGAUGE_NCCL_TYPE
#undef FLOWGAUGE_NCCL_ALGORITHM
#undef FLOWGAUGE_NCCL_PROTOCOL
    EXPECT_EQ(kindOf(static_cast<const char*>(nullptr)), Kind::None);
    EXPECT_EQ(kindOf("SomethingNew"), Kind::None);
    EXPECT_EQ(bytesOf("ncclFloat4"), 0U);
    EXPECT_EQ(protocolOf(static_cast<const char*>(nullptr)), -1);
}

TEST(Contexts, AreFoundByTheirHandleUntilTheyEnd)
{
    contexts::forgetAll();
    Handle handle = 0;
    Context* const context = contexts::open(handle);
    EXPECT_EQ(contexts::find(handle), context);
    contexts::close(*context);
    EXPECT_EQ(contexts::find(handle), nullptr);
    for (std::uint32_t i = 0; i < contextPlaces; ++i) ASSERT_NE(contexts::open(handle), nullptr);
    EXPECT_EQ(contexts::open(handle), nullptr);
    EXPECT_NE(handle, 0U) << "NCCL must never be left with NULL";
    EXPECT_EQ(contexts::find(handle), nullptr);
    contexts::forgetAll();
    EXPECT_EQ(contexts::idOfHash(std::uint64_t{1} << 63), 1U);
}

TEST(Theirs, PairsAreToldApartFromOtherNumbers)
{
    int object = 0;
    const Handle pair = theirs::join({77, &object});
    EXPECT_EQ(theirs::split(given(pair)).ours, 77U);
    EXPECT_EQ(theirs::split(given(pair)).theirs, &object);
    EXPECT_EQ(theirs::split(nullptr).theirs, nullptr);
    EXPECT_EQ(theirs::split(&object).theirs, nullptr);
    for (int i = 0; i < 65'536; ++i) static_cast<void>(theirs::join({1, nullptr}));
    EXPECT_EQ(theirs::split(given(pair)).theirs, nullptr) << "long gone";
}
