// SPDX-License-Identifier: MIT
#include "collector/foreign/trace_reader.h"

#include "collector/foreign/text_source.h"
#include "collector/record/error.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <cassert>
#include <optional>

namespace flowgauge::foreign {
namespace {

/// A TextSource as RapidJSON wants its input: '\0' is the end.
class JsonInput {
public:
    using Ch = char;
    JsonInput(TextSource& source, const Progress& progress) : m_source(source), m_progress(progress) { refill(); }

    [[nodiscard]] char Peek() const { return m_at == m_end ? '\0' : *m_at; }
    char Take()
    {
        if (m_at == m_end) return '\0';
        const char c = *m_at++;
        if (m_at == m_end) refill();
        return c;
    }
    [[nodiscard]] std::size_t Tell() const { return m_source.bytesBefore() + static_cast<std::size_t>(m_at - m_source.begin()); }
    // Only for parsing in place, which is not done here.
    char* PutBegin() { return nullptr; }
    void Put(char) {}
    void Flush() {}
    std::size_t PutEnd(char*) { return 0; }

    [[nodiscard]] bool atEnd() const { return m_at == m_end; }
    [[nodiscard]] bool stopped() const { return m_stopped; }

private:
    void refill()
    {
        if (m_progress && !m_progress(m_source.share())) m_stopped = true;
        const bool more = !m_stopped && m_source.fill();
        m_at = more ? m_source.begin() : m_source.end();
        m_end = m_source.end();
    }

    TextSource& m_source;
    const Progress& m_progress;
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    bool m_stopped = false;
};

constexpr int deepest = 512;  // RapidJSON recurses: a file of brackets must not take the stack

/// Follows the text and hands over whole events. Depth counts the open brackets; events are the objects at m_eventDepth.
class TraceHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, TraceHandler> {
public:
    explicit TraceHandler(TraceSink& sink) : m_sink(sink) {}

    bool Null() { return value("null"); }
    bool Bool(bool b) { return value(b ? "true" : "false"); }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool) { return value({text, length}); }
    bool String(const char* text, rapidjson::SizeType length, bool) { return value({text, length}); }

    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        const std::string_view key(text, length);
        m_target = nullptr;
        if (inEvents()) {
            if (m_depth == m_eventDepth + 1)
                m_target = member(key);
            else if (m_inArgs && m_depth == m_eventDepth + 2)
                m_target = argument(key);
        } else if (m_depth == 1) {
            m_key = key;
            m_inner.clear();
        } else if (m_depth == 2) {
            m_inner = key;
        }
        return true;
    }
    bool StartObject()
    {
        if (inEvents() && m_depth == m_eventDepth) m_event.clear();
        m_inArgs = m_inArgs || (m_depth == m_eventDepth + 1 && m_nextIsArgs);
        m_target = nullptr;
        return ++m_depth < deepest;
    }
    bool EndObject(rapidjson::SizeType)
    {
        --m_depth;
        if (inEvents() && m_depth == m_eventDepth) m_sink.event(m_event);
        if (m_depth == m_eventDepth + 1) m_inArgs = false;
        return true;
    }
    bool StartArray()
    {
        if (m_depth == 0 || (m_depth == 1 && m_key == "traceEvents")) m_eventDepth = m_depth + 1;
        if (m_target != nullptr && m_listDepth < 0 && keepsLists()) {
            m_listDepth = m_depth;
            m_list = m_target;
        }
        if (m_listDepth >= 0) m_list->push_back('[');
        m_target = nullptr;
        return ++m_depth < deepest;
    }
    bool EndArray(rapidjson::SizeType)
    {
        --m_depth;
        if (m_listDepth >= 0) m_list->push_back(']');
        if (m_listDepth == m_depth) m_listDepth = -1;
        if (m_depth < m_eventDepth) m_eventDepth = outside;
        return true;
    }

private:
    static constexpr int outside = 1 << 20;

    [[nodiscard]] bool inEvents() const { return m_eventDepth != outside; }
    /// Sizes and types of what an operation got are lists; they are kept as "[[2048][]]" without their spaces.
    [[nodiscard]] bool keepsLists() const
    {
        return m_target == &m_event.args[static_cast<std::size_t>(TraceArg::InputDims)] ||
               m_target == &m_event.args[static_cast<std::size_t>(TraceArg::InputTypes)];
    }
    std::string* member(std::string_view key)
    {
        m_nextIsArgs = key == "args";
        if (key == "ph") return &m_event.phase;
        if (key == "cat") return &m_event.category;
        if (key == "name") return &m_event.name;
        if (key == "pid") return &m_event.process;
        if (key == "tid") return &m_event.thread;
        if (key == "ts") return &m_event.begin;
        if (key == "dur") return &m_event.duration;
        return nullptr;
    }
    std::string* argument(std::string_view key)
    {
        for (std::size_t i = 0; i < traceArgNames.size(); ++i)
            if (traceArgNames[i] == key) return &m_event.args[i];
        return nullptr;
    }
    bool value(std::string_view text)
    {
        if (m_target != nullptr) {
            m_target->assign(text);
            m_target = nullptr;
        } else if (m_listDepth >= 0) {
            (*m_list += text) += ' ';
        } else if (!inEvents() && m_depth <= 2) {
            m_sink.header(m_key, m_inner, text);
        }
        return true;
    }

    TraceSink& m_sink;
    TraceEvent m_event;
    std::string m_key, m_inner;
    std::string* m_target = nullptr;
    std::string* m_list = nullptr;
    int m_depth = 0, m_eventDepth = outside, m_listDepth = -1;
    bool m_inArgs = false, m_nextIsArgs = false;
};

}  // namespace

void TraceEvent::clear()
{
    for (std::string* member : {&phase, &category, &name, &process, &thread, &begin, &duration}) member->clear();
    for (std::string& argument : args) argument.clear();
}

TraceText readTrace(const std::filesystem::path& file, TraceSink& sink, const Progress& progress)
{
    TextSource source(file);
    JsonInput input(source, progress);
    TraceHandler handler(sink);
    rapidjson::Reader reader;
    // Numbers stay text: microseconds of today do not fit a double. NaN and Inf stand in traces, as an occupancy.
    const rapidjson::ParseResult result =
        reader.Parse<rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag>(input, handler);
    if (input.stopped()) throw Error(file.string(), "import was stopped");
    TraceText text{input.Tell(), false};
    if (!result.IsError()) return text;
    text.cutOff = input.atEnd() && text.bytes > 0;
    if (!text.cutOff) throw Error(file.string(), "no JSON at byte ", result.Offset(), ": ", rapidjson::GetParseError_En(result.Code()));
    return text;
}

}  // namespace flowgauge::foreign
