# SPDX-License-Identifier: MIT
"""The allreduce benchmark under `flowgauge run`: what was recorded between nodes is its own link table, to the byte; and its scheme in a trainer."""
import collections
import json
import os
import pathlib
import unittest

from harness import BUILD, RunTestCase, find_program
from training import TrainingTestCase

NOTHING = ("--min", "4KiB", "--max", "70001", "--chunk", "16KiB", "--iterations", "3", "--deadline-ms", "120000")  # sizes and parts that divide nothing


class GroupedTestCase(RunTestCase):
    program = "allreduce"

    def run_on(self, ranks, *words, env=None):
        return self.profile(self.program, *words, *NOTHING, "--ledger", "{job}/ledger-%r.json", ranks=ranks, env=env)

    def between_nodes(self, ledger):
        """Bytes by (node, node) of the table's links that leave a node."""
        sums, size = collections.Counter(), ledger["members"] // ledger["nodes"]
        for link in ledger["links"]:
            if link["from"] // size != link["to"] // size:
                sums[link["from"] // size, link["to"] // size] += link["bytes"]
        return dict(sums)

    def recorded(self, run, kind):
        end = {"send": "rank, peer", "recv": "peer, rank"}[kind]
        return {(one, other): size for one, other, size in run.rows(f"SELECT {end}, sum(bytes) FROM {kind} GROUP BY rank, peer")}

    def assert_links(self, run, ranks):
        self.assertEqual(len(run.ledgers), ranks)
        expected = self.between_nodes(run.ledgers[0])
        self.assertEqual(sorted(expected), sorted((node, (node + 1) % ranks) for node in range(ranks)))
        self.assertEqual(self.recorded(run, "send"), expected)
        self.assertEqual(self.recorded(run, "recv"), expected)
        self.assertEqual(run.drops(), 0)
        self.assertEqual(run.stdout.count("   ok\n"), 4)


class Grouped(GroupedTestCase):
    def test_links_between_nodes_carry_what_the_table_says(self):
        for ranks, members, groups in ((2, 3, 3), (3, 4, 2), (2, 6, 2), (3, 2, 1)):
            with self.subTest(ranks=ranks, members=members, groups=groups):
                run = self.run_on(ranks, "--algo", "grouped", "--members", members, "--group", groups)
                self.assertEqual(run.ledgers[0]["group_size"], groups)
                self.assert_links(run, ranks)

    def test_groups_of_one_process_need_no_network(self):
        run = self.run_on(None, "--algo", "grouped", "--members", 6, "--group", 2)
        self.assertEqual(run.stdout.count("   ok\n"), 4)
        self.assertEqual({(link["from"] // 2, link["to"] // 2) for link in run.ledger["links"] if link["from"] // 2 != link["to"] // 2},
                         {(0, 1), (1, 2), (2, 0)})
        self.assertEqual(run.row("SELECT count(*) FROM send"), (0,))

    def test_groups_that_leave_a_rest_are_refused_in_one_line(self):
        job = self.call([find_program("allreduce"), "--members", "6", "--group", "4"])
        self.assertNotEqual(job.returncode, 0)
        self.assertIn("allreduce: groups of 4 do not cut 6 members without a rest\n", job.stderr)

    def test_in_place_and_without_overlap_move_the_same(self):
        run = self.run_on(2, "--algo", "grouped", "--members", 2, "--in-place", "--no-overlap")
        self.assert_links(run, 2)

    def test_gpus_are_asked_for_by_name(self):
        for words in (("--algo", "nccl"), ("--backend", "cuda")):
            job = self.call([find_program("allreduce"), *words, "--max", "4KiB"])
            self.assertIn(job.returncode, (1, 2), "no GPU here, and maybe no nvcc either")
            self.assertRegex(job.stderr, "^allreduce(_cuda)?: ")

    def test_one_node_needs_no_network(self):
        run = self.run_on(None, "--algo", "grouped", "--members", 5)
        self.assertEqual(self.between_nodes(run.ledgers[0]), {})
        self.assertEqual(run.row("SELECT count(*) FROM send"), (0,))


@unittest.skipUnless((BUILD / "bin/allreduce_stand_in").exists(), "built without CUDA's headers")
class OnGpus(GroupedTestCase):
    """The CUDA back end itself, on a STAND-IN for the CUDA runtime (tests/fakes/cuda/stand_in_gpus.cpp) that refuses what a GPU would."""
    program = "allreduce_stand_in"
    NVML = str(BUILD / "fakes/cuda/nvml")

    def run_grouped(self, ranks, members, *words, **machine):
        env = {f"STAND_IN_{name}": str(value) for name, value in machine.items()}
        return self.run_on(ranks, "--backend", "cuda", "--members", members, *words, env=env)

    def test_nodes_exchange_by_mpi_what_the_table_says(self):
        run = self.run_grouped(2, 4, GPUS=4, ATOMICS="0-1,2-3")
        self.assertEqual(run.ledgers[0]["group_size"], 2)
        self.assert_links(run, 2)

    def test_virtual_members_share_one_gpu(self):
        for ranks, words in ((None, ()), (2, ()), (2, ("--in-place", "--no-overlap"))):
            with self.subTest(ranks=ranks, words=words):
                run = self.run_grouped(ranks, 5, *words, GPUS=1)
                self.assertEqual(run.ledgers[0]["group_size"], 5)
                self.assertEqual(run.stdout.count("   ok\n"), 4)

    def test_links_between_gpus_make_the_groups(self):
        """NVML's word counts where it is to be had, else whether the link carries atomics; without either each GPU is its own group."""
        nvml = {"LD_LIBRARY_PATH": self.NVML}
        for size, machine, env in ((2, {"GPUS": 2, "NVML": "nvlink"}, nvml), (1, {"GPUS": 2, "ATOMICS": "0-1"}, nvml),
                                   (4, {"GPUS": 4, "ATOMICS": "0-1,0-2,0-3,1-2,1-3,2-3"}, {}), (1, {"GPUS": 4}, {})):
            with self.subTest(size=size, machine=machine):
                ledger = self.folder / "ledger.json"
                job = self.call([find_program(self.program), "--backend", "cuda", "--members", "4", *NOTHING, "--ledger", ledger],
                                env={**os.environ, **env, **{f"STAND_IN_{name}": str(value) for name, value in machine.items()}})
                self.assertEqual(job.returncode, 0, job.stderr)
                self.assertEqual(json.loads(ledger.read_text())["group_size"], size if machine["GPUS"] == 4 else 2 * size)

    def test_what_does_not_reach_is_refused_in_one_line(self):
        machine = {**os.environ, "STAND_IN_GPUS": "2", "STAND_IN_NO_ACCESS": "0-1"}
        for words, said in ((("--group", "2"), "devices 0 and 1 do not reach each other's memory: choose smaller groups"),
                            (("--algo", "nccl"), "--algo nccl: this program was built without NCCL")):
            job = self.call([find_program(self.program), "--backend", "cuda", "--members", "2", *words], env=machine)
            self.assertNotEqual(job.returncode, 0)
            self.assertIn(f"allreduce: {said}\n", job.stderr)


class Mpi(RunTestCase):
    def test_each_operation_is_one_allreduce(self):
        run = self.profile("allreduce", "--algo", "mpi", "--min", "1000", "--max", "1000", "--iterations", "7", ranks=2)
        self.assertEqual(run.rows("SELECT rank, count(*), sum(bytes) FROM allreduce GROUP BY rank"), [(0, 7, 7000), (1, 7, 7000)])

    def test_a_node_that_does_not_come_ends_the_job(self):
        """A deadline so short that it is over before the other node can answer."""
        job = self.call([*self.launcher(2), str(self.find("allreduce")), "--algo", "grouped", "--deadline-ms", "0", "--max", "64MiB", "--min", "64MiB"])
        self.assertNotEqual(job.returncode, 0)
        self.assertIn("within the deadline", job.stderr)

    def find(self, name):
        from harness import find_program
        return find_program(name)


class GradientsOfATrainer(TrainingTestCase):
    WORDS = ("--epochs", 2, "--batch", 4, "--steps", 3, "--compute-ms", 1, "--scale", "0.01", "--evaluate-every", 0)

    def model_of(self, way, *words, ranks=2):
        """The model after two epochs, and rank 0's books."""
        folder = self.job_folder()
        job = self.call([*self.launcher(ranks, "openmpi"), find_program("train_sim"), self.data, "--comm", way, *self.WORDS, "--checkpoint", folder,
                         "--ledger", folder / "ledger-%r.json", *words])
        self.assertEqual(job.returncode, 0, job.stderr)
        return (folder / "epoch-0002.ckpt").read_bytes(), json.loads((folder / "ledger-0.json").read_text())

    def test_summed_by_the_grouped_scheme_they_make_the_same_model(self):
        """Two ranks: a + b is b + a, so that not one bit may differ from MPI_Allreduce's."""
        for words in ((), ("--no-overlap",)):
            with self.subTest(words=words):
                (theirs, booked), (ours, grouped) = self.model_of("mpi", *words), self.model_of("grouped", *words)
                self.assertTrue(theirs == ours, "the models differ")
                self.assertEqual(grouped["collectives"]["grouped"], booked["collectives"]["allreduce"])
                self.assertEqual(grouped["collectives"]["allreduce"]["count"], 0)

    def test_three_ranks_agree_on_it(self):
        self.model_of("grouped", ranks=3)  # each rank checks its sums, and fails

    @unittest.skipIf(any(pathlib.Path("/dev").glob("nvidia[0-9]*")), "this machine has a GPU")
    def test_nccl_without_a_gpu_is_one_line(self):
        job = self.call([find_program("train_sim"), self.data, "--comm", "nccl"])
        self.assertEqual(job.returncode, 2)
        self.assertRegex(job.stderr, r"\Atrain_sim: --comm nccl: [^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
