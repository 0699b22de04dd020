// SPDX-License-Identifier: MIT
#include "collector/sample/data_look.h"

#include "collector/record/raw.h"

namespace flowgauge::sample {
namespace {

constexpr std::size_t knownBytes(std::size_t each) { return DataFiles::most * each; }

/// A folder of millions of files is not read to its end for a sample.
constexpr int mostEntries = 1024;
constexpr int mostFolders = 4;

std::string_view folderOf(std::string_view path) { return upTo(path, path.rfind('/')); }

/// ".jpeg", or "" for a name without any: what lies beside and ends otherwise is other data.
std::string_view endingOf(std::string_view path)
{
    const std::string_view name = from(path, path.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : from(name, dot);
}

}  // namespace

bool DataLook::create()
{
    constexpr std::size_t bytes = knownBytes(sizeof(Known));
    if (m_known == nullptr) m_known = static_cast<Known*>(raw::map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    return m_known != nullptr && m_files.create() && m_beside.create();
}

void DataLook::release()
{
    if (m_known != nullptr) raw::unmap(m_known, knownBytes(sizeof(Known)));
    m_known = nullptr;
    m_files.release();
    m_beside.release();
    m_scratch.release();
}

bool DataLook::readTable(std::string_view folder)
{
    const int table = openDataFiles(folder, O_RDONLY);
    if (table < 0) return false;
    m_files.read(table);
    raw::close(table);
    return m_files.size() > 0;
}

/// Once a file: mounts of what is being read do not change.
MountRules DataLook::rulesOfPlace(std::size_t place, const DataFile& file)
{
    Known& known = m_known[place];
    if (known.hash != file.hash) {
        RereadFile mounts;
        static_cast<void>(mounts.open(m_root, "proc/self/mountinfo", FileShape::ToEnd));
        known = {file.hash, rulesOf(mounts.read(m_root, m_scratch).text, file.device, file.name())};
        mounts.close();
    }
    return known.rules;
}

FileLook DataLook::look(const DataFile& file, const MountRules& rules) const
{
    if (!rules.why.empty()) return {LookMethod::None, rules.why};
    const int link = file.inode == 0 ? O_NOFOLLOW : 0;  // what nobody has opened yet may lead anywhere
    const int fd = raw::open(file.path.data(), O_RDONLY | O_NONBLOCK | O_NOCTTY | link);
    if (fd < 0) return {LookMethod::None, "a file cannot be opened from where counters are read"};
    const FileLook found = lookAt(fd, {file.device, file.inode}, {m_rules.cachestat && rules.cachestat, m_rules.mincore}, m_turn);
    raw::close(fd);
    return found;
}

/// Of files on network mounts those with the smallest hashes: any other choice might go by age or by name.
bool DataLook::isAmongFirst(const DataFiles& files, std::uint64_t hash)
{
    std::size_t before = 0;
    for (std::size_t at = 0; at < files.size(); ++at) before += files[at].hash < hash ? 1 : 0;
    return before < mostNetworkFiles;
}

DataRound DataLook::round()
{
    DataRound round;
    ++m_turn;
    for (std::size_t at = 0; at < m_files.size() && !isStopped(); ++at) {
        const DataFile& file = m_files[at];
        if (!file.whole()) continue;
        const MountRules rules = rulesOfPlace(at, file);
        if (!rules.network || isAmongFirst(m_files, file.hash)) round.add(look(file, rules));
    }
    return round;
}

/// Files in the folder of that one which end as it does.
void DataLook::addBeside(const DataFile& file)
{
    DataFile other;
    const std::string_view folder = folderOf(file.name()), ending = endingOf(file.name());
    Path path(folder);
    FolderNames names(SysRoot(), path.view());  // the job's, not a captured machine's
    std::string_view name;
    for (int entries = mostEntries; entries > 0 && names.next(name); --entries) {
        path.cut(folder.size());
        path.add("/").add(name);
        if (!path.fits() || endingOf(path.view()) != ending || !other.set(path.view(), file.device, 0)) continue;
        if (!m_files.has(other.hash)) static_cast<void>(m_beside.insert(other));
    }
}

/// Whether an earlier file of the table lies in the same folder.
bool DataLook::isFolderKnown(std::size_t place) const
{
    for (std::size_t at = 0; at < place; ++at)
        if (folderOf(m_files[at].name()) == folderOf(m_files[place].name())) return true;
    return false;
}

DataRound DataLook::roundBeside(double& found)
{
    DataRound round;
    if (m_files.size() == 0 || !m_files[0].whole()) return round;
    const MountRules rules = rulesOfPlace(0, m_files[0]);
    if (rules.network || !rules.why.empty()) return round;  // a server's folders are not listed: its traffic is the job's alone
    int folders = 0;
    for (std::size_t at = 0; at < m_files.size() && folders < mostFolders && !isStopped(); ++at) {
        if (m_files[at].device != m_files[0].device || !m_files[at].whole() || isFolderKnown(at)) continue;
        ++folders;
        addBeside(m_files[at]);
    }
    for (std::size_t at = 0; at < m_beside.size() && !isStopped(); ++at) round.add(look(m_beside[at], rules));
    found = m_beside.filesInAll();
    m_beside.release();
    return round;
}

}  // namespace flowgauge::sample
