// SPDX-License-Identifier: MIT
#include "instrument/nccl/words.h"

#include "collector/buffer/recorder.h"

#include <array>
#include <atomic>
#include <cstring>

namespace flowgauge::nccl {
namespace {

struct Word {
    std::string_view text;
    int number;
    std::uint64_t meaning;
};

#define FLOWGAUGE_NCCL_FUNC(word, number, kind)
#define FLOWGAUGE_NCCL_TYPE(word, number, bytes)
#define FLOWGAUGE_NCCL_ALGORITHM(word, number)
#define FLOWGAUGE_NCCL_PROTOCOL(word, number)
constexpr std::array funcs{
#undef FLOWGAUGE_NCCL_FUNC
#define FLOWGAUGE_NCCL_FUNC(word, number, kind) Word{word, number, static_cast<std::uint64_t>(Kind::kind)},
#include "instrument/nccl/words.def"
#undef FLOWGAUGE_NCCL_FUNC
#define FLOWGAUGE_NCCL_FUNC(word, number, kind)
};
constexpr std::array types{
#undef FLOWGAUGE_NCCL_TYPE
#define FLOWGAUGE_NCCL_TYPE(word, number, bytes) Word{word, number, bytes},
#include "instrument/nccl/words.def"
#undef FLOWGAUGE_NCCL_TYPE
#define FLOWGAUGE_NCCL_TYPE(word, number, bytes)
};
constexpr std::array algorithms{
#undef FLOWGAUGE_NCCL_ALGORITHM
#define FLOWGAUGE_NCCL_ALGORITHM(word, number) Word{word, number, 0},
#include "instrument/nccl/words.def"
#undef FLOWGAUGE_NCCL_ALGORITHM
#define FLOWGAUGE_NCCL_ALGORITHM(word, number)
};
constexpr std::array protocols{
#undef FLOWGAUGE_NCCL_PROTOCOL
#define FLOWGAUGE_NCCL_PROTOCOL(word, number) Word{word, number, number},
#include "instrument/nccl/words.def"
};
#undef FLOWGAUGE_NCCL_FUNC
#undef FLOWGAUGE_NCCL_TYPE
#undef FLOWGAUGE_NCCL_ALGORITHM
#undef FLOWGAUGE_NCCL_PROTOCOL

template <std::size_t count>
const Word* find(const std::array<Word, count>& words, const char* text)
{
    if (text == nullptr) return nullptr;
    const std::string_view wanted(text);
    for (const Word& word : words)
        if (word.text.size() == wanted.size() && std::memcmp(word.text.data(), wanted.data(), wanted.size()) == 0) return &word;
    return nullptr;
}

template <std::size_t count>
const Word* find(const std::array<Word, count>& words, int number)
{
    for (const Word& word : words)
        if (word.number == number) return &word;
    return nullptr;
}

std::uint64_t meaningOf(const Word* word) { return word != nullptr ? word->meaning : 0; }

/// Names of the algorithms in the spool, made at their first use. Two threads that come together make two keys of one text.
constinit std::array<std::atomic<NameKey>, algorithms.size()> keys{};

NameKey keyOf(const Word* word)
{
    const std::size_t place = word != nullptr ? static_cast<std::size_t>(word - algorithms.data()) : algorithms.size() - 1;
    NameKey key = keys[place].load(std::memory_order_relaxed);
    if (key != 0) return key;
    key = buffer::name(NameClass::Other, algorithms[place].text);
    keys[place].store(key, std::memory_order_relaxed);
    return key;
}

}  // namespace

Kind kindOf(const char* func) { return static_cast<Kind>(meaningOf(find(funcs, func))); }
Kind kindOf(std::uint8_t func) { return static_cast<Kind>(meaningOf(find(funcs, func))); }
std::uint64_t bytesOf(const char* type) { return meaningOf(find(types, type)); }
std::uint64_t bytesOf(std::uint8_t type) { return meaningOf(find(types, type)); }
NameKey algorithmOf(const char* word) { return keyOf(find(algorithms, word)); }
NameKey algorithmOf(std::uint8_t number) { return keyOf(find(algorithms, number)); }

NameKey copyEngineOf(const char* strategy)
{
    const bool multicast = strategy != nullptr && strategy[0] == 'M';
    return algorithmOf(multicast ? "CE_MC" : "CE_UC");
}

std::int64_t protocolOf(const char* word)
{
    const Word* const found = find(protocols, word);
    return found != nullptr ? found->number : -1;
}
std::int64_t protocolOf(std::uint8_t number)
{
    const Word* const found = find(protocols, number);
    return found != nullptr ? found->number : -1;
}

void forgetWords()
{
    for (auto& key : keys) key.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::nccl
