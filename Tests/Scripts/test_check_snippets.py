"""Code of the README and of DocC pages is a copy of compiled code, or the check fails."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from script_sandbox import ScriptSandbox  # noqa: E402

SNIPPET = "// What it shows.\n\nimport A\n\nprint(a)\n"
REGIONS = """struct A {
    // snippet.one
    func one() {
        two()
    }
    // snippet.end

    // snippet.open
}
"""
REGION = "<!-- Tests/App/A.swift#one -->\n```swift\nfunc one() {\n    two()\n}\n```\n"
BLOCK = "<!-- Snippets/Show.swift -->\n```swift\nimport A\n\nprint(a)\n```\n"


class CheckSnippets(unittest.TestCase):
    def setUp(self):
        self.sandbox = ScriptSandbox()
        self.addCleanup(self.sandbox.close)
        snippets = self.sandbox.clone / "Snippets"
        snippets.mkdir()
        (snippets / "Show.swift").write_text(SNIPPET)
        (self.sandbox.clone / "Tests" / "App").mkdir(parents=True)
        (self.sandbox.clone / "Tests" / "App" / "A.swift").write_text(REGIONS)
        self.readme = self.sandbox.clone / "README.md"
        self.page = self.sandbox.clone / "Sources" / "M" / "M.docc" / "Page.md"
        self.page.parent.mkdir(parents=True)

    def check(self, text, *arguments):
        self.readme.write_text(text)
        return self.sandbox.run("check-snippets", *arguments)

    def test_a_copy_without_the_introduction_passes(self):
        self.assertEqual(self.check(f"# Title\n\n{BLOCK}").returncode, 0)

    def test_another_text_fails_and_names_the_snippet(self):
        result = self.check(BLOCK.replace("print(a)", "print(b)"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("README.md: the block of Snippets/Show.swift differs", result.stderr)

    def test_a_block_of_no_snippet_fails(self):
        result = self.check("```swift\nprint(a)\n```\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("names no source", result.stderr)

    def test_a_snippet_that_is_gone_fails(self):
        result = self.check(BLOCK.replace("Show", "Gone"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("Snippets/Gone.swift does not exist", result.stderr)

    def test_writing_copies_the_snippet(self):
        self.assertEqual(self.check(BLOCK.replace("print(a)", "print(b)"), "--write").returncode, 0)
        self.assertEqual(self.readme.read_text(), BLOCK)

    def test_a_region_is_shown_at_the_left_margin(self):
        self.assertEqual(self.check(REGION).returncode, 0)
        result = self.check(REGION.replace("two()", "three()"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("Tests/App/A.swift#one differs", result.stderr)
        self.check(REGION.replace("two()", "three()"), "--write")
        self.assertEqual(self.readme.read_text(), REGION)

    def test_a_region_that_is_gone_or_has_no_end_fails(self):
        for name in ("two", "open"):
            result = self.check(REGION.replace("#one", f"#{name}"), "--write")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"Tests/App/A.swift#{name} does not exist", result.stderr)

    def test_pages_of_all_modules_are_checked(self):
        self.page.write_text(f"# Page\n\n{REGION}\n```swift\nprint(a)\n```\n")
        result = self.check("")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("Sources/M/M.docc/Page.md: a Swift block names no source", result.stderr)

    def test_a_manifest_of_another_package_needs_no_source(self):
        self.assertEqual(self.check("```swift\n// swift-tools-version: 6.2\n```\n").returncode, 0)

    def test_other_languages_are_left_alone(self):
        self.assertEqual(self.check("```sh\nmake demo\n```\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()
