"""The built artifact's kernels are right, and what they give for a token depends neither on threads nor on company."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ARTIFACT = HERE.parents[1] / "Vendor" / "llama-artifacts" / "current"


@unittest.skipUnless((ARTIFACT / "KEY").exists(), "needs the llama artifact")
class Kernels(unittest.TestCase):
    def check(self, name):
        """Runs a program that compares with a plain computation and says what differs."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / name
            subprocess.run(
                ["c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-I", ARTIFACT / "include", HERE / f"{name}.cpp",
                 ARTIFACT / "lib" / "libllama-combined.a", "-lpthread", "-ldl", "-lm", "-o", program],
                check=True,
            )
            result = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_attention(self):
        self.check("attention_over_cells")

    @unittest.skipUnless(sys.platform == "linux", "other systems promise no zeros")
    def test_untouched_memory(self):
        self.check("untouched_memory")

    def test_products(self):
        self.check("products_in_one_order")


if __name__ == "__main__":
    unittest.main()
