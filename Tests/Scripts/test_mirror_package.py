"""A mirror follows the package, and leaves alone what did not change."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import ScriptSandbox  # noqa: E402


class MirrorPackage(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        self.mirror = self.sandbox.root / "mirror"
        subprocess.run(["git", "init", "--quiet", self.sandbox.clone], check=True)
        self.write("a.swift", "a")
        self.write("Folder With Space/b.swift", "b")
        self.write(".gitignore", "Vendor/\n")
        self.write("Vendor/lib.a", "archive")

    def write(self, name, text):
        path = self.sandbox.clone / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def update(self):
        self.assertEqual(self.sandbox.run("mirror-package", str(self.mirror)).returncode, 0)

    def test_files_are_copied_but_for_ignored_ones(self):
        self.update()
        self.assertEqual((self.mirror / "Folder With Space/b.swift").read_text(), "b")
        self.assertFalse((self.mirror / "Vendor").exists())

    def test_equal_files_keep_their_time_and_changed_ones_are_replaced(self):
        self.update()
        os.utime(self.mirror / "a.swift", ns=(1, 1))
        self.write("Folder With Space/b.swift", "c")
        self.update()
        self.assertEqual((self.mirror / "a.swift").stat().st_mtime_ns, 1)
        self.assertEqual((self.mirror / "Folder With Space/b.swift").read_text(), "c")

    def test_files_that_are_gone_go_from_the_mirror(self):
        self.update()
        (self.sandbox.clone / "a.swift").unlink()
        self.update()
        self.assertFalse((self.mirror / "a.swift").exists())


if __name__ == "__main__":
    unittest.main()
