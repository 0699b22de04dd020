# SPDX-License-Identifier: MIT
"""Hosts made of namespaces: each has its own name, network, mounts and, where the kernel lets, clocks since boot. Needs root."""
import os
import shutil
import subprocess

from harness import FLOWGAUGE, find_mpirun

FORWARDED = ("LD_PRELOAD", "FLOWGAUGE_RUN", "FLOWGAUGE_RUN_ID", "FLOWGAUGE_LAUNCHER", "FLOWGAUGE_SAMPLE")
AGENT = """#!/bin/sh
# What ssh would do: the words behind the host's name, in the other host, with none of this host's environment.
shift
exec nsenter {flags} env -i PATH="$PATH" HOME="$HOME" TMPDIR={tmp} sh -c "$*"
"""


def why_not():
    """Why no hosts can be made here, or None."""
    if os.geteuid() != 0:
        return "needs root to make network and host name namespaces"
    for program in ("unshare", "nsenter", "ip"):
        if shutil.which(program) is None:
            return f"needs {program}"
    trial = "hostname trial && mount -t tmpfs none /tmp && ip link add one type veth peer name other"
    tried = subprocess.run(["unshare", "--net", "--uts", "--mount", "--fork", "sh", "-c", trial], capture_output=True, text=True, check=False)
    return f"hosts cannot be made here: {tried.stderr.strip()}" if tried.returncode != 0 else None


def clocks_can_differ():
    return subprocess.run(["unshare", "--time", "--monotonic", "1", "--fork", "true"], capture_output=True, check=False).returncode == 0


class Host:
    """A sleeping process keeps the namespaces. `tmp` is a temporary folder that only this host sees."""

    def __init__(self, name, tmp, hosts_file, booted_s=0):
        tmp.mkdir()
        self.name, self.tmp, self.addresses = name, tmp, {}
        clock = ["--time", "--monotonic", str(booted_s), "--boottime", str(booted_s)] if booted_s and clocks_can_differ() else []
        self.own_clock = bool(clock)
        script = (f"hostname {name} && mount -t tmpfs none {tmp} && mount --bind {hosts_file} /etc/hosts && ip link set lo up"
                  " && echo $$ && exec sleep 1000")
        self.holder = subprocess.Popen(["unshare", "--net", "--uts", "--mount", *clock, "--fork", "--kill-child", "sh", "-c", script],
                                       stdout=subprocess.PIPE, text=True)
        self.pid = self.holder.stdout.readline().strip()

    def flags(self):
        return [f"--target={self.pid}", "--net", "--uts", "--mount", *(["--time"] if self.own_clock else [])]

    def command(self, *words):
        return ["nsenter", *self.flags(), "env", f"TMPDIR={self.tmp}", *map(str, words)]

    def do(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True, check=True).stdout

    def counters(self, interface):
        """(received, sent) bytes of an interface so far."""
        lines = [line.split() for line in self.do("cat", "/proc/net/dev").splitlines()]
        found = next(words for words in lines if words[0] == f"{interface}:")
        return int(found[1]), int(found[9])

    def write_agent(self, file):
        """A launch agent that starts Open MPI's daemon on this host."""
        file.write_text(AGENT.format(flags=" ".join(self.flags()), tmp=self.tmp))
        file.chmod(0o755)
        return file

    def close(self):
        self.holder.kill()
        self.holder.wait()
        self.holder.stdout.close()


def join(one, one_end, other, other_end, net):
    """A veth pair between two hosts: addresses net.1 and net.2. An end's name is its interface's."""
    subprocess.run(["ip", "link", "add", one_end, "netns", one.pid, "type", "veth", "peer", "name", other_end, "netns", other.pid], check=True)
    for host, end, address in ((one, one_end, f"{net}.1"), (other, other_end, f"{net}.2")):
        host.do("ip", "address", "add", f"{address}/24", "dev", end)
        host.do("ip", "link", "set", end, "up")
        host.addresses[end] = address


def connect(hosts, end, net):
    """One switch and a port of that name on each host: addresses net.1, net.2, ... in the hosts' order."""
    subprocess.run(["ip", "link", "add", "switch", "type", "bridge"], check=True)
    subprocess.run(["ip", "link", "set", "switch", "up"], check=True)
    for number, host in enumerate(hosts, 1):
        port = f"to-{host.name}"
        subprocess.run(["ip", "link", "add", port, "type", "veth", "peer", "name", end, "netns", host.pid], check=True)
        subprocess.run(["ip", "link", "set", port, "master", "switch", "up"], check=True)
        host.addresses[end] = f"{net}.{number}"
        host.do("ip", "address", "add", f"{net}.{number}/24", "dev", end)
        host.do("ip", "link", "set", end, "up")


def job_on(first, second, agent, port, run_folder, words, settings=()):
    """`flowgauge run` on the first host of an MPI program, one rank on each, whose traffic goes through the port of that name.
    settings: NAME=value of both hosts. Open MPI alone: its launch agent can be replaced."""
    mca = {"plm_rsh_agent": second.write_agent(agent), "btl": "tcp,self", "btl_tcp_if_include": port, "oob_tcp_if_include": port}
    names = dict.fromkeys((*FORWARDED, *(setting.partition("=")[0] for setting in settings)))
    launcher = [*find_mpirun("openmpi"), "--bind-to", "none", "-H", f"{first.name},{second.name}", "-np", 2,
                *(word for pair in mca.items() for word in ("--mca", *pair)), *(word for name in names for word in ("-x", name))]
    return first.command("env", "-u", "FLOWGAUGE_SPOOL", *settings, FLOWGAUGE, "run", "--sample=50", "-o", run_folder, "--", *launcher, *words)
