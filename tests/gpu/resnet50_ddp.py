# SPDX-License-Identifier: MIT
"""ResNet-50 v1.5 trained in plain PyTorch on made-up pictures: the job that the measurements on a GPU record.

Alone, or as one of WORLD_SIZE ranks (RANK, MASTER_PORT) under DistributedDataParallel. Each step is an NVTX range and ends with the device
idle, so that a step's kernels lie inside of it. Prints one line of JSON: seconds of the steps, and with --profile what PyTorch's own
profiler saw of them.
"""
import argparse
import json
import os
import time

import torch
import torch.distributed as dist
from torch import nn


class Bottleneck(nn.Module):
    def __init__(self, inside, width, stride):
        super().__init__()
        outside = width * 4
        self.body = nn.Sequential(
            nn.Conv2d(inside, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, outside, 1, bias=False), nn.BatchNorm2d(outside))
        self.around = nn.Sequential()
        if stride != 1 or inside != outside:
            self.around = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        return torch.relu(self.body(x) + self.around(x))


def resnet50():
    layers, inside = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for layer, (blocks, width) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512))):
        for block in range(blocks):
            layers.append(Bottleneck(inside, width, 2 if layer and not block else 1))
            inside = width * 4
    model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, 1000))
    if sum(parameter.numel() for parameter in model.parameters()) != 25_557_032:
        raise SystemExit("this is no ResNet-50: it should have 25,557,032 parameters")
    return model


class Job:
    def __init__(self, words):
        self.words, self.device, self.ranks = words, torch.device(words.device), int(os.environ.get("WORLD_SIZE", "1"))
        torch.manual_seed(0)
        torch.backends.cudnn.benchmark = False  # the same kernels in every run
        if self.ranks > 1:
            os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
            dist.init_process_group("nccl" if self.device.type == "cuda" else "gloo")
        self.model = resnet50().to(self.device)
        if self.ranks > 1:
            self.model = nn.parallel.DistributedDataParallel(self.model, bucket_cap_mb=words.bucket_mb, broadcast_buffers=False)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9)
        self.pictures = torch.rand(words.batch, 3, words.px, words.px, pin_memory=self.device.type == "cuda")
        self.labels = torch.randint(1000, (words.batch,), device=self.device)

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def range(self, name):
        return torch.cuda.nvtx.range(name) if self.device.type == "cuda" else torch.autograd.profiler.record_function(name)

    def step(self):
        self.optimizer.zero_grad()
        with self.range("forward"):
            loss = nn.functional.cross_entropy(self.model(self.pictures.to(self.device, non_blocking=True)), self.labels)
        with self.range("backward"):
            loss.backward()
        self.optimizer.step()
        self.wait()

    def steps(self):
        begin = time.perf_counter()
        for number in range(self.words.steps):
            with self.range(f"step {number}"):
                self.step()
        return time.perf_counter() - begin

    def profiled(self):
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CUDA if self.device.type == "cuda" else ProfilerActivity.CPU]) as profiler:
            seconds = self.steps()
        kernels = [event for event in profiler.events()
                   if event.device_type.name == "CUDA" and not event.name.startswith(("Memcpy", "Memset"))
                   and not getattr(event, "is_user_annotation", False)]
        return {"wall_s": seconds, "kernels": len(kernels), "kernel_us": sum(event.time_range.elapsed_us() for event in kernels)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--px", type=int, default=128)
    parser.add_argument("--bucket-mb", type=float, default=25)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--device", default="cuda:0")
    job = Job(parser.parse_args())
    for _ in range(job.words.warmup):
        job.step()
    said = job.profiled() if job.words.profile else {"wall_s": job.steps()}
    print(json.dumps(said), flush=True)
    if job.ranks > 1:
        dist.destroy_process_group()


main()
