// SPDX-License-Identifier: MIT
#include "tests/unit/collector/remote/stand_in.h"

#include "collector/record/error.h"

#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace flowgauge::remote {

std::optional<std::uint64_t> Notebook::value(Counter counter, const std::string& place)
{
    const auto found = std::find_if(samples.rbegin(), samples.rend(), [&](const Sample& one) {
        return one.counter == counter && one.place == (place.empty() ? "STAND-IN here" : "STAND-IN here/" + place);
    });
    return found == samples.rend() ? std::nullopt : std::optional(found->value);
}

std::size_t Notebook::count(Counter counter, const std::string& place)
{
    const std::string name = place.empty() ? "STAND-IN here" : "STAND-IN here/" + place;
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [&](const Sample& one) { return one.counter == counter && one.place == name; }));
}

bool Notebook::says(const std::string& beginning)
{
    return std::any_of(ledger.begin(), ledger.end(), [&](const std::string& line) { return line.starts_with(beginning); });
}

std::string pollOf(Source& source, Http& http, Recording& recording)
{
    try {
        source.poll(http, recording);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

StandIn::StandIn(const std::string& script, const std::string& switches, bool tls) : m_tls(tls)
{
    std::string pattern = (std::filesystem::temp_directory_path() / "stand_in_XXXXXX").native();
    m_folder = ::mkdtemp(pattern.data());
    std::array<int, 2> input{}, output{};
    if (::pipe(input.data()) != 0 || ::pipe(output.data()) != 0) throw Error(script, "no pipe");
    const std::string path = std::string(FLOWGAUGE_FAKES) + "/" + script, folder = tls ? m_folder.native() : "";
    m_process = ::fork();
    if (m_process == 0) {
        ::dup2(input[0], 0);
        ::dup2(output[1], 1);
        ::close(input[1]);
        ::execl(FLOWGAUGE_PYTHON, FLOWGAUGE_PYTHON, "-B", path.c_str(), folder.c_str(), switches.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(input[0]);
    ::close(output[1]);
    m_input = input[1];
    std::array<char, 16> digits{};
    (void)!::read(output[0], digits.data(), digits.size() - 1);
    ::close(output[0]);
    m_port = std::atoi(digits.data());
    if (m_port == 0) throw Error(script, "did not start");
}

StandIn::~StandIn()
{
    ::close(m_input);
    ::waitpid(m_process, nullptr, 0);
    std::filesystem::remove_all(m_folder);
}

std::string StandIn::base() const { return (m_tls ? "https://localhost:" : "http://localhost:") + std::to_string(m_port); }

void StandIn::set(const std::string& switches) const
{
    Http http({base(), certificate(), {}, false, std::chrono::seconds(20)});
    (void)http.call({"/stand-in", switches, {}, {}, {}});
}

int StandIn::count(const std::string& path) const
{
    Http http({base(), certificate(), {}, false, std::chrono::seconds(20)});
    const std::string text = http.call({"/stand-in", {}, {}, {}, {}}).body, name = '"' + path + "\": ";
    const std::size_t found = text.find(name);
    return found == std::string::npos ? 0 : std::atoi(text.c_str() + found + name.size());
}

}  // namespace flowgauge::remote
