"""Chats, plans, budgets and calibrations through the program.

Runs the program that CLLM names, on the small model among the fixtures, whose greedy answers are known. It remembers
names.
"""

import json
import os
import pathlib
import signal
import stat
import subprocess
import tempfile
import unittest

from terminal import Terminal

CLLM = os.environ["CLLM"]
MODEL = str(pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "pocket-toolbot" / "pocket-toolbot.gguf")
ADA = "My name is Ada."
NAME = "What is my name?"
ANSWER = "Your name is Ada."
GREETING = "Nice to meet you, Ada."
# For answers that must not end before they are interrupted.
LARGER_MODEL = os.environ["LLAMA_TEST_MODEL_PATH"]


def cllm(*arguments, standard_input="", **options):
    return subprocess.run(
        [CLLM, *arguments], input=standard_input, capture_output=True, text=True, timeout=120, **options)


def chat(*lines, options=(), model=MODEL):
    text = "".join(line + "\n" for line in lines)
    return cllm("chat", "--model", model, "--temperature", "0", *options, standard_input=text)


class Folder(unittest.TestCase):
    """Tests with a folder of their own, which is also the home of the programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def endless(self):
        """Options for an answer that has no end."""
        path = self.folder / "endless.gbnf"
        path.write_text('root ::= "ab" root\n')
        return ["--model", LARGER_MODEL, "--context", "4096", "--grammar", str(path)]


class PipedChats(Folder):
    def test_each_line_is_a_turn_and_the_model_remembers(self):
        result = chat(ADA, "", NAME)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{GREETING}\n{ANSWER}\n", ""))

    def test_reset_forgets(self):
        result = chat(ADA, "/reset", NAME, options=["--quiet"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn(ANSWER, result.stdout)
        self.assertEqual(result.stdout.splitlines()[1], chat(NAME).stdout.splitlines()[0])

    def test_a_saved_chat_goes_on_in_another_process(self):
        path = self.folder / "my chat"
        saved = chat(ADA, f"/save {path}")
        self.assertEqual((saved.returncode, saved.stdout), (0, GREETING + "\n"), saved.stderr)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        result = chat(f"/load {path}", NAME, "/stats")
        self.assertEqual((result.returncode, result.stdout), (0, ANSWER + "\n"), result.stderr)
        figures = dict(line.split(": ", 1) for line in result.stderr.splitlines() if ": " in line)
        self.assertGreater(int(figures["cached prompt tokens"].split()[0]), 0)
        self.assertEqual(chat(ADA, NAME).stdout.splitlines()[1], ANSWER)

    def test_a_file_that_is_no_chat_is_told_and_the_chat_goes_on(self):
        path = self.folder / "damaged"
        chat(ADA, f"/save {path}")
        contents = bytearray(path.read_bytes())
        contents[len(contents) // 2] ^= 0xFF
        path.write_bytes(contents)
        for file in (path, pathlib.Path(MODEL), self.folder / "missing"):
            result = chat(ADA, f"/load {file}", NAME)
            self.assertEqual((result.returncode, result.stdout), (1, f"{GREETING}\n{ANSWER}\n"))
            self.assertEqual(len(result.stderr.splitlines()), 2, result.stderr)
            self.assertEqual(result.stderr.splitlines()[1], "cllm: 1 command failed.")

    def test_a_chat_with_another_model_is_told_and_the_chat_goes_on(self):
        path = self.folder / "other"
        chat("Hi", f"/save {path}", model=LARGER_MODEL, options=["--max-tokens", "4"])
        result = chat(ADA, f"/load {path}", NAME)
        self.assertEqual((result.returncode, result.stdout), (1, f"{GREETING}\n{ANSWER}\n"))
        self.assertIn("with which the session was saved", result.stderr)

    def test_commands_that_are_wrong_are_explained(self):
        result = chat("/bogus", "/think", "/save", "/help", "//quit", "/quit", ADA)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stdout.splitlines()), 1)
        self.assertIn("/bogus", result.stderr)
        self.assertIn("/system TEXT", result.stderr)
        self.assertEqual(result.stderr.splitlines()[-1], "cllm: 3 commands failed.")

    def test_a_line_that_is_no_text_is_a_turn_that_failed(self):
        lines = ADA.encode() + b"\n\xff\xfe\n" + NAME.encode() + b"\n"
        result = subprocess.run(
            [CLLM, "chat", "--model", MODEL, "--temperature", "0"], input=lines, capture_output=True, timeout=120)
        self.assertEqual((result.returncode, result.stdout.decode()), (1, f"{GREETING}\n{ANSWER}\n"))
        errors = result.stderr.decode().splitlines()
        self.assertIn("Line 2 of standard input is not UTF-8 text", errors[0])
        self.assertEqual(errors[1:], ["cllm: 1 of 3 turns failed."])

    def test_messages_open_the_conversation(self):
        path = self.folder / "messages.json"
        path.write_text(json.dumps(
            [{"role": "user", "content": ADA}, {"role": "assistant", "content": GREETING}]))
        saved = self.folder / "saved"
        result = chat(NAME, f"/save {saved}", "/reset", NAME, options=["--messages", str(path), "--quiet"])
        self.assertEqual((result.returncode, result.stdout.splitlines()[0]), (0, ANSWER), result.stderr)
        self.assertNotEqual(result.stdout.splitlines()[1], ANSWER)
        again = chat(f"/load {saved}", NAME, options=["--quiet"])
        self.assertEqual((again.returncode, again.stdout), (0, ANSWER + "\n"), again.stderr)
        path.write_text("[]")
        refused = chat(NAME, options=["--messages", str(path)])
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))

    def test_figures(self):
        result = chat(ADA, "/system Be brief.", NAME, options=["--stats"])
        self.assertEqual(result.returncode, 0)
        for name in ("load: ", "batch: ", "threads: ", "cached prompt tokens: ", "stop reason: "):
            found = [line for line in result.stderr.splitlines() if line.startswith(name)]
            self.assertEqual(len(found), 2, (name, result.stderr))

    def test_tools_in_a_chat(self):
        result = chat(ADA, "What is 17 plus 25?", options=["--tools", "calculate", "--max-tokens", "200"])
        self.assertEqual((result.returncode, result.stdout), (0, f"{GREETING}\nThe result is 42.\n"), result.stderr)
        self.assertEqual([line.split("{")[0] for line in result.stderr.splitlines()],
                         ["tool: calculate ", "tool: calculate → "])

    def test_thinking_can_be_switched(self):
        result = chat("/think on", "What is 17 plus 25?", "/think off", ADA,
                      options=["--tools", "calculate", "--max-tokens", "200"])
        self.assertEqual(result.returncode, 0)
        self.assertIn("Use calculate: add 17, 25.", result.stderr.splitlines())

    def test_events(self):
        result = chat(ADA, NAME, options=["--format", "jsonl"])
        events = [json.loads(line) for line in result.stdout.splitlines()]
        done = [event for event in events if event["type"] == "done"]
        self.assertEqual((result.returncode, len(done), events[-1]["type"]), (0, 2, "done"))
        self.assertGreater(done[1]["usage"]["cachedPromptTokens"], 0)
        text = "".join(event["text"] for event in events if event["type"] == "contentDelta")
        self.assertEqual(text, GREETING + ANSWER)

    def test_a_turn_that_does_not_fit_fails_and_leaves_no_trace(self):
        result = chat(ADA, "word " * 3000, NAME, options=["--context", "512"])
        self.assertEqual((result.returncode, result.stdout), (1, f"{GREETING}\n{ANSWER}\n"))
        self.assertEqual(result.stderr.splitlines()[-1], "cllm: 1 of 3 turns failed.")


class ChatsAtATerminal(Folder):
    def start(self, *options, **variables):
        terminal = Terminal(CLLM, "chat", "--model", MODEL, "--temperature", "0", *options, **variables)
        self.addCleanup(terminal.close)
        terminal.expect("/help lists the commands")
        terminal.prompt()
        terminal.forget()
        return terminal

    def ask(self, terminal, typed, answer):
        terminal.type(typed)
        terminal.expect(answer + "\n> ")
        terminal.forget()

    def test_editing_keys(self):
        terminal = self.start()
        self.ask(terminal, "My nme is Bob\x1b[1;5D\x0bAda.\x01\x1b[C\x1b[C\x1b[C\x1b[Ca\x05\r", GREETING)
        self.ask(terminal, "nonsense\x15what\x17" + NAME + "\r", ANSWER)
        terminal.type("\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_earlier_lines_come_back(self):
        terminal = self.start()
        self.ask(terminal, ADA + "\r", GREETING)
        self.ask(terminal, NAME + "\r", ANSWER)
        self.ask(terminal, "new\x1b[A\x1b[A\x1b[B\r", ANSWER)
        terminal.type("/quit\r")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_lines_are_kept_between_chats_in_a_file_that_the_user_names(self):
        path = self.folder / "history"
        terminal = self.start(CLLM_HISTORY=str(path))
        self.ask(terminal, ADA + "\r", GREETING)
        terminal.type("\x04")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        terminal = self.start(CLLM_HISTORY=str(path))
        self.ask(terminal, "\x1b[A\r", GREETING)

    def test_a_paste_of_several_lines_is_one_turn(self):
        terminal = self.start("--format", "jsonl")
        terminal.type(f"\x1b[200~{ADA}\nHello\x1b[201~\r")
        terminal.expect('"type":"done"')
        self.assertEqual(terminal.text.count('"type":"requestSent"'), 1)

    def test_control_c_at_the_prompt_leaves_with_130_and_gives_the_terminal_back(self):
        terminal = self.start()
        self.assertFalse(terminal.echoes)
        terminal.type("half a line\x03")
        self.assertEqual(terminal.wait(), 130)
        self.assertIn(b"\x1b[?2004l", terminal.output)

    def test_a_signal_at_the_prompt_gives_the_terminal_back(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            terminal = self.start()
            terminal.signal(number)
            self.assertEqual(terminal.wait(), code)
            self.assertIn(b"\x1b[?2004l", terminal.output)

    def test_control_c_stops_a_turn_and_the_chat_goes_on(self):
        terminal = self.start(*self.endless())
        terminal.type("Go on\r")
        terminal.expect("ababab")
        self.assertTrue(terminal.echoes)
        terminal.type("\x03")
        terminal.expect("stopped")
        terminal.type("/stats\r")
        terminal.expect("stop reason: cancelled\n> ")
        terminal.forget()
        terminal.type("And on\r")
        terminal.expect("ababab")
        terminal.type("\x03")
        terminal.expect("without this turn\n> ")
        terminal.type("\x03")
        self.assertEqual(terminal.wait(), 130)

    def test_control_c_that_is_typed_with_a_line_stops_its_turn(self):
        terminal = self.start(*self.endless())
        terminal.type("Go on\r\x03")
        terminal.expect("without this turn\n> ")
        self.assertNotIn("abab", terminal.text)
        terminal.type("\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_a_paste_that_is_too_long_is_refused(self):
        terminal = self.start()
        pasted = b"\x1b[200~" + b"word " * 900_000 + b"\x1b[201~"
        for start in range(0, len(pasted), 2048):
            terminal.type(pasted[start:start + 2048])
        terminal.expect("The paste is left out: it has more than 4194304 bytes.\n> ")
        terminal.forget()
        self.ask(terminal, ADA + "\r", GREETING)

    def test_what_is_typed_ahead_is_the_next_turn(self):
        terminal = self.start()
        terminal.type(ADA + "\r" + NAME + "\r")
        terminal.expect(GREETING)
        terminal.expect(ANSWER)


class InterruptedPipes(Folder):
    def test_control_c_ends_the_chat_after_what_was_produced(self):
        process = subprocess.Popen(
            [CLLM, "chat", *self.endless()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(b"Go on\n")
        process.stdin.flush()
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (130, b""))
        self.assertTrue((begun + rest).endswith(b"\n"))


class PlansAndBudgets(Folder):
    def installed(self):
        result = self.cllm("models", "import", MODEL, "--name", "pocket")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.strip()

    def cllm(self, *arguments, **options):
        home = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config")}
        return cllm("--models-dir", str(self.folder / "Models"), "--managed-only", *arguments, env=home, **options)

    def test_the_plan_of_an_installed_model(self):
        identifier = self.installed()
        plan = json.loads(self.cllm("plan", "pocket", "--json").stdout)
        self.assertEqual(
            (plan["selection"], plan["displayName"], plan["mode"], plan["requestedContext"], plan["trainingContext"],
             plan["calibratedMaximum"], plan["capabilities"]["contextSize"]),
            (identifier, "pocket", "auto", 2048, 2048, None, 2048))

    def test_a_calibration_bounds_the_plan_with_the_same_settings(self):
        self.installed()
        result = self.cllm("calibrate", "pocket", "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        found = json.loads(result.stdout)
        self.assertEqual(found["maximumSupportedContext"], 2048)
        self.assertTrue(found["probedTiers"])
        self.assertTrue(all(probe["succeeded"] for probe in found["probedTiers"]))
        self.assertGreater(found["seconds"], 0)
        plan = json.loads(self.cllm("plan", "pocket", "--json").stdout)
        self.assertEqual(plan["calibratedMaximum"], 2048)
        other = json.loads(self.cllm("plan", "pocket", "--json", "--batch", "64").stdout)
        self.assertEqual(other["calibratedMaximum"], None)

    def test_an_installed_model_runs_and_chats_through_its_plan(self):
        identifier = self.installed()
        run = self.cllm("run", "--stats", "--temperature", "0", ADA)
        self.assertEqual((run.returncode, run.stdout), (0, GREETING + "\n"), run.stderr)
        self.assertIn("batch: ", run.stderr)
        path = self.folder / "saved"
        lines = f"{ADA}\n/save {path}\n/load {path}\n{NAME}\n"
        talk = self.cllm("chat", "--model", identifier, "--temperature", "0", standard_input=lines)
        self.assertEqual((talk.returncode, talk.stdout), (0, f"{GREETING}\n{ANSWER}\n"), talk.stderr)

    def test_the_budget_of_a_prompt(self):
        result = cllm("preflight", "--model", MODEL, "--max-tokens", "10", "--json", ADA)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        budget = json.loads(result.stdout)
        self.assertEqual((budget["canGenerate"], budget["effectiveMaxOutputTokens"]), (True, 10))
        self.assertEqual(budget["loadedContextSize"], 2048)
        self.assertEqual(budget["availableOutputTokens"], 2048 - budget["promptTokens"])
        with_tools = cllm("preflight", "--model", MODEL, "--tools", "calculate", "--json", ADA)
        self.assertGreater(
            json.loads(with_tools.stdout)["promptTokens"], json.loads(result.stdout)["promptTokens"] + 40)
        figures = cllm("preflight", "--model", MODEL, "--stats", "--json", ADA)
        self.assertEqual(json.loads(figures.stdout)["promptTokens"], json.loads(result.stdout)["promptTokens"])
        self.assertEqual([line.split(":")[0] for line in figures.stderr.splitlines()],
                         ["load", "context", "prompt tokens"])
        long = json.loads(cllm("preflight", "--model", MODEL, "--json", standard_input="word " * 3000).stdout)
        self.assertEqual(long["canGenerate"], False)

    def test_a_model_of_the_system_that_is_not_there(self):
        for command in (["run", "Hi", "--model"], ["plan"], ["calibrate"], ["preflight", "Hi", "--model"]):
            result = self.cllm(*command, "system.apple-intelligence")
            self.assertEqual((result.returncode, result.stdout), (1, ""), command)
            self.assertEqual(len(result.stderr.splitlines()), 1, command)


if __name__ == "__main__":
    unittest.main()
