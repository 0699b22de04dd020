#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots Debian's kernel under QEMU with this machine's own files as its user land and runs one Python test in it, as root.

    boot.py [--seconds N] [--memory MIB] TEST.py [ARGUMENTS]

So a test gets what a host or a container lacks: an NFS client and server, soft-RoCE, namespaces, mountstats. The guest's root is this
machine's, read-only under a layer of memory; the source and the build (FLOWGAUGE_BUILD) lie where they lie here. Exit status and output
are the test's; 77, with the reason, where there is no QEMU. QEMU translates the guest (tcg), which any machine lets it do, at a tenth of
the speed; FLOWGAUGE_LAB_ACCEL=kvm has the processor run it, where that works: inside some virtual machines /dev/kvm is there and hangs.
"""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

LAB = pathlib.Path(__file__).resolve().parent
SOURCE = LAB.parents[1]
BUILD = pathlib.Path(os.environ.get("FLOWGAUGE_BUILD", SOURCE / "build" / "dev")).resolve()
QEMU = "qemu-system-x86_64"
# Without no_timer_check the kernel counts timer ticks at its start, and panics where a busy machine lets the guest have too few of them.
KERNEL_WORDS = "console=ttyS0 quiet panic=-1 mitigations=off no_timer_check"
SKIPPED, NO_END = 77, 124
# What must be there before the root is; all other modules come from it.
FIRST_MODULES = ("virtio_pci", "9pnet_virtio", "9p", "overlay", "virtio_rng")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Writing to QEMU's isa-debug-exit device ends the machine; QEMU's exit status is then twice the byte, plus one.
GUEST_SCRIPT = r"""export {settings}
hostname node
ip link set lo up
cd {folder}
{words} 2>&1 | cat
printf "\x$(printf %x $((PIPESTATUS[0] + 1)))" | dd of=/dev/port bs=1 seek=244 status=none
"""


class Trouble(Exception):
    """The lab cannot be made; the text says why."""


def output_of(*command, **options):
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{SYSTEM_PATH}"}  # modprobe is not in everybody's
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=environment, **options)
    if done.returncode != 0:
        raise Trouble(f"{command[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


class Kernel:
    """Debian's kernel package, unpacked and not installed: no boot loader and no other kernel's files are touched. Kept in the build."""

    def __init__(self, folder):
        if not (folder / "complete").exists():
            self.fetch(folder)
        self.version, = (entry.name for entry in (folder / "lib/modules").iterdir())
        self.image = folder / "boot" / f"vmlinuz-{self.version}"
        self.modules = folder / "lib/modules" / self.version
        self.base = folder

    @staticmethod
    def fetch(folder):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        depends = [line.split()[-1] for line in output_of("apt-cache", "depends", "linux-image-amd64").splitlines() if "Depends:" in line]
        output_of("apt-get", "-o", "APT::Sandbox::User=root", "download", depends[0], cwd=folder)
        package, = folder.glob("*.deb")
        output_of("dpkg", "-x", package, folder)
        package.unlink()
        version, = (entry.name for entry in (folder / "lib/modules").iterdir())
        output_of("depmod", "-b", folder, version)
        (folder / "complete").touch()

    def files_of(self, modules):
        """The modules' files and those that they need, in the order in which they are to be loaded."""
        files = {}
        for module in modules:
            for line in output_of("modprobe", "-d", self.base, "-S", self.version, "--show-depends", module).splitlines():
                if line.startswith("insmod"):
                    files[pathlib.Path(line.split()[1])] = None
        return list(files)


