"""A difference of prompts passes only when the table explains it, and the table must explain differences only."""

import json
import pathlib
import sys
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "Scripts"
sys.path.insert(0, str(SCRIPTS / "lib"))

from template_differences import (  # noqa: E402
    Outcome, difference_for, first_difference, judged, read_table, unused_patterns,
)
from template_scenarios import scenarios  # noqa: E402


def table(**changes):
    entry = {"reason": "r", "templates": ["A", "B"], "scenarios": ["tools*", "call"], "reference": ["x"], **changes}
    return json.dumps([entry])


class Table(unittest.TestCase):
    def test_an_entry_covers_its_templates_and_patterns(self):
        entries = read_table(table())
        for template, scenario, is_covered in [
            ("A", "tools", True), ("B", "tools and system", True), ("A", "call", True), ("A", "call, thinking", False),
            ("C", "tools", False),
        ]:
            with self.subTest(template=template, scenario=scenario):
                self.assertEqual(difference_for(entries, template, scenario) is not None, is_covered)

    def test_two_entries_for_one_rendering_are_refused(self):
        with self.assertRaisesRegex(ValueError, "A, tools: 2 entries"):
            difference_for(read_table(table()) * 2, "A", "tools")

    def test_an_incomplete_entry_is_refused(self):
        for text in (table(reason=""), table(reference=[]), table(note="n"), '[{"reason": "r"}]'):
            with self.subTest(text=text), self.assertRaises(ValueError):
                read_table(text)

    def test_names_that_are_gone_are_found(self):
        found = list(unused_patterns(read_table(table()), ["A"], ["tools", "system"]))
        self.assertEqual(found, [
            "the table names the template B, which there is not",
            "the table names the scenario call, which there is not",
        ])


class Judgement(unittest.TestCase):
    def outcome(self, *arguments, **options):
        return judged(*arguments, **options)[0]

    def test_without_an_entry_texts_are_equal_or_a_problem(self):
        self.assertEqual(self.outcome("a", "a"), Outcome.EQUAL)
        self.assertEqual(self.outcome("a", "b"), Outcome.PROBLEM)
        self.assertEqual(self.outcome(None, "b"), Outcome.PROBLEM)

    def test_where_the_reference_fails_anything_goes(self):
        self.assertEqual(self.outcome("a", None), Outcome.REFUSED)
        self.assertEqual(self.outcome(None, None), Outcome.REFUSED)
        self.assertEqual(self.outcome(None, None, "c", is_listed=True), Outcome.REFUSED)

    def test_an_entry_needs_a_difference_and_the_adapted_text(self):
        self.assertEqual(self.outcome("a", "b", "a", is_listed=True), Outcome.EXPLAINED)
        self.assertEqual(self.outcome("a", None, "a", is_listed=True), Outcome.EXPLAINED)
        self.assertEqual(self.outcome("a", "a", "a", is_listed=True), Outcome.PROBLEM)
        self.assertEqual(self.outcome("a", "b", "c", is_listed=True), Outcome.PROBLEM)
        self.assertEqual(self.outcome("a", "b", None, is_listed=True), Outcome.PROBLEM)
        self.assertEqual(self.outcome(None, "b", "c", is_listed=True), Outcome.PROBLEM)

    def test_the_first_difference_is_shown(self):
        self.assertIn("character 3", first_difference("abcX", "abcY"))
        self.assertIn("character 3", first_difference("abc", "abcd"))


class Scenarios(unittest.TestCase):
    def test_names_are_unique(self):
        names = [scenario.name for scenario in scenarios()]
        self.assertEqual(len(names), len(set(names)))

    def test_the_checked_in_table_can_be_read(self):
        text = (SCRIPTS.parent / "Tests" / "Fixtures" / "template-differences.json").read_text(encoding="utf-8")
        entries, names = read_table(text), [scenario.name for scenario in scenarios()]
        templates = {template for entry in entries for template in entry.templates}
        self.assertEqual(list(unused_patterns(entries, templates, names)), [])
        for template in templates:
            for name in names:
                difference_for(entries, template, name)


if __name__ == "__main__":
    unittest.main()
