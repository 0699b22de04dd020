#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is the report right? Simulates runs with up to three faults and healthy ones, and holds the reports against the truth tables.

    truth.py [--runs 200] [--healthy 40] [--seed 1] [--most 3] [--build DIR] [--bad]

A fault counts when the job would be at least 5 % shorter without it. Precision: of the runs that a report calls faulty, the share whose
top finding names a fault that is within 2 points of the costliest one. Recall: of the runs with a fault that counts, the share in which
that is so. --bad prints every run that is judged wrongly.
"""
import argparse
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WORTH, CLOSE = 0.05, 0.02
# Two that explain the same waiting hide one another: their counterfactuals say nothing.
ALONE = ({"slow_storage", "small_reads", "slow_loader", "straggler"}, {"shuffle_pause", "checkpoint"})


def healthy_job(dice):
    """A job that no report should complain of: overlapped, with storage and links to spare."""
    nodes, gpus = dice.choice([(1, 2), (1, 4), (2, 1), (2, 2), (4, 1), (4, 2)])
    batch = dice.choice([16, 32, 48])
    steps = dice.randint(40, 70)
    samples = batch * nodes * gpus * steps
    return {
        "seed": dice.randrange(1 << 30),
        "cluster": {"nodes": nodes, "gpus_per_node": gpus, "memory_gb": 64},
        "link": {"gbps": 200, "scheme": dice.choice(["ring", "hierarchical"])},
        "data": {"samples": samples, "bytes": samples * 1e5, "files": 16, "shard_rule": dice.choice(["sticky", "reshuffle", "rotate"])},
        "model": {"compute_ms": dice.randint(60, 160), "batch_per_gpu": batch, "jitter": 0.004},
        "training": {"epochs": dice.randint(3, 5), "evaluate_every": 2, "evaluation_s": 0.3},
        "recording": {"counters_per_second": 20, "epoch_marks": dice.random() < 0.5},
    }


def amount_of(kind, job, dice):
    """How much of a fault costs this job something like a tenth to a third of its time."""
    step_ms, batch = job["model"]["compute_ms"], job["model"]["batch_per_gpu"]
    nodes = job["cluster"]["nodes"]
    step_bytes = batch * 1e5
    slower = dice.uniform(1.2, 1.7)
    if kind == "slow_storage":  # of all nodes together
        return step_bytes * job["cluster"]["gpus_per_node"] * nodes / (step_ms * slower * 2) / 1e3
    if kind == "small_reads":  # 15 us a call
        return step_bytes / (step_ms * slower * 1e3 / 15) / 1e3
    if kind == "slow_loader":
        return step_ms * slower
    if kind == "slow_link":
        return 51.1e6 * 8 / (step_ms * slower * 1e-3) / 1e9
    if kind == "straggler":
        return slower - 1
    if kind in ("shuffle_pause", "checkpoint"):
        epoch_s = step_ms * job["data"]["samples"] / (batch * nodes * job["cluster"]["gpus_per_node"]) / 1e3
        return epoch_s * (slower - 1)
    return 0


def faulty_job(dice, most):
    job = healthy_job(dice)
    kinds = ["slow_storage", "small_reads", "slow_loader", "straggler", "shuffle_pause"]
    if job["cluster"]["nodes"] > 1:
        kinds.append("slow_link")
    dice.shuffle(kinds)
    chosen = []
    for kind in kinds[: dice.randint(1, most)]:
        if not any(kind in group and group & set(chosen) for group in ALONE):
            chosen.append(kind)
    ranks = job["cluster"]["nodes"] * job["cluster"]["gpus_per_node"]
    job["faults"] = [{"kind": kind, "amount": amount_of(kind, job, dice), "rank": dice.randrange(ranks)} for kind in chosen]
    return job


def judge(build, folder, job, name):
    """Simulates and reports; returns (truth, report, largest difference of epoch borders in steps)."""
    (folder / "job.json").write_text(json.dumps(dict(job, title=name)))
    run = folder / "run"
    subprocess.run([build / "bin/flowgauge-simulate", folder / "job.json", "-o", run, "-q", "--force"], check=True)
    done = subprocess.run([build / "bin/flowgauge", "report", run, "--format", "json"], check=True, capture_output=True, text=True)
    truth, report = json.loads((run / "truth.json").read_text()), json.loads(done.stdout)
    with sqlite3.connect(run / "run.db") as database:
        epochs = database.execute("SELECT begin_ns, end_ns FROM epoch ORDER BY number").fetchall()
    told = [border for epoch in epochs for border in epoch]
    true = [epoch[key] for epoch in truth["epochs"] for key in ("begin_ns", "end_ns")]
    step = report["breakdown"]["length_ns"]
    off = max(abs(a - b) for a, b in zip(told, true)) / step if len(told) == len(true) else float("inf")
    return truth, report, off


def worst_part(truth, report):
    """Largest difference of a part's share."""
    return max(abs(part["share"] - truth["parts"].get(part["part"], 0)) for part in report["breakdown"]["parts"])


