"""The model library through the program: files, exit codes, processes that want the same model.

Runs the program that CLLM names, in folders of its own and against a hub on this machine.
"""

import hashlib
import http.server
import json
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import threading
import unittest
import uuid

CLLM = os.environ["CLLM"]
REPO = "owner/repo-GGUF"
FILE = "repo-Q4_K_M.gguf"
COMMIT = "c0ffee00" * 5


def gguf(padding=0):
    """A model file that can be listed: one key, one small tensor, and bytes behind it."""

    def text(value):
        return struct.pack("<Q", len(value)) + value.encode()

    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 2)
    head += text("general.architecture") + struct.pack("<I", 8) + text("llama")
    head += text("llama.context_length") + struct.pack("<II", 4, 32768)
    head += text("token_embd.weight") + struct.pack("<IQIQ", 1, 32, 0, 0)
    head += bytes(-len(head) % 32)
    return head + bytes(128) + bytes(index * 31 % 256 for index in range(padding))


class Hub(http.server.ThreadingHTTPServer):
    """One repository with one file; can hold back the data until it is let go."""

    def __init__(self, content):
        super().__init__(("127.0.0.1", 0), HubHandler)
        self.content = content
        self.transferred = 0
        self.counting = threading.Lock()
        self.stall_after = None
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


class HubHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == f"/api/models/{REPO}/refs":
            self.answer_json({"branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": COMMIT}]})
        elif path == f"/api/models/{REPO}/tree/{COMMIT}":
            digest, size = hashlib.sha256(self.server.content).hexdigest(), len(self.server.content)
            large = {"oid": digest, "size": size, "pointerSize": 134}
            self.answer_json([{"type": "file", "oid": digest[:40], "size": size, "path": FILE, "lfs": large}])
        elif path == f"/{REPO}/resolve/{COMMIT}/{FILE}":
            self.answer_file(self.server.content)
        else:
            self.answer(404, b"", [])

    def answer_json(self, value):
        self.answer(200, json.dumps(value).encode(), [("Content-Type", "application/json")])

    def answer_file(self, content):
        first, _, last = self.headers.get("Range", "bytes=0-").partition("=")[2].partition("-")
        start, end = int(first), min(int(last or len(content)), len(content) - 1) + 1
        headers = [("Content-Range", f"bytes {start}-{end - 1}/{len(content)}"), ("ETag", '"v1"')]
        self.answer(206, content[start:end], headers, start)

    def answer(self, status, body, headers, start=None):
        self.send_response(status)
        for name, value in [*headers, ("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        try:
            if start is not None and self.server.stall_after is not None and start >= self.server.stall_after:
                self.server.stalled.set()
                self.server.released.wait(60)
            self.wfile.write(body)
        except OSError:
            return
        if start is not None:
            with self.server.counting:
                self.server.transferred += len(body)


class ModelsCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        hidden = ("CLLM_", "HF_", "XDG_", "OLLAMA_")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        self.environment.update(HOME=str(self.home), CLLM_MODELS_DIR=str(self.home / "models"))

    def arguments(self, *words):
        return {
            "args": [CLLM, "models", *words, "--managed-only"], "env": self.environment,
            "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
        }

    def models(self, *words):
        return subprocess.run(**self.arguments(*words))

    def succeed(self, *words):
        result = self.models(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def fail_with_one_line(self, *words):
        result = self.models(*words)
        self.assertEqual((result.returncode, result.stdout, len(result.stderr.splitlines())), (1, "", 1), words)
        return result.stderr

    def file(self, name, content):
        path = self.home / name
        path.write_bytes(content)
        return str(path)


class Library(ModelsCase):
    def test_an_empty_library_is_an_empty_array_and_stays_no_folder(self):
        self.assertEqual(json.loads(self.succeed("list", "--json")), [])
        self.assertEqual(self.succeed("list", "--quiet"), "")
        self.assertFalse((self.home / "models").exists())

    def test_a_model_is_imported_listed_shown_selected_and_removed(self):
        source = self.file("small-Q4_0.gguf", gguf())
        identifier = self.succeed("import", source, "--name", "Small").strip()
        self.assertEqual(str(uuid.UUID(identifier)).upper(), identifier)
        (model,) = json.loads(self.succeed("list", "--json"))
        self.assertEqual((model["id"], model["displayName"], model["damaged"]), (identifier, "Small", None))
        self.assertEqual((model["contextLength"], model["sizeBytes"]), (32768, len(gguf())))
        shown = json.loads(self.succeed("show", identifier[:8].lower(), "--json"))
        self.assertEqual((shown["architecture"], shown["parameterCount"]), ("llama", 32))
        self.succeed("select", "Small")
        self.assertEqual(self.succeed("selected"), identifier + "\n")
        self.succeed("remove", "Small", "--yes")
        self.assertEqual(json.loads(self.succeed("list", "--json")), [])
        self.assertEqual(self.succeed("selected"), "")
        self.assertTrue(os.path.exists(source))

    def test_wrong_files_and_unknown_models_are_refused_with_one_line(self):
        text = self.file("text.gguf", b"hello, I am no model")
        cut = self.file("cut.gguf", gguf()[:-64])
        for words in (
            ["import", text], ["import", "/nowhere/m.gguf"], ["show", text], ["show", cut], ["show", "nothing"],
            ["remove", "nothing", "--yes"], ["select", "nothing"], ["discard", "nothing"],
        ):
            self.fail_with_one_line(*words)
        self.assertEqual(json.loads(self.succeed("list", "--json")), [])

    def test_a_run_without_any_model_says_how_to_get_one(self):
        result = subprocess.run(
            [CLLM, "run", "--managed-only", "Hi"], env=self.environment, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("cllm models pull", result.stderr)


class Pulling(ModelsCase):
    def setUp(self):
        super().setUp()
        self.hub = Hub(gguf(padding=3 << 20))
        self.addCleanup(self.hub.close)

    def pull_arguments(self):
        return self.arguments("pull", REPO, "--endpoint", self.hub.url, "--connections", "1", "--chunk-size", "1048576")

    def test_of_two_processes_that_pull_the_same_model_one_downloads(self):
        processes = [subprocess.Popen(**self.pull_arguments()) for _ in range(2)]
        outputs = [process.communicate(timeout=120) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0], outputs)
        self.assertEqual(outputs[0][0], outputs[1][0])
        self.assertEqual(self.hub.transferred, len(self.hub.content))
        (model,) = json.loads(self.succeed("list", "--json"))
        self.assertEqual(model["sha256"], hashlib.sha256(self.hub.content).hexdigest())

    def test_an_interrupted_pull_is_kept_and_gone_on_with(self):
        self.hub.stall_after = 2 << 20
        process = subprocess.Popen(**self.pull_arguments())
        self.assertTrue(self.hub.stalled.wait(60))
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (130, ""))
        self.assertIn("interrupted", errors)
        (partial,) = json.loads(self.succeed("partials", "--json"))
        self.assertEqual((partial["totalBytes"], partial["bytesOnDisk"]), (len(self.hub.content), 2 << 20))
        self.hub.stall_after = None
        before = self.hub.transferred
        result = subprocess.run(**self.pull_arguments())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.hub.transferred - before, len(self.hub.content) - (2 << 20))
        self.assertEqual(json.loads(self.succeed("partials", "--json")), [])


if __name__ == "__main__":
    unittest.main()
