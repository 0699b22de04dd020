// SPDX-License-Identifier: MIT
#include "collector/remote/secret.h"

#include "collector/record/error.h"

#include <sys/stat.h>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace flowgauge::remote {
namespace {

std::string readSecret(const std::filesystem::path& file)
{
    struct stat about {};
    if (::stat(file.c_str(), &about) != 0) throw Error(file.native(), "expected a password in this file: ", std::strerror(errno));
    if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        throw Error(file.native(), "holds a password and is open to others than its owner; chmod 600 it");
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line) || line.empty()) throw Error(file.native(), "expected a password in its first line, found none");
    return line;
}

/// The kernel shows the bytes of a process's first environment to whoever may look: unsetenv alone leaves them there.
std::string takeVariable(const std::string& name)
{
    char* const value = std::getenv(name.c_str());
    if (value == nullptr) return {};
    std::string text = value;
    ::explicit_bzero(value, text.size());
    ::unsetenv(name.c_str());
    return text;
}

}  // namespace

std::string takeSecret(const std::filesystem::path& file, const std::string& name)
{
    std::string value = takeVariable(name);
    const std::string named = takeVariable(name + "_FILE");
    if (!file.empty()) return readSecret(file);
    return named.empty() ? value : readSecret(named);
}

void dropSecret(const std::string& name)
{
    static_cast<void>(takeVariable(name));
    static_cast<void>(takeVariable(name + "_FILE"));
}

}  // namespace flowgauge::remote
