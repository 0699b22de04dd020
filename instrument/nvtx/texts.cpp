// SPDX-License-Identifier: MIT
#include "instrument/nvtx/texts.h"

#include "collector/buffer/interned.h"

#include <array>
#include <atomic>
#include <cstring>

namespace flowgauge::nvtx {
namespace {

using std::string_view;

constinit buffer::Interned<NameClass::Other, 8192> rangeNames;
constinit buffer::Interned<NameClass::Phase, 64> phases;

/// Registered strings keep their text, so that a forked child can record it anew. 64 KiB of texts; one that does not fit is nameless.
struct Registered {
    std::uint32_t at, length;
};
constinit std::array<char, std::size_t{64} << 10> registeredBytes{};
constinit std::array<Registered, 2048> registered{};
std::atomic<std::uint32_t> registeredCount{0}, registeredUsed{0};

string_view withoutTail(string_view text)
{
    const std::size_t tail = text.find(", seq = ");
    if (tail != string_view::npos) text.remove_suffix(text.size() - tail);
    return text;
}

/// UTF-8 of a wide text, cut at the room's end. NVTX's wide calls are rare; ASCII is what they carry.
template <std::size_t room>
string_view narrowed(const wchar_t* text, std::array<char, room>& into)
{
    constexpr std::array<std::uint32_t, 3> firstByte{0xC0, 0xE0, 0xF0};
    std::size_t length = 0;
    for (; *text != L'\0' && length + 4 < room; ++text) {
        const auto letter = static_cast<char32_t>(*text);
        if (letter < 0x80) {
            into[length++] = static_cast<char>(letter);
            continue;
        }
        const std::uint32_t more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
        into[length++] = static_cast<char>(firstByte[more - 1] | letter >> (6 * more));
        for (std::uint32_t i = more; i > 0; --i) into[length++] = static_cast<char>(0x80U | (letter >> (6 * (i - 1)) & 0x3FU));
    }
    return {into.data(), length};
}

constexpr std::size_t wideRoom = 1024;

}  // namespace

Known knownText(string_view text)
{
    Known known;
    text = withoutTail(text);
    known.meaning = meaningOf(text);
    known.text = text;
    if (known.meaning.role == Role::Range) known.key = rangeNames.keyOf(text);
    if (known.meaning.role == Role::Phase) known.key = phases.keyOf(known.meaning.phase);
    return known;
}

Known knownWide(const wchar_t* text)
{
    if (text == nullptr) return {};
    std::array<char, wideRoom> narrow;
    Known known = knownText(narrowed(text, narrow));
    known.text = {};
    return known;
}

const void* registerText(string_view text)
{
    const auto length = static_cast<std::uint32_t>(text.size());
    const std::uint32_t index = registeredCount.load(std::memory_order_relaxed) < registered.size()
                                    ? registeredCount.fetch_add(1, std::memory_order_acq_rel)
                                    : static_cast<std::uint32_t>(registered.size());
    if (index >= registered.size()) return registered.data() + registered.size();  // one past the last: a text that is not kept
    const std::uint32_t at = registeredUsed.fetch_add(length, std::memory_order_acq_rel);
    if (at > registeredBytes.size() || length > registeredBytes.size() - at) return registered.data() + index;
    if (length > 0) std::memcpy(registeredBytes.data() + at, text.data(), length);
    registered[index] = {at, length};
    return registered.data() + index;
}

const void* registerWide(const wchar_t* text)
{
    std::array<char, wideRoom> narrow;
    return registerText(text == nullptr ? string_view() : narrowed(text, narrow));
}

Known registeredText(const void* handle)
{
    const auto* const place = static_cast<const Registered*>(handle);
    if (place < registered.data() || place >= registered.data() + registered.size()) return {};
    return knownText({registeredBytes.data() + place->at, place->length});
}

Known messageOf(const Attributes& attributes)
{
    if (attributes.messageType == messageRegistered) return registeredText(attributes.message);
    if (attributes.message == nullptr) return {};
    if (attributes.messageType == messageWide) return knownWide(static_cast<const wchar_t*>(attributes.message));
    if (attributes.messageType != messageAscii) return {};
    const auto* const text = static_cast<const char*>(attributes.message);
    return knownText({text, std::strlen(text)});
}

NameKey rangeKey(const Known& known) { return known.text.empty() ? 0 : rangeNames.keyOf(known.text); }

void forgetTexts()
{
    rangeNames.forgetAfterFork();
    phases.forgetAfterFork();
}

}  // namespace flowgauge::nvtx
