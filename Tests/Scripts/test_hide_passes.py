"""Failures and closing lines stay, passes go, whatever line breaks stand in names."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "lib"))

from hide_passes import shown  # noqa: E402


class HidePasses(unittest.TestCase):
    def check(self, text, expected):
        self.assertEqual("".join(shown(text.splitlines(keepends=True))), expected)

    def test_starts_passes_and_build_steps_are_hidden(self):
        self.check(
            '[1/2] Compiling A a.swift\n◇ Test a() started.\n✔ Test a() passed after 0.001 seconds.\n'
            '✔ Suite "S" passed after 0.001 seconds.\n✔ Test "b" with 2 test cases passed after 0.1 seconds.\n', "",
        )

    def test_the_closing_line_stays(self):
        line = "✔ Test run with 2 tests in 1 suite passed after 0.001 seconds.\n"
        self.check(line, line)

    def test_failures_and_their_details_stay(self):
        text = (
            "✘ Test b() recorded an issue at t.swift:4:19: Expectation failed: (x → 1) == 2\n↳ because\n"
            "✘ Test b() failed after 0.001 seconds with 1 issue.\n"
        )
        self.check("◇ Test b() started.\n" + text, text)

    def test_line_breaks_in_arguments_go_with_their_line(self):
        failure = "✘ Test b() failed after 0.001 seconds with 1 issue.\n"
        self.check('◇ Test case passing 1 argument a → "x\n  y\n" to "b" started.\n' + failure, failure)

    def test_what_a_crash_says_stays(self):
        crash = "*** Program crashed: Illegal instruction ***\n\nPlatform: x86_64\n"
        self.check('◇ Test case passing 1 argument a → "x\n' + crash, crash)

    def test_compiler_errors_stay(self):
        text = "/a.swift:1:1: error: no\nerror: fatalError\n"
        self.check("[1/2] Compiling A a.swift\n" + text, text)


if __name__ == "__main__":
    unittest.main()
