# SPDX-License-Identifier: MIT
"""ResNet-50 on two hosts, whose data lies on an NFS server: gradients and data go through the same port of each host, and the report
tells them apart. Runs in the guest that boot.py makes."""
import json
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "e2e")]
import harness  # noqa: E402  (the path to what follows is set above)
import two_hosts  # noqa: E402
from nfs_server import EXPORT, NfsServer, shell  # noqa: E402
from training import make_dataset  # noqa: E402

PLACE, NET = pathlib.Path("/mnt/data"), "10.99.0"
BYTES = r"[\d.]+ [kMG]?B"
EPOCHS, RANKS, BATCH, STEPS = 2, 2, 2, 2
harness.TIMEOUT_S = 700


class Cluster(harness.RunTestCase):
    def setUp(self):
        super().setUp()
        hosts_file = self.folder / "hosts"
        names = ("node-a", "node-b", "store")
        hosts_file.write_text("127.0.0.1 localhost\n" + "".join(f"{NET}.{number} {name}\n" for number, name in enumerate(names, 1)))
        self.a, self.b, store = hosts = [two_hosts.Host(name, self.folder / f"tmp-{name}", hosts_file) for name in names]
        shell("modprobe -a veth bridge")
        two_hosts.connect(hosts, "port", NET)
        server = NfsServer(store, store.addresses["port"])
        for host in (self.a, self.b):
            self.addCleanup(host.close)
            server.mount(PLACE, "4.2", on=host)
        self.addCleanup(server.close)
        made = make_dataset(self.folder / "set", samples=STEPS * BATCH * RANKS, validation=2, mean_bytes=3_000_000, pixels=32, shards=2)
        server.do(f"cp -r {made} {EXPORT}/set")

    def train(self, program, *options):
        """A finished run, and its report as JSON; as text it is printed."""
        words = [harness.find_program(program), PLACE / "set", "--batch", BATCH, "--epochs", EPOCHS, "--evaluate-every", 0, "--shard-rule", "sticky",
                 "--log-every", 1, *options, "--ledger", f"{self.folder}/ledger-%r.json"]
        path = self.folder / "run"
        job = self.call(two_hosts.job_on(self.a, self.b, self.folder / "agent", "port", path, words))
        self.assertEqual(job.returncode, 0, job.stderr)
        run = self.open(path, job)
        print(self.call([harness.FLOWGAUGE, "report", path]).stdout, flush=True)
        return run, json.loads(self.call([harness.FLOWGAUGE, "report", "--format", "json", path]).stdout)

    @unittest.skipUnless((harness.BUILD / "bin" / "resnet50").exists(), "resnet50 was not built (FLOWGAUGE_TRAINER)")
    def test_data_and_gradients_of_resnet50_share_a_port_and_are_told_apart(self):
        run, report = self.train("resnet50", "--image", 32)
        ledgers = [json.loads((self.folder / f"ledger-{rank}.json").read_text()) for rank in range(RANKS)]
        self.assertEqual(run.drops(), 0)
        told = "\n".join(report["storage"]["told"])
        self.assertRegex(told, rf"(?m)^Epoch 1 was cold: {BYTES} came from the NFS server at {BYTES}/s\.$")
        self.assertRegex(told, rf"(?m)^Epoch 2 was served from client memory: {BYTES} of the {BYTES} asked for came from the NFS server\.$")
        ports = {port["host"]: port for port in report["network"]["ports"] if port["port"] == "port"}
        for rank, host in enumerate(("node-a", "node-b")):
            with self.subTest(host=host):
                self.assertRegex(told, rf"(?m)^Of the {BYTES} that port on {host} received, storage was [\d.]+ % and gradients [\d.]+ %; of the .*$")
                read = sum(size for file, size in ledgers[rank]["files"].items() if pathlib.Path(file).is_relative_to(PLACE)) / EPOCHS
                # Of two in a ring each receives what it reduces; rank 0 hands the first weights to the other.
                reduced = run.value(f"SELECT sum(bytes) FROM allreduce WHERE rank = {rank}")
                reduced += rank * run.value(f"SELECT sum(bytes) FROM broadcast WHERE rank = {rank}")
                received = ports[host]["received"]
                print(f"{host}: received {received['moved_bytes']:.0f}: storage {received['storage_bytes']:.0f} (read once: {read:.0f}), "
                      f"gradients {received['gradient_bytes']:.0f} (to receive: {reduced})", flush=True)
                self.assertAlmostEqual(received["storage_bytes"], read, delta=0.05 * read)
                self.assertAlmostEqual(received["gradient_bytes"], reduced, delta=0.05 * reduced)
                self.assertLess(abs(received["unexplained_bytes"]), 0.1 * received["moved_bytes"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
