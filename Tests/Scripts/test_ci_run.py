"""Continuous integration keeps build products between commits, and does not trust them when something fails."""

import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import PACKAGE, ScriptSandbox  # noqa: E402

MAKEFILE = """
setup:
\t@mkdir -p .build && echo setup >>.build/commands && cat source.txt
check:
\t@test ! -e .build/stale
demo:
\t@test ! -e broken.txt
test:
\t@echo "Test run with 1 test in 1 suite passed"
"""


class CIRun(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        self.clone = self.sandbox.clone
        (self.clone / ".ci").mkdir()
        shutil.copy(PACKAGE / ".ci" / "run", self.clone / ".ci" / "run")
        installer = self.clone / "Scripts" / "install-system-packages"
        installer.write_text("#!/bin/sh\n")
        installer.chmod(0o755)
        subprocess.run(["git", "init", "--quiet", self.clone], check=True)
        self.commit("Makefile", MAKEFILE)
        self.commit(".gitignore", ".build/\n")
        self.commit("source.txt", "first")

    def commit(self, name, text):
        (self.clone / name).write_text(text)
        git = ["git", "-C", self.clone, "-c", "user.name=Test", "-c", "user.email=test@localhost"]
        subprocess.run([*git, "add", "--all"], check=True)
        subprocess.run([*git, "commit", "--quiet", "--message", name], check=True)

    def run_ci(self, **environment):
        return self.sandbox.run(self.clone / ".ci" / "run", **environment)

    @property
    def kept(self):
        return next((self.sandbox.cache / "ci").glob("*/*"))

    def test_products_stay_and_sources_follow(self):
        self.assertEqual(self.run_ci().returncode, 0)
        first = (self.kept / "Makefile").stat()
        self.commit("source.txt", "second")
        result = self.run_ci()
        self.assertEqual(result.returncode, 0)
        self.assertIn("second", result.stdout)
        self.assertIn("Test run with 1 test", result.stdout)
        self.assertEqual((self.kept / ".build/commands").read_text(), "setup\nsetup\n")
        self.assertEqual((self.kept / "Makefile").stat().st_mtime_ns, first.st_mtime_ns)
        self.assertFalse((self.clone / ".build").exists())

    def test_a_failure_on_kept_products_is_tried_again_without_them(self):
        self.assertEqual(self.run_ci().returncode, 0)
        (self.kept / ".build/stale").touch()
        result = self.run_ci()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual((self.kept / ".build/commands").read_text(), "setup\n")

    def test_a_failure_without_kept_products_is_one(self):
        self.commit("broken.txt", "")
        result = self.run_ci()
        self.assertNotEqual(result.returncode, 0)
        self.assertFalse((self.kept / ".build").exists())

    def test_in_place(self):
        self.assertEqual(self.run_ci(CARBOCATION_CI_IN_PLACE="1").returncode, 0)
        self.assertTrue((self.clone / ".build/commands").exists())
        self.assertFalse((self.sandbox.cache / "ci").is_dir() and any((self.sandbox.cache / "ci").glob("*/*")))


if __name__ == "__main__":
    unittest.main()
