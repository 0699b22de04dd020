// SPDX-License-Identifier: MIT
#include "instrument/life/hand_over.h"

#include "collector/buffer/futex.h"
#include "collector/buffer/recorder.h"
#include "collector/buffer/text.h"
#include "collector/record/raw.h"

#include <string_view>

namespace flowgauge::life {
namespace {

using LongPath = buffer::PathText;  // life has a plain one of its own
using std::string_view;

constexpr std::size_t sliceBytes = std::size_t{1} << 20;

/// A descriptor of ours. Only for threads whose table the program does not share.
class File {
public:
    File(const LongPath& path, int flags) : m_fd(raw::open(path.text(), flags | O_NOFOLLOW, 0600)) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File()
    {
        if (m_fd >= 0) raw::close(m_fd);
    }
    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd;
};

class Slice {
public:
    Slice() : m_bytes(raw::map(sliceBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
    Slice(const Slice&) = delete;
    Slice& operator=(const Slice&) = delete;
    ~Slice()
    {
        if (m_bytes != nullptr) raw::unmap(m_bytes, sliceBytes);
    }
    [[nodiscard]] void* bytes() const { return m_bytes; }

private:
    void* m_bytes;
};

/// Folder and base name of this process's files, as <folder>/<base>.spool.
struct Names {
    string_view folder, base;
};

Names ownNames()
{
    string_view path(buffer::spoolPath());
    constexpr string_view extension = ".spool";
    if (path.size() <= extension.size()) return {};
    path.remove_suffix(extension.size());
    const std::size_t slash = path.rfind('/');
    if (slash == string_view::npos) return {};
    return {string_view(path.data(), slash), string_view(path.data() + slash + 1, path.size() - slash - 1)};
}

LongPath folderInRun(const Place& place)
{
    LongPath path;
    path.add(place.run.data()).add("/spool/").add(place.host.data());
    return path;
}

LongPath fileIn(string_view folder, string_view base, string_view extension)
{
    LongPath path;
    path.add(folder).add("/").add(base).add(extension);
    return path;
}

void remove(const LongPath& path) { raw::call(SYS_unlinkat, AT_FDCWD, path.text(), 0); }

bool copyAll(int from, int to, std::int64_t untilNs)
{
    const Slice slice;
    if (slice.bytes() == nullptr) return false;
    for (off_t at = 0;;) {
        if (buffer::monotonicNs() >= untilNs) return false;
        const ssize_t got = raw::pread(from, slice.bytes(), sliceBytes, at);
        if (got <= 0) return got == 0;
        for (ssize_t put = 0; put < got;) {
            const ssize_t more =
                raw::pwrite(to, static_cast<const char*>(slice.bytes()) + put, static_cast<std::size_t>(got - put), at + put);
            if (more <= 0) return false;
            put += more;
        }
        at += got;
    }
}

bool copyWhole(const LongPath& source, const LongPath& target, std::int64_t untilNs)
{
    LongPath draft = target;
    draft.add(".copying");  // the name that `flowgauge collect` would use: it takes over what is left half done
    if (!draft.whole()) return false;
    const File from(source, O_RDONLY);
    const File to(draft, O_WRONLY | O_CREAT | O_TRUNC);
    if (!from.isOpen() || !to.isOpen() || !copyAll(from.fd(), to.fd(), untilNs)) return false;
    return raw::call(SYS_renameat, AT_FDCWD, draft.text(), AT_FDCWD, target.text()) == 0;
}

}  // namespace

void announceRecording(const Place& place)
{
    const Names own = ownNames();
    if (own.base.empty()) return;
    LongPath folder;
    folder.add(place.run.data()).add("/spool");
    raw::mkdir(folder.text(), 0777);
    folder = folderInRun(place);
    raw::mkdir(folder.text(), 0777);
    const LongPath marker = fileIn({folder.text(), folder.length()}, own.base, ".recording");
    if (marker.whole()) static_cast<void>(File(marker, O_WRONLY | O_CREAT));
}

void handOver(const Place& place, std::uint32_t patienceMs)
{
    const std::int64_t untilNs = buffer::monotonicNs() + std::int64_t{patienceMs} * 1'000'000;
    const Names own = ownNames();
    const LongPath folder = folderInRun(place);
    const string_view target(folder.text(), folder.length());
    for (const string_view extension : {string_view(".rings"), string_view(".spool")})
        if (!copyWhole(fileIn(own.folder, own.base, extension), fileIn(target, own.base, extension), untilNs)) return;
    remove(fileIn(target, own.base, ".recording"));
    remove(fileIn(own.folder, own.base, ".spool"));
    remove(fileIn(own.folder, own.base, ".rings"));
}

}  // namespace flowgauge::life
