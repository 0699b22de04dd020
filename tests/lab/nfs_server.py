# SPDX-License-Identifier: MIT
"""A kernel NFS server in the guest: on a host of its own, or beside the client."""
import pathlib
import subprocess

import two_hosts

EXPORT = pathlib.Path("/srv")
MOUNTD_PORT, RDMA_PORT, LEASE_S = 20048, 20049, 10
# Bytes of a READ reply beyond its data, the RPC header included; data is filled up to a multiple of four.
READ_OVERHEAD = {"3": 128, "4.0": 60, "4.1": 104, "4.2": 104}


def shell(script):
    """Runs a shell script, which must succeed, and returns what it prints."""
    done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{script}\n-> {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class ThisHost:
    """The guest itself, in the shape of two_hosts.Host."""
    pid = "1"

    def __init__(self):
        self.addresses = {}

    @staticmethod
    def command(*words):
        return list(map(str, words))

    def do(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True, check=True).stdout

    def close(self):
        """It ends with the guest."""


def another_host(folder):
    """A host named store, joined with the guest itself by a wire; its end here is named data."""
    shell("modprobe veth")
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n10.99.1.1 node\n10.99.1.2 store\n")
    host = two_hosts.Host("store", folder / "tmp-store", hosts)
    two_hosts.join(ThisHost(), "data", host, "to-node", "10.99.1")
    return host, host.addresses["to-node"]


class NfsServer:
    """Exports EXPORT, a folder in memory; versions 3 to 4.2, over TCP."""

    def __init__(self, host, address):
        self.host, self.address, self.mounted = host, address, []
        shell("modprobe -a nfsd nfs nfsv3 nfsv4")
        self.do(f"mount -t tmpfs tmpfs {EXPORT}; mount -t tmpfs tmpfs /run; mkdir -p /run/rpcbind /var/lib/nfs/rpc_pipefs")
        self.do("mount -t rpc_pipefs pipes /var/lib/nfs/rpc_pipefs; mount -t nfsd nfsd /proc/fs/nfsd")
        self.do(f"echo '{EXPORT} *(rw,fsid=0,no_root_squash,insecure,no_subtree_check)' >/etc/exports")
        self.do("touch /var/lib/nfs/etab /var/lib/nfs/rmtab")
        self.do(f"rpcbind -w; exportfs -ra; rpc.nfsd --grace-time {LEASE_S} --lease-time {LEASE_S} 2; rpc.mountd -p {MOUNTD_PORT}")

    def command(self, script):
        """The words that run a shell script on the server's host."""
        return self.host.command("sh", "-ec", script)

    def do(self, script):
        return self.host.do("sh", "-ec", script)

    def listen_for_rdma(self):
        self.do(f"modprobe rpcrdma; echo 'rdma {RDMA_PORT}' >/proc/fs/nfsd/portlist")

    def write(self, name, size):
        self.do(f"head -c {size} /dev/urandom >{EXPORT / name}")

    def mount(self, place, version, *options, address=None, on=None):
        """Mounts the export; version 3 names its ports, so the client needs no rpcbind. `address`: another one of the server's.
        `on`: a host other than the guest itself."""
        address = address or self.address
        place.mkdir(parents=True, exist_ok=True)
        if version == "3":
            device = f"{address}:{EXPORT}"
            options = ("nolock", f"mountport={MOUNTD_PORT}", "mountproto=tcp", *(options or ("proto=tcp", "port=2049")))
        else:
            device = f"{address}:/"
        command = f"mount -t nfs -o {','.join((f'vers={version}', *options))} {device} {place}"
        if on is None:
            shell(command)
            self.mounted.append(place)
        else:
            on.do("sh", "-ec", command)
        return place

    def close(self):
        for place in self.mounted:
            subprocess.run(["umount", "-f", "-l", place], capture_output=True, check=False)
        self.host.close()