def names_the_costliest(truth, report):
    """Whether the top finding names a fault that is about as costly as the costliest."""
    most = max(fault["gain"] for fault in truth["faults"])
    close = [name for fault in truth["faults"] if fault["gain"] >= most - CLOSE for name in fault["diagnoses"]]
    return bool(report["findings"]) and report["findings"][0]["diagnosis"] in close


class Score:
    def __init__(self):
        self.faulty = self.alarms = self.right = self.healthy = self.false_alarms = 0
        self.share = self.border = self.gain = 0.0

    def take(self, truth, report, off):
        """True when the report is right."""
        self.share = max(self.share, worst_part(truth, report))
        self.border = max(self.border, off)
        alarm = not report["healthy"]
        if not truth["faults"]:
            self.healthy += 1
            self.false_alarms += alarm
            return not alarm
        if max(fault["gain"] for fault in truth["faults"]) < WORTH:
            return True
        self.faulty += 1
        self.alarms += alarm
        right = alarm and names_the_costliest(truth, report)
        self.right += right
        return right

    def lines(self):
        precision = self.right / self.alarms if self.alarms else 0
        recall = self.right / self.faulty if self.faulty else 0
        return [f"top finding: precision {precision:.3f}, recall {recall:.3f} over {self.faulty} runs with a fault that counts; goal 0.95 each",
                f"shares: worst difference {self.share * 100:.2f} points; goal 2",
                f"epoch borders: worst difference {self.border:.2f} steps; goal 1",
                f"healthy runs: {self.false_alarms} false alarms in {self.healthy}; goal 0"]


def describe(truth, report, off):
    faults = ", ".join(f"{fault['kind']} {fault['gain'] * 100:.1f} %" for fault in truth["faults"]) or "healthy"
    told = ", ".join(f"{finding['diagnosis']} {finding['gain'] * 100:.1f} %" for finding in report["findings"][:3]) or "nothing"
    return f"  {truth['title']}: true {faults}; told {told}; borders {off:.2f} steps"


def measure(build, runs, healthy, seed, most=3, show_bad=False):
    score = Score()
    with tempfile.TemporaryDirectory(prefix="flowgauge-truth-") as folder:
        for number in range(runs + healthy):
            dice = random.Random(f"{seed}-{number}")
            job = faulty_job(dice, most) if number < runs else healthy_job(dice)
            judged = judge(build, pathlib.Path(folder), job, f"run {number}")
            if not score.take(*judged) and show_bad:
                print(describe(*judged), flush=True)
    return score


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--healthy", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("FLOWGAUGE_BUILD", SOURCE / "build/release")))
    parser.add_argument("--most", type=int, default=3, choices=(1, 2, 3), help="most faults in a run")
    parser.add_argument("--bad", action="store_true", help="print every run that is judged wrongly")
    words = parser.parse_args()
    print("\n".join(measure(words.build, words.runs, words.healthy, words.seed, words.most, words.bad).lines()))


if __name__ == "__main__":
    main()
