"""Attention in the built artifact is right, and a token's does not depend on threads, company or places of cells."""

import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ARTIFACT = HERE.parents[1] / "Vendor" / "llama-artifacts" / "current"


class AttentionOverCells(unittest.TestCase):
    @unittest.skipUnless((ARTIFACT / "KEY").exists(), "needs the llama artifact")
    def test_against_a_plain_computation(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "attention_over_cells"
            subprocess.run(
                ["c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-I", ARTIFACT / "include",
                 HERE / "attention_over_cells.cpp", ARTIFACT / "lib" / "libllama-combined.a",
                 "-lpthread", "-ldl", "-lm", "-o", program],
                check=True,
            )
            result = subprocess.run([program], stdout=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
