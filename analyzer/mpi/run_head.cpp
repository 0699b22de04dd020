// SPDX-License-Identifier: MIT
#include "analyzer/mpi/run_head.h"

#include "collector/record/error.h"
#include "collector/store/run_head.h"

#include <stdlib.h>
#include <fstream>
#include <iterator>

namespace flowgauge::mpi {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) throw Error(file.string(), "cannot be read back");
    return content;
}

void write(const fs::path& file, std::string_view content)
{
    std::ofstream stream(file, std::ios::binary);
    stream << content << std::flush;
    if (!stream) throw Error(file.string(), "cannot be written; TMPDIR names another folder");
}

void add(store::RunStore& part, store::RunStore& head)
{
    store::Transaction transaction(head.database());
    store::addToHead(part, head);
    transaction.commit();
}

void sendHead(const Peers& peers, store::RunStore& part, Nanos zero, const fs::path& piece)
{
    {
        store::RunStore head = store::RunStore::create(piece, zero);
        add(part, head);
    }
    const std::string content = contentOf(piece);
    peers.send(std::as_bytes(std::span(content)));
    fs::remove(piece);
}

void receiveHead(const Peers& peers, std::size_t from, store::RunStore& head, const fs::path& piece)
{
    const std::vector<std::byte> content = peers.receive(from);
    write(piece, {reinterpret_cast<const char*>(content.data()), content.size()});
    store::RunStore part = store::RunStore::openForReading(piece);
    add(part, head);
}

}  // namespace

TemporaryFolder::TemporaryFolder()
{
    std::string name = (fs::temp_directory_path() / "flowgauge-mpi-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(name, "cannot be made; TMPDIR names another folder");
    m_path = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

fs::path writeHead(const Peers& peers, const Plan& plan, SeenRuns& own, const TemporaryFolder& folder)
{
    const fs::path piece = folder.path() / "piece.db";
    fs::path file = folder.path() / "head.db";
    std::optional<store::RunStore> head;
    if (peers.isRoot()) head.emplace(store::RunStore::create(file, plan.zeroUnixNs()));
    for (std::size_t part = 0; part < plan.parts.size(); ++part) {
        const std::size_t holder = plan.holderOf(part);
        const bool isOurs = holder == peers.number();
        if (isOurs && head)
            add(own.opened.at(plan.parts[part].identity).store, *head);
        else if (isOurs)
            sendHead(peers, own.opened.at(plan.parts[part].identity).store, plan.zeroUnixNs(), piece);
        else if (head)
            receiveHead(peers, holder, *head, piece);
    }
    head.reset();
    const std::string content = peers.fromRoot(peers.isRoot() ? contentOf(file) : "");
    if (!peers.isRoot()) write(file, content);
    return file;
}

}  // namespace flowgauge::mpi
