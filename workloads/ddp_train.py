#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An ordinary PyTorch job: DistributedDataParallel over gloo, a DataLoader with workers, JPEG files or record shards.

    ddp_train.py DATA [--ranks 2] [--workers 2] [--start-method fork|spawn|forkserver] [--epochs 2] [--payload FILE]
    torchrun --nproc-per-node 2 ddp_train.py DATA ...
    mpirun -np 2 -x MASTER_ADDR=... -x MASTER_PORT=... ddp_train.py DATA ...

It knows nothing of any profiler. DATA is a folder of JPEG files in folders, one a class (make_dataset --files), or a record-shard set
(make_dataset). Without a launcher's environment it starts --ranks processes itself. Needs Debian's python3-torch and python3-pil.
--payload writes how many bytes of data each epoch had to read, by file sizes: PIL reads a header twice in some files, so a count of
read calls may exceed it by some bytes a file."""
import argparse
import gc
import io
import json
import os
import pathlib
import socket
import struct
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch: OpenMP's waiting threads would eat the cores of the other ranks
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

try:
    import torch
    import torch.distributed as dist
    from PIL import Image
    from torch import nn
    from torch.utils.data import DataLoader, Dataset
    from torch.utils.data.distributed import DistributedSampler
except ImportError as missing:
    sys.exit(f"ddp_train.py: {missing}; on Debian: apt-get install python3-torch python3-pil, then use /usr/bin/python3")


def picture(source, pixels):
    """A decoded image as a float tensor (3, pixels, pixels), about mean 0 and deviation 1."""
    with Image.open(source) as image:
        rgb = image.convert("RGB").resize((pixels, pixels))
    flat = torch.frombuffer(bytearray(rgb.tobytes()), dtype=torch.uint8)
    return (flat.view(pixels, pixels, 3).permute(2, 0, 1).float() - 118) / 58


class JpegFolder(Dataset):
    """DATA/<class>/<name>.jpg; each item opens and reads one file."""

    def __init__(self, folder, pixels):
        classes = sorted(entry for entry in folder.iterdir() if entry.is_dir())
        self.files = [(str(file), label) for label, one in enumerate(classes) for file in sorted(one.glob("*.jpg"))]
        self.sizes = [os.path.getsize(file) for file, _ in self.files]
        self.pixels, self.classes = pixels, len(classes)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        file, label = self.files[index]
        return picture(file, self.pixels), label


class RecordShards(Dataset):
    """A record-shard set: each item is one pread of an open shard. The format stands in workloads/data/record_format.h."""

    HEADER, INDEX_HEADER, ENTRY = struct.Struct("<II"), struct.Struct("<8sQII"), struct.Struct("<QIIII")

    def __init__(self, folder, pixels):
        index = (folder / "train.idx").read_bytes()
        magic, records, _, self.classes = self.INDEX_HEADER.unpack_from(index)
        if magic != b"FGIDX001" or len(index) != self.INDEX_HEADER.size + records * self.ENTRY.size:
            sys.exit(f"ddp_train.py: {folder / 'train.idx'}: not an index of a record-shard set")
        self.entries = [entry[:4] for entry in self.ENTRY.iter_unpack(index[self.INDEX_HEADER.size:])]
        self.sizes = [length + self.HEADER.size for _, length, _, _ in self.entries]
        self.folder, self.pixels, self.shards = folder, pixels, {}

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, index):
        offset, length, shard, label = self.entries[index]
        if shard not in self.shards:  # opened in the worker that needs it
            self.shards[shard] = os.open(self.folder / f"train-{shard:05}.rec", os.O_RDONLY | os.O_CLOEXEC)
        record = os.pread(self.shards[shard], self.HEADER.size + length, offset)
        return picture(io.BytesIO(record[self.HEADER.size:]), self.pixels), label


def open_data(folder, pixels):
    data = RecordShards(folder, pixels) if (folder / "train.idx").exists() else JpegFolder(folder, pixels)
    if len(data) == 0:
        sys.exit(f"ddp_train.py: {folder}: neither a record-shard set nor folders of .jpg files")
    return data


def make_model(name, classes):
    if name == "resnet50":
        try:
            from torchvision.models import resnet50
        except ImportError:
            sys.exit("ddp_train.py: --model resnet50 needs torchvision (Debian: python3-torchvision)")
        return resnet50(num_classes=classes)
    block = lambda into, out: nn.Sequential(nn.Conv2d(into, out, 3, 2, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())
    return nn.Sequential(block(3, 16), block(16, 32), block(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, classes))


class Meter:
    """The last value and the mean of all."""

    def __init__(self):
        self.last = self.total = 0.0
        self.count = 0

    def add(self, value):
        self.last, self.total, self.count = value, self.total + value, self.count + 1

    def __str__(self):
        return f"{self.last:6.3f} ({self.total / max(self.count, 1):6.3f})"


def train_epoch(epoch, model, loader, optimizer, options):
    """One pass; prints as PyTorch's own ImageNet example does. Returns the samples this rank saw."""
    spent, waited, loss_meter, hits, samples = Meter(), Meter(), Meter(), Meter(), 0
    before = time.monotonic()
    for step, (pictures, labels) in enumerate(loader):
        waited.add(time.monotonic() - before)
        scores = model(pictures)
        loss = nn.functional.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        samples += len(labels)
        loss_meter.add(loss.item())
        hits.add(100 * (scores.argmax(1) == labels).float().mean().item())
        spent.add(time.monotonic() - before)
        before = time.monotonic()
        if dist.get_rank() == 0 and step % options.print_every == 0:
            print(f"Epoch: [{epoch}][{step:3d}/{len(loader)}]\tTime {spent}\tData {waited}\tLoss {loss_meter}\tAcc@1 {hits}", flush=True)
    return samples


