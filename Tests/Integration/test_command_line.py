"""What only a process shows: exit codes, the two output streams, signals.

Runs the program that CLLM names, on the model that LLAMA_TEST_MODEL_PATH names.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

CLLM = os.environ["CLLM"]
MODEL = os.environ["LLAMA_TEST_MODEL_PATH"]
PINS = (pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "lib" / "pins.sh").read_text()

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]


def cllm(*arguments, **options):
    return subprocess.run([CLLM, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


class Outcomes(unittest.TestCase):
    def test_the_version_names_the_pinned_llama_cpp(self):
        result = cllm("--version")
        commit = PINS.split('LLAMA_COMMIT="')[1].split('"')[0]
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(commit[:12], result.stdout)

    def test_help_goes_to_standard_output_on_every_level(self):
        for arguments in (["--help"], ["run", "--help"], ["debug", "render", "--help"]):
            result = cllm(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            self.assertNotEqual(result.stdout, "", arguments)

    def test_wrong_usage_ends_with_2_and_prints_nothing_as_a_result(self):
        for arguments in (["nonsense"], ["run", "--nonsense"], ["run", "--max-tokens", "many", "Hi"]):
            result = cllm(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertNotEqual(result.stderr, "", arguments)

    def test_a_missing_model_ends_with_1_and_one_line(self):
        result = cllm("run", "--model", "/nowhere/model.gguf", "Hi")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_file_that_is_no_model_ends_with_1(self):
        with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
            file.write(b"GGUF" + b"\xff" * 64)
            file.flush()
            result = cllm("run", "--model", file.name, "Hi")
        self.assertEqual((result.returncode, result.stdout), (1, ""))


class Rendering(unittest.TestCase):
    def render(self, template, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            paths = pathlib.Path(folder)
            (paths / "template.jinja").write_text(template)
            (paths / "messages.json").write_text(json.dumps(MESSAGES))
            return cllm(
                "debug", "render", "--template", str(paths / "template.jinja"),
                "--messages", str(paths / "messages.json"), *arguments,
            )

    def test_the_prompt_is_printed_exactly(self):
        template = (
            "{%- for m in messages -%}<{{ m.role }}>{{ m.content }}</>{%- endfor -%}"
            "{%- if add_generation_prompt -%}<assistant>{%- endif -%}"
        )
        result = self.render(template)
        self.assertEqual(result.stdout, "<system>Be brief.</><user>Hi</><assistant>", result.stderr)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_broken_template_ends_with_1(self):
        result = self.render("{% for %}")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertNotEqual(result.stderr, "")


class Generating(unittest.TestCase):
    def test_the_answer_goes_to_standard_output_and_greedy_text_is_stable(self):
        arguments = ["run", "--model", MODEL, "--temperature", "0", "--max-tokens", "8", "--quiet", "Say hello."]
        first, second = cllm(*arguments), cllm(*arguments)
        self.assertEqual((first.returncode, first.stderr), (0, ""))
        self.assertNotEqual(first.stdout.strip(), "")
        self.assertEqual(first.stdout, second.stdout)

    def test_events_are_one_json_document_for_each_line(self):
        result = cllm("run", "--model", MODEL, "--max-tokens", "4", "--format", "jsonl", "Say hello.")
        kinds = [json.loads(line)["type"] for line in result.stdout.splitlines()]
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(kinds[0], "requestSent")
        self.assertIn("contentDelta", kinds)
        self.assertEqual(kinds[-1], "done")

    def test_an_interrupt_keeps_what_was_produced_and_ends_with_130(self):
        process = subprocess.Popen(
            [CLLM, "run", "--model", MODEL, "--temperature", "0", "--max-tokens", "2000", "Count from one to 500."],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertNotEqual(begun, b"")
        self.assertEqual((begun + rest).decode("utf-8", errors="strict").strip() != "", True)

    def test_a_reader_that_goes_away_ends_the_run_quietly(self):
        process = subprocess.Popen(
            [CLLM, "run", "--model", MODEL, "--max-tokens", "2000", "Count from one to 500."],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        process.stdout.read(1)
        process.stdout.close()
        errors = process.stderr.read()
        self.assertEqual((process.wait(timeout=60), errors), (0, b""))
        process.stderr.close()

    def test_smoke_ends_in_ok(self):
        result = cllm("smoke", MODEL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "smoke: ok")


if __name__ == "__main__":
    unittest.main()
