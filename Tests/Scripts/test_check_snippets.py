"""README code is a copy of a compiled snippet, or the check fails."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import ScriptSandbox  # noqa: E402

SNIPPET = "// What it shows.\n\nimport A\n\nprint(a)\n"
BLOCK = "<!-- Snippets/Show.swift -->\n```swift\nimport A\n\nprint(a)\n```\n"


class CheckSnippets(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        snippets = self.sandbox.clone / "Snippets"
        snippets.mkdir()
        (snippets / "Show.swift").write_text(SNIPPET)
        self.readme = self.sandbox.clone / "README.md"

    def check(self, text, *arguments):
        self.readme.write_text(text)
        return self.sandbox.run("check-snippets", *arguments)

    def test_a_copy_without_the_introduction_passes(self):
        self.assertEqual(self.check(f"# Title\n\n{BLOCK}").returncode, 0)

    def test_another_text_fails_and_names_the_snippet(self):
        result = self.check(BLOCK.replace("print(a)", "print(b)"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("Snippets/Show.swift differs", result.stderr)

    def test_a_block_of_no_snippet_fails(self):
        result = self.check("```swift\nprint(a)\n```\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("names no snippet", result.stderr)

    def test_a_snippet_that_is_gone_fails(self):
        result = self.check(BLOCK.replace("Show", "Gone"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("Snippets/Gone.swift does not exist", result.stderr)

    def test_writing_copies_the_snippet(self):
        self.assertEqual(self.check(BLOCK.replace("print(a)", "print(b)"), "--write").returncode, 0)
        self.assertEqual(self.readme.read_text(), BLOCK)

    def test_other_languages_are_left_alone(self):
        self.assertEqual(self.check("```sh\nmake demo\n```\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()