def run(rank, size, options):
    dist.init_process_group("gloo", rank=rank, world_size=size)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    data = open_data(options.data, options.image)
    sampler = DistributedSampler(data, num_replicas=size, rank=rank, shuffle=True, seed=options.seed)
    loader = DataLoader(data, batch_size=options.batch, sampler=sampler, num_workers=options.workers,
                        multiprocessing_context=options.start_method if options.workers > 0 else None)
    model = nn.parallel.DistributedDataParallel(make_model(options.model, data.classes))
    optimizer = torch.optim.SGD(model.parameters(), lr=options.learning_rate, momentum=0.9, weight_decay=1e-4)
    epochs = []
    for epoch in range(options.epochs):
        sampler.set_epoch(epoch)
        mine = sum(data.sizes[index] for index in sampler)
        samples = train_epoch(epoch, model, loader, optimizer, options)
        shares = [None] * size
        dist.all_gather_object(shares, {"rank": rank, "bytes": mine, "samples": samples})
        epochs.append({"number": epoch + 1, "bytes": sum(share["bytes"] for share in shares),
                       "samples": sum(share["samples"] for share in shares), "ranks": shares})
    if rank == 0 and options.payload:
        total = sum(epoch["bytes"] for epoch in epochs)
        options.payload.write_text(json.dumps({"bytes": total, "files": len(data), "epochs": epochs}, indent=1) + "\n")
    # The model must not be the last to hold the process group: its end would wait, with Python's lock, for threads that want that lock.
    del model, optimizer
    gc.collect()
    dist.destroy_process_group()


def first_set(*names):
    return next((int(os.environ[name]) for name in names if name in os.environ), None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=2, help="processes to start where no launcher did (2)")
    parser.add_argument("--workers", type=int, default=2, help="DataLoader workers a rank (2)")
    parser.add_argument("--start-method", choices=["fork", "spawn", "forkserver"], default="fork", help="of the workers (fork)")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--image", type=int, default=32, help="edge of the pictures the model sees, pixels (32)")
    parser.add_argument("--model", choices=["cnn", "resnet50"], default="cnn")
    parser.add_argument("--learning-rate", type=float, default=0.05)
    parser.add_argument("--print-every", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--payload", type=pathlib.Path, help="write the data bytes of each epoch to this file as JSON")
    options = parser.parse_args()
    options.data = options.data.resolve()
    if not options.data.is_dir():
        sys.exit(f"ddp_train.py: {options.data}: no such folder")
    rank, size = first_set("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"), first_set("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
    if rank is not None and size is not None:
        return run(rank, size, options)
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(free_port()))
    torch.multiprocessing.spawn(run, args=(options.ranks, options), nprocs=options.ranks)


if __name__ == "__main__":
    main()
