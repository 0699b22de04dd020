# SPDX-License-Identifier: MIT
"""The HTML of report, study and compare, opened in a real browser. FLOWGAUGE_PICTURES names a folder to keep screenshots in."""
import json
import os
import pathlib
import re
import unittest

from browser import Browser, find_browser
from harness import FLOWGAUGE, RunTestCase
from simulation import STUDIES, simulate

FAULTY = {
    "title": "Two faults",
    "cluster": {"nodes": 2, "gpus_per_node": 2, "memory_gb": 8},
    "data": {"samples": 25600, "bytes": 2.56e9, "files": 16, "shard_rule": "reshuffle"},
    "model": {"compute_ms": 80, "batch_per_gpu": 64, "overlap": False},
    "link": {"gbps": 10},
    "training": {"epochs": 5, "evaluate_every": 2, "evaluation_s": 0.5},
    "recording": {"counters_per_second": 10},
    "faults": [{"kind": "straggler", "rank": 3, "amount": 0.3}, {"kind": "shuffle_pause", "amount": 2}],
}


@unittest.skipUnless(find_browser(), "no Chromium on this machine")
class HtmlInABrowser(RunTestCase):
    def make(self, name, command, *words):
        file = self.folder / f"{name}.html"
        done = self.call([FLOWGAUGE, command, *words, "--format", "html", "-o", file])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return file

    def keep(self, page, name):
        folder = os.environ.get("FLOWGAUGE_PICTURES")
        if folder:
            page.picture(pathlib.Path(folder) / f"{name}.png")

    def check(self, page, file):
        """What holds for every page of ours."""
        self.assertEqual(page.complaints(), [])
        self.assertEqual([url for url in page.requests() if not url.startswith("data:")], [file.resolve().as_uri()])
        self.assertEqual(page.value("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
                                    ".filter(h => !h.startsWith('#') || !document.getElementById(h.slice(1)))"), [])
        self.assertEqual(page.value("[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) != i)"), [])
        self.assertEqual(page.value("document.querySelectorAll('script, img, iframe, object').length"), 0)
        self.assertEqual(page.value("[...document.querySelectorAll('svg')].filter(s => !s.getAttribute('aria-label')).length"), 0)
        self.assertNotRegex(page.value("document.body.innerText"), r"(?i)\bnan\b|\binf\b|undefined|-0 ")
        for width in (1280, 390):
            page.resize(width, 900)
            self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width, f"{width} pixels wide")
        page.resize(1280, 900)
        self.assertLess(file.stat().st_size, 2_000_000)

    def test_a_report_is_whole_quiet_and_linked_to_its_evidence(self):
        run = simulate(self, FAULTY, "faulty")
        file = self.make("report", "report", run)
        with Browser() as browser:
            page = browser.open(file)
            self.check(page, file)
            self.keep(page, "report-light")
            drawn = page.value("[...document.querySelectorAll('figure')].map(f => [f.id, f.querySelectorAll('svg path').length > 0])")
            self.assertEqual(drawn, [["layers", True], ["network", True], ["steps", True]])
            self.check_evidence(page)
            self.check_keyboard(page)
            self.check_media(page)
        self.assertIn("written by flowgauge-simulate", file.read_text())

    def check_evidence(self, page):
        hidden = page.value("getComputedStyle(document.querySelector('rect.evidence-1-1')).fillOpacity")
        page.value("document.querySelector('a[href=\"#evidence-1-1\"]').click()")
        shown = page.value("[...document.querySelectorAll('rect.evidence-1-1')].map(r => getComputedStyle(r).fillOpacity)")
        self.assertEqual((hidden, shown), ("0", ["0.35"] * 3))
        sql = page.value("document.querySelector('#evidence-1-1 code').textContent")
        rows = self.call([FLOWGAUGE, "query", "--json", self.folder / "faulty", sql])
        self.assertEqual(rows.returncode, 0, rows.stderr)
        self.assertGreater(len(json.loads(rows.stdout)), 0)

    def check_keyboard(self, page):
        page.value("document.activeElement.blur(); location.hash = ''")
        page.press("Tab", 9)
        self.assertEqual(page.value("document.activeElement.tagName"), "A")
        page.value("document.querySelector('summary').focus()")
        before = page.value("document.querySelector('summary').parentElement.open")
        page.press("Enter", 13)
        self.assertNotEqual(page.value("document.querySelector('summary').parentElement.open"), before)

    def check_media(self, page):
        light = page.value("getComputedStyle(document.body).backgroundColor")
        page.media("screen", "dark")
        self.assertNotEqual(page.value("getComputedStyle(document.body).backgroundColor"), light)
        self.keep(page, "report-dark")
        page.media("print", "dark")
        self.assertEqual(page.value("getComputedStyle(document.body).backgroundColor"), light)
        page.media("", "light")
        paper = page.pdf()
        if os.environ.get("FLOWGAUGE_PICTURES"):
            (pathlib.Path(os.environ["FLOWGAUGE_PICTURES"]) / "report.pdf").write_bytes(paper)
        sheets = [tuple(round(float(side)) for side in box.split()[2:])
                  for box in re.findall(r"/MediaBox \[([\d. ]+)\]", paper.decode("latin-1"))]
        self.assertEqual(set(sheets), {(595, 842)}, "A4 in points")

    def test_study_and_comparison_are_whole_and_quiet(self):
        small = dict(FAULTY, title="small", faults=[], cluster={"nodes": 1, "gpus_per_node": 2})
        runs = [simulate(self, small, "one"), simulate(self, dict(FAULTY, faults=[]), "two")]
        with Browser() as browser:
            for name, words, figures in (("study", ["--beside", STUDIES / "first_published.json"], 9), ("compare", [], 0)):
                file = self.make(name, name, *runs, *words)
                page = browser.open(file)
                self.check(page, file)
                self.keep(page, name)
                self.assertEqual(page.value("document.querySelectorAll('figure svg').length"), figures)

    def test_a_run_with_one_rank_and_no_step_makes_a_page_too(self):
        run = self.profile("read_shards", f"--dir={self.folder}", "--files=2")
        file = self.make("reads", "report", run.path)
        with Browser() as browser:
            page = browser.open(file)
            self.check(page, file)
            self.assertIn("No steps are known", page.value("document.querySelector('#steps').innerText"))


if __name__ == "__main__":
    unittest.main()
