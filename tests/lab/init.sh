#!/bin/busybox sh
# SPDX-License-Identifier: MIT
# First process of the lab's guest: makes a root out of the host's files under a layer of memory and runs one script in it.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in $($b cat /modules/order); do $b insmod "/modules/$module"; done

nine=trans=virtio,version=9p2000.L,msize=262144
root=/layer/root
$b mount -t 9p -o $nine,ro,cache=loose host /host
$b mount -t tmpfs layer /layer
$b mkdir -p /layer/upper /layer/work $root
$b mount -t overlay -o lowerdir=/host,upperdir=/layer/upper,workdir=/layer/work overlay $root
$b mount -t proc proc $root/proc
$b mount -t sysfs sys $root/sys
$b mount -t cgroup2 cgroup $root/sys/fs/cgroup
$b mount -t devtmpfs dev $root/dev
$b ln -sf /proc/self/fd $root/dev/fd
$b mkdir -p $root/dev/shm $root/dev/pts
$b mount -t devpts devpts $root/dev/pts
for folder in run tmp dev/shm var/lib/nfs; do $b mkdir -p $root/$folder && $b mount -t tmpfs tmpfs $root/$folder; done
$b ln -sf /proc/self/mounts $root/etc/mtab  # rpc.mountd crashes without it

# Behind /tmp, which is empty here, may lie what was built and its source.
while read -r tag path; do
    $b mkdir -p "$root$path"
    $b mount -t 9p -o $nine,ro,cache=loose "$tag" "$root$path"
done </shares
modules=$root/usr/lib/modules/$($b uname -r)
$b mkdir -p "$root/usr/lib/modules" "$modules"
$b mount -t 9p -o $nine,ro,cache=loose modules "$modules"

$b stty -F /dev/ttyS1 raw
$b cp /command.sh $root/run/command.sh
# A true change of root, not chroot alone: namespaces that tests make, and the kernel when it wants a module, begin at the true root.
exec $b switch_root $root /bin/bash /run/command.sh </dev/null >/dev/ttyS1 2>&1
