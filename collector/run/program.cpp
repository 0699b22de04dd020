// SPDX-License-Identifier: MIT
#include "collector/run/program.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <array>
#include <fstream>
#include <sstream>
#include <vector>

namespace flowgauge::run {
namespace {

namespace fs = std::filesystem;

bool isExecutableFile(const fs::path& file)
{
    std::error_code problem;
    return fs::is_regular_file(file, problem) && ::access(file.c_str(), X_OK) == 0;
}

/// The dynamic loader ignores LD_PRELOAD when a program gains rights by being started (ld.so(8), secure-execution mode).
bool gainsRights(const fs::path& file)
{
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) return false;
    const bool asOther = ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid()) ||
                         ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getgid());
    return asOther || ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
}

/// "" or why an ELF program takes no preloaded library of this build.
std::string complaintAbout(const Elf64_Ehdr& header, std::ifstream& file)
{
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return "is a 32-bit program, our library is 64-bit";
#if defined(__x86_64__)
    if (header.e_machine != EM_X86_64) return "is a program for another processor";
#endif
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr part{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
        if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) break;
        if (part.p_type == PT_INTERP) return "";
    }
    return "is statically linked";
}

/// Follows "#!" to the interpreter, as the kernel does, a few times.
std::string warningFor(fs::path program)
{
    for (int depth = 0; depth < 4; ++depth) {
        if (gainsRights(program))
            return program.native() +
                   " gains rights when it is started (setuid or capabilities): the system loads no library of ours into it";
        std::ifstream file(program, std::ios::binary);
        Elf64_Ehdr header{};
        file.read(reinterpret_cast<char*>(&header), sizeof header);
        if (file.gcount() >= 4 && std::string_view(reinterpret_cast<const char*>(header.e_ident), 4) == ELFMAG) {
            const std::string complaint = file ? complaintAbout(header, file) : "";
            return complaint.empty() ? "" : program.native() + ' ' + complaint + ": nothing can be recorded in it";
        }
        if (header.e_ident[0] != '#' || header.e_ident[1] != '!') return "";
        std::ifstream script(program);
        std::string line;
        std::getline(script, line);
        std::istringstream(line.substr(2)) >> program;
    }
    return "";
}

}  // namespace

Program findProgram(const std::string& word, const std::string& searchPath)
{
    std::vector<fs::path> candidates;
    if (word.find('/') != std::string::npos) {
        candidates.emplace_back(word);
    } else {
        std::istringstream folders(searchPath);
        for (std::string folder; std::getline(folders, folder, ':');) candidates.push_back(fs::path(folder.empty() ? "." : folder) / word);
    }
    std::error_code problem;
    fs::path blocked;
    for (const fs::path& file : candidates) {
        if (isExecutableFile(file)) return {file, 0, "", warningFor(file)};
        if (blocked.empty() && fs::exists(file, problem)) blocked = file;
    }
    if (blocked.empty()) return {{}, 127, word + ": not found", ""};
    return {blocked, 126, blocked.native() + (fs::is_directory(blocked, problem) ? ": is a directory" : ": is not executable"), ""};
}

}  // namespace flowgauge::run
