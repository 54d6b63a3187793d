"""Samples of documents are compiled unchanged, and what is wrong with them is told by document, line and block."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import ScriptSandbox  # noqa: E402

MANIFEST = '.library(name: "Core", targets: ["Core"]),\n.library(name: "CoreUI", targets: ["CoreUI"]),\n'
DOCUMENT = """# Title

```swift
dependencies: [
]
```

```swift
import Core         // the core
import SwiftUI
```

```sh
make
```

```swift
import Core  // the core

let answer = library.models
print(answer)
```

1. In a list:
   ```swift
   import CoreUI
   ```

   ```swift

   let first = 1


   let second = 2

   ```
"""


class CompileSamples(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        (self.sandbox.clone / "Package.swift").write_text(MANIFEST)
        self.document = self.sandbox.root / "guide.md"
        self.sandbox.stand_in("swift", "exit 0")

    def run_script(self, text=DOCUMENT):
        self.document.write_text(text)
        return self.sandbox.run("compile-samples", self.document)

    def sample(self, number, target="Samples"):
        sources = self.sandbox.clone / ".build" / "samples" / "package" / "Sources" / target
        return (sources / f"Sample{number}.swift").read_text()

    def test_views_and_manifests_are_left_out_and_named(self):
        result = self.run_script()
        self.assertEqual(result.returncode, 0)
        self.assertIn("guide.md:4: block 0 is left out: part of a manifest", result.stdout)
        self.assertIn("guide.md:9: block 1 is left out: imports SwiftUI", result.stdout)
        self.assertIn("block 3 is left out: imports CoreUI", result.stdout)
        self.assertIn("2 of 5 blocks compile and link", result.stdout)

    def test_a_block_is_a_function_with_its_imports_above(self):
        self.run_script()
        above, below = self.sample(0).split("func sample0() async throws {\n")
        self.assertIn("import Core\n", above)
        self.assertNotIn("CoreUI", above)
        self.assertIn("import Core  // the core\n", above)
        self.assertNotIn("import", below)
        self.assertIn("\n\nlet answer = library.models\nprint(answer)\n", below)
        self.assertIn(f'#sourceLocation(file: "{self.document}", line: 18)', below)
        self.assertEqual(self.sample(0), self.sample(0, "SamplesInSwift5"))

    def test_blocks_in_lists_and_empty_lines_are_kept(self):
        self.run_script()
        self.assertIn("\n\n   let first = 1\n\n\n   let second = 2\n\n", self.sample(1))

    def test_blocks_of_an_earlier_run_are_gone(self):
        self.run_script()
        self.run_script("```swift\nlet a = 1\n```\n")
        with self.assertRaises(FileNotFoundError):
            self.sample(1)

    def test_an_error_names_document_line_and_block(self):
        message = f"{self.document}:20:14: error: cannot find 'library' in scope"
        self.sandbox.stand_in("swift", f'echo "{message}"; echo "{message}"; echo other; exit 1')
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, f"{message} (block 2)\n")

    def test_an_error_of_no_document_is_shown_whole(self):
        self.sandbox.stand_in("swift", 'echo "undefined symbol: f"; exit 1')
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("undefined symbol: f", result.stderr)

    def test_no_document_is_a_wrong_use(self):
        self.assertEqual(self.sandbox.run("compile-samples").returncode, 2)


if __name__ == "__main__":
    unittest.main()