def write_initial_root(archive, kernel, command, shares):
    """The files that the kernel starts from: busybox, a few modules, init.sh, the command and the list of shares."""
    with tempfile.TemporaryDirectory(prefix="flowgauge_lab_") as temporary:
        root = pathlib.Path(temporary)
        for folder in ("bin", "proc", "sys", "dev", "host", "layer", "modules"):
            (root / folder).mkdir()
        shutil.copy(shutil.which("busybox"), root / "bin/busybox")
        shutil.copy(LAB / "init.sh", root / "init")
        files = kernel.files_of(FIRST_MODULES)
        for file in files:
            shutil.copy(file, root / "modules")
        (root / "modules/order").write_text("".join(f"{file.name}\n" for file in files))
        (root / "shares").write_text("".join(f"{tag} {path}\n" for tag, path in shares.items()))
        (root / "command.sh").write_text(command)
        (root / "init").chmod(0o755)
        names = "".join(f"{path.relative_to(root)}\n" for path in root.rglob("*"))
        with open(archive, "wb") as file:
            subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], input=names.encode(), stdout=file, cwd=root, check=True)


def share(tag, path):
    """Arguments that give the guest a folder, read-only."""
    return ["-fsdev", f"local,id={tag},path={path},security_model=none,multidevs=remap,readonly=on",
            "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]


def guest_command(words):
    """The script that runs the words in the guest and ends it. Programs are not to take the serial line for somebody's terminal."""
    environment = {"PATH": SYSTEM_PATH, "HOME": "/root", "LANG": "C.UTF-8", "FLOWGAUGE_BUILD": BUILD}
    settings = " ".join(f"{name}={shlex.quote(str(value))}" for name, value in environment.items())
    return GUEST_SCRIPT.format(settings=settings, folder=shlex.quote(str(LAB)), words=shlex.join(map(str, words)))


def machine(kernel, archive, console, shares, memory_mib):
    """The command line that starts the guest: two processors, no network, one serial line for the kernel and one for the test."""
    folders = {"host": "/", "modules": kernel.modules, **shares}
    accelerator = os.environ.get("FLOWGAUGE_LAB_ACCEL", "tcg")
    return [QEMU, "-machine", f"q35,accel={accelerator}", "-cpu", "max", "-smp", "2", "-m", str(memory_mib),
            "-display", "none", "-no-reboot", "-nic", "none", "-serial", f"file:{console}", "-serial", "stdio",
            "-kernel", str(kernel.image), "-initrd", str(archive), "-append", KERNEL_WORDS,
            "-device", "virtio-rng-pci", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04",
            *(word for tag, path in folders.items() for word in share(tag, path))]


def boot(words, seconds, memory_mib):
    """Runs the words in a guest and returns their status. Their output goes to stdout; the kernel's to stderr if it does not end."""
    kernel = Kernel(BUILD / "lab-kernel")
    shares = {"build": BUILD, "source": SOURCE}
    with tempfile.TemporaryDirectory(prefix="flowgauge_lab_") as folder:
        archive, console = pathlib.Path(folder) / "initial.cpio", pathlib.Path(folder) / "console"
        write_initial_root(archive, kernel, guest_command(words), shares)
        try:
            command = machine(kernel, archive, console, shares, memory_mib)
            status = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=seconds, check=False).returncode
        except subprocess.TimeoutExpired:
            status = 0
        if status % 2 == 1 and status > 1:  # 1 is QEMU's own trouble
            return status // 2 - 1
        print(console.read_text(errors="replace"), file=sys.stderr)
        raise Trouble(f"the guest did not end by itself within {seconds} s; above is what its kernel said")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=600, help="until the guest is stopped")
    parser.add_argument("--memory", type=int, default=2048, help="of the guest, in MiB")
    parser.add_argument("test", type=pathlib.Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if shutil.which(QEMU) is None:
        print(f"skipped: {QEMU} is not installed")
        return SKIPPED
    try:
        return boot(["/usr/bin/python3", "-B", given.test.resolve(), *given.arguments], given.seconds, given.memory)
    except Trouble as trouble:
        print(f"lab: {trouble}", file=sys.stderr)
        return NO_END


if __name__ == "__main__":
    sys.exit(main())
