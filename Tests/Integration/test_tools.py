"""Tools through the program: by themselves, and called by a small trained model.

Runs the program that CLLM names. The model is the one among the fixtures, whose greedy answers are known; pages come
from a server on this machine.
"""

import http.server
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import unittest

CLLM = os.environ["CLLM"]
MODEL = str(pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "pocket-toolbot" / "pocket-toolbot.gguf")
PAGE = b"<html><head><title>Harbor News</title><script>no()</script></head><body><p>Two boats.</p></body></html>"


def cllm(*arguments, standard_input=None):
    options = {"input": standard_input} if standard_input is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run([CLLM, *arguments], capture_output=True, text=True, timeout=120, **options)


def ask(question, *options):
    return cllm("run", "--model", MODEL, "--temperature", "0", "--max-tokens", "200", *options, question)


class Pages(http.server.ThreadingHTTPServer):
    """One page, and one that is begun and never ended."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.stalled = threading.Event()
        self.released = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.released.set()
        self.shutdown()
        self.server_close()


class PageHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        known = self.path in ("/page", "/endless")
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE) + (self.path == "/endless")))
        self.end_headers()
        self.wfile.write(PAGE)
        if self.path == "/endless":
            self.wfile.flush()
            self.server.stalled.set()
            self.server.released.wait(60)


class ToolsByThemselves(unittest.TestCase):
    def output(self, *arguments, **options):
        result = cllm("tool", *arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_output_is_json_and_failures_are_outputs_too(self):
        self.assertEqual(
            self.output("calculate", '{"operation":"add","operands":[0.1,0.2]}'),
            {"ok": True, "operation": "add", "result": "0.3", "exact": True},
        )
        self.assertEqual(self.output("calculate", '{"operation":"divide","operands":[10,0]}')["ok"], False)
        converted = self.output("convert_units", '{"value":12,"from_unit":"mile","to_unit":"km"}')
        self.assertEqual(converted["converted_value"], 19.312128)

    def test_arguments_may_come_from_standard_input(self):
        text = '{"operation":"power","operands":[2,10]}'
        for arguments in (["calculate"], ["calculate", "-"]):
            self.assertEqual(self.output(*arguments, standard_input=text)["result"], "1024")

    def test_arguments_that_are_no_object_are_an_output(self):
        for arguments in ("[1]", "{", "17", '"text"', "nonsense"):
            self.assertEqual(self.output("calculate", arguments)["error"]["code"], "invalid_arguments", arguments)

    def test_an_unknown_tool_is_wrong_usage(self):
        result = cllm("tool", "nonsense", "{}")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("convert_units", result.stderr)


class Webpages(unittest.TestCase):
    def setUp(self):
        self.pages = Pages()
        self.addCleanup(self.pages.close)

    def arguments(self, path):
        return json.dumps({"url": self.pages.url + path})

    def test_a_page_on_this_machine_needs_leave(self):
        refused = json.loads(cllm("tool", "load_webpage", self.arguments("/page")).stdout)
        self.assertEqual(refused["ok"], False)
        loaded = json.loads(cllm("tool", "load_webpage", "--allow-private-hosts", self.arguments("/page")).stdout)
        self.assertEqual((loaded["ok"], loaded["title"]), (True, "Harbor News"))
        self.assertIn("Two boats.", loaded["text"])
        self.assertNotIn("no()", loaded["text"])

    def test_a_page_that_is_not_there_is_an_output(self):
        result = cllm("tool", "load_webpage", "--allow-private-hosts", self.arguments("/missing"))
        self.assertEqual(result.returncode, 0)
        self.assertEqual(json.loads(result.stdout)["error"]["code"], "http_status")

    def test_an_interrupt_ends_a_page_that_does_not_end(self):
        process = subprocess.Popen(
            [CLLM, "tool", "load_webpage", "--allow-private-hosts", self.arguments("/endless")],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.assertTrue(self.pages.stalled.wait(60))
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output, errors), (130, b"", b""))

    def test_the_model_opens_a_page(self):
        for options in ([], ["--think"]):
            result = ask(
                f"Open {self.pages.url}/page", "--tools", "load_webpage", "--allow-private-hosts", "--quiet", *options)
            self.assertEqual((result.returncode, result.stdout), (0, "The title is Harbor News.\n"), result.stderr)

    def test_the_model_hears_that_it_may_not(self):
        result = ask(f"Open {self.pages.url}/page", "--tools", "load_webpage", "--quiet")
        self.assertEqual((result.returncode, result.stdout), (0, "Sorry, the tool failed.\n"), result.stderr)


class ToolsOfAModel(unittest.TestCase):
    def test_a_calculation(self):
        result = ask("What is 17 plus 25?", "--tools", "calculate")
        self.assertEqual((result.returncode, result.stdout), (0, "The result is 42.\n"), result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual([line.split("{")[0] for line in lines], ["tool: calculate ", "tool: calculate → "])
        self.assertEqual(json.loads(lines[0].removeprefix("tool: calculate "))["operands"], [17, 25])
        self.assertEqual(json.loads(lines[1].removeprefix("tool: calculate → "))["result"], "42")

    def test_all_tools_at_hand_and_nothing_on_stderr(self):
        result = ask("What is 17 plus 25?", "--tools", "all", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "The result is 42.\n", ""))

    def test_two_calls_at_once(self):
        result = ask("What is 3 times 4 and 5 minus 2?", "--tools", "calculate")
        self.assertEqual((result.returncode, result.stdout), (0, "The results are 12 and 3.\n"), result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 4)

    def test_a_conversion(self):
        result = ask("Convert 12 miles to kilometers", "--tools", "convert_units", "--quiet")
        self.assertEqual((result.returncode, result.stdout), (0, "The result is 19.312128.\n"), result.stderr)

    def test_a_tool_that_fails(self):
        result = ask("What is 10 divided by 0?", "--tools", "calculate")
        self.assertEqual((result.returncode, result.stdout), (0, "Sorry, the tool failed.\n"), result.stderr)
        self.assertIn("Division by zero", result.stderr)

    def test_thinking_goes_to_stderr_with_the_calls(self):
        result = ask("What is 17 plus 25?", "--tools", "calculate", "--think")
        self.assertEqual((result.returncode, result.stdout), (0, "The result is 42.\n"), result.stderr)
        lines = result.stderr.splitlines()
        self.assertIn("Use calculate: add 17, 25.", lines)
        self.assertEqual(len([line for line in lines if line.startswith("tool: calculate ")]), 2)

    def test_no_call_is_needed(self):
        result = ask("Hello", "--tools", "all")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "Hello! How can I help?\n", ""))

    def test_a_required_call(self):
        result = ask("What is 17 plus 25?", "--tools", "all", "--tool-choice", "calculate", "--quiet")
        self.assertEqual((result.returncode, result.stdout), (0, "The result is 42.\n"), result.stderr)

    def test_a_choice_of_none_is_a_plain_generation(self):
        with_none = ask("What is 2 plus 3?", "--tools", "calculate", "--tool-choice", "none")
        self.assertEqual((with_none.returncode, with_none.stdout, with_none.stderr), (0, "5\n", ""))

    def test_events(self):
        result = ask("What is 17 plus 25?", "--tools", "calculate", "--format", "jsonl")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        events = [json.loads(line) for line in result.stdout.splitlines()]
        kinds = [event["type"] for event in events]
        self.assertEqual(kinds.count("done"), 1)
        self.assertEqual(kinds[-1], "done")
        calls = [event for event in events if event["type"].startswith("tool")]
        self.assertEqual(
            [call["type"] for call in calls], ["toolRoundStarted", "toolCallStarted", "toolCallCompleted"])
        self.assertEqual(calls[1]["id"], calls[2]["callID"])
        self.assertEqual(calls[2]["content"]["result"], "42")
        text = "".join(event["text"] for event in events if event["type"] == "contentDelta")
        self.assertEqual(text, "The result is 42.")
        replies = [event for event in events if event["type"] == "generationStats" and "aggregate" not in event]
        usage = events[-1]["usage"]
        self.assertEqual(len(replies), 2)
        for name in ("promptTokens", "generatedTokens"):
            self.assertEqual(usage[name], sum(reply[name] for reply in replies), name)
        self.assertEqual((events[-1]["roundsCompleted"], events[-1]["toolCalls"]), (1, 1))

    def test_no_round_is_left(self):
        result = ask("What is 17 plus 25?", "--tools", "calculate", "--max-tool-rounds", "0", "--format", "jsonl")
        events = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(events[-1]["stopReason"], "max-tool-rounds")
        failed = [event for event in events if event["type"] == "toolCallFailed"]
        self.assertEqual([call["content"]["error"]["code"] for call in failed], ["max_tool_rounds"])
        self.assertNotIn("toolCallCompleted", [event["type"] for event in events])

    def test_a_conversation_from_a_file(self):
        messages = [
            {"role": "user", "content": "My name is Ada."},
            {"role": "assistant", "content": "Nice to meet you, Ada."},
            {"role": "user", "content": "What is 17 plus 25?"},
        ]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(messages, file)
            file.flush()
            result = cllm(
                "run", "--model", MODEL, "--temperature", "0", "--tools", "calculate", "--quiet",
                "--messages", file.name)
        self.assertEqual((result.returncode, result.stdout), (0, "The result is 42.\n"), result.stderr)

    def test_a_call_that_the_limit_cuts_off_is_told_and_not_run(self):
        result = cllm(
            "run", "--model", MODEL, "--temperature", "0", "--max-tokens", "12", "--tools", "calculate",
            "What is 17 plus 25?")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertRegex(result.stderr, r"\Acllm: warning: [^\n]+\n\Z")

    def test_structure_and_tools_exclude_each_other(self):
        result = ask("Hello", "--tools", "all", "--json-schema", "{}")
        self.assertEqual((result.returncode, result.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main()
