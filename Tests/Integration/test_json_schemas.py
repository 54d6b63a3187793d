"""Grammars of JSON schemas against an independent validator.

Each line of Tests/Fixtures/json-schemas.jsonl is a schema with JSON texts that its grammar accepts and rejects, or with
a word of the reason why it is refused. Texts that a grammar generates at random are checked with PyPI's jsonschema.
"""

import decimal
import functools
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

import gbnf

try:
    import jsonschema
except ImportError:
    jsonschema = None

CASES = pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "json-schemas.jsonl"
TEXTS_PER_SCHEMA = 15
# JavaScript's white space, which is not quite Python's.
SPACE = "\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def cases():
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def cllm(*arguments):
    return subprocess.run([os.environ["CLLM"], *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)


def converted(schema):
    """The grammar of a schema or None, and what was said on standard error."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(schema, file)
        file.flush()
        result = cllm("debug", "grammar", "--json-schema", file.name)
    return (result.stdout.decode() if result.returncode == 0 else None), result.stderr.decode()


def in_python(pattern):
    """A pattern of JavaScript as Python writes it."""
    result, is_in_set = "", False
    for token in re.findall(r"\\.|\(\?<(?![=!])|.", pattern, re.DOTALL):
        if token == "\\s":
            token = SPACE if is_in_set else f"[{SPACE}]"
        elif token == "\\S" and not is_in_set:
            token = f"[^{SPACE}]"
        elif token == "(?<":
            token = "(?P<"
        elif token in "[]":
            is_in_set = token == "["
        result += token
    return result


def matches_pattern(validator, pattern, instance, schema):
    """`pattern` with JavaScript's meaning of \\d, \\w and \\s."""
    if isinstance(instance, str) and not re.search(in_python(pattern), instance, re.ASCII):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


def is_multiple(validator, divisor, instance, schema):
    """`multipleOf` by decimal digits instead of binary fractions."""
    if not validator.is_type(instance, "number"):
        return
    if decimal.Decimal(str(instance)) % decimal.Decimal(str(divisor)):
        yield jsonschema.ValidationError(f"{instance!r} is not a multiple of {divisor!r}")


@functools.cache
def validator_type():
    keywords = {"pattern": matches_pattern, "multipleOf": is_multiple}
    return jsonschema.validators.extend(jsonschema.Draft202012Validator, keywords)


def problems(schema, value):
    """What the validator has against a value; formats count."""
    validator = validator_type()(modern(schema), format_checker=formats())
    return [error.message for error in validator.iter_errors(value)]


@functools.cache
def formats():
    checker = jsonschema.FormatChecker(formats=["date", "uuid"])
    checker.checks("time")(lambda value: not isinstance(value, str) or is_time(value))
    checker.checks("date-time")(lambda value: not isinstance(value, str) or (
        value[10:11] == "T" and checker.conforms(value[:10], "date") and is_time(value[11:])))
    return checker


def is_time(value):
    return bool(re.fullmatch(
        r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)", value, re.ASCII))


def modern(schema):
    """A schema with the exclusive bounds of the fourth draft and lists of items written as in the current one."""
    if isinstance(schema, list):
        return [modern(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: value if key in ("const", "enum") else modern(value) for key, value in schema.items()}
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(exclusive), bool) and schema.pop(exclusive):
            schema[exclusive] = schema.pop(bound)
    if isinstance(schema.get("items"), list):
        schema["prefixItems"] = schema.pop("items")
        if "additionalItems" in schema:
            schema["items"] = schema.pop("additionalItems")
    return schema


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.grammars = []
        for case in cases():
            text, reason = converted(case["schema"])
            cls.grammars.append((case, gbnf.Grammar(text) if text else None, reason))

    def accepted(self):
        return [(case, grammar) for case, grammar, _ in self.grammars if "refused" not in case and grammar]

    def test_what_no_grammar_can_enforce_is_refused_by_place_and_keyword(self):
        for case, grammar, reason in self.grammars:
            with self.subTest(schema=case["schema"]):
                if "refused" not in case:
                    self.assertIsNotNone(grammar, reason)
                    continue
                self.assertIsNone(grammar)
                self.assertEqual(len(reason.splitlines()), 1)
                self.assertIn("#", reason)
                self.assertIn(case["refused"], reason)

    def test_grammars_accept_and_reject_what_they_should(self):
        for case, grammar in self.accepted():
            for text in case["accepts"]:
                with self.subTest(schema=case["schema"], accepts=text[:200]):
                    json.loads(text)
                    self.assertTrue(grammar.matches(text))
            for text in case["rejects"]:
                with self.subTest(schema=case["schema"], rejects=text[:200]):
                    self.assertFalse(grammar.matches(text))

    @unittest.skipIf(jsonschema is None, "needs jsonschema: python3 -m pip install jsonschema")
    def test_accepted_texts_are_valid(self):
        for case, _ in self.accepted():
            for text in case["accepts"]:
                with self.subTest(schema=case["schema"], text=text[:200]):
                    self.assertEqual(problems(case["schema"], json.loads(text)), [])

    @unittest.skipIf(jsonschema is None, "needs jsonschema: python3 -m pip install jsonschema")
    def test_generated_texts_are_valid(self):
        chance = random.Random(20_240_229)
        for case, grammar in self.accepted():
            for _ in range(TEXTS_PER_SCHEMA):
                text = grammar.generate(chance)
                with self.subTest(schema=case["schema"], text=text[:200]):
                    self.assertEqual(problems(case["schema"], json.loads(text)), [])
                    # Keeps the reader of grammars honest: what it generates it also recognises.
                    self.assertTrue(len(text) > 2000 or grammar.matches(text))


if __name__ == "__main__":
    unittest.main()
