"""llama.cpp's server as the other side of a comparison: starts it, holds the conversations of a workload with it."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LlamaServer:
    """Runs for as long as the block does."""

    def __init__(self, program, model, workload, threads):
        self.port = free_port()
        self.peak_memory = 0
        self.command = [str(part) for part in (
            program, "--model", model, "--ctx-size", workload["context"], "--parallel", workload["slots"],
            "--threads", threads, "--gpu-layers", 0, "--host", "127.0.0.1", "--port", self.port, "--jinja")]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/health")
                if connection.getresponse().status == 200:
                    return self
            except OSError:
                pass
            time.sleep(0.05)
        self.__exit__()
        sys.exit("bench: llama-server did not start: " + " ".join(self.command))

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
            _, _, usage = os.wait4(self.process.pid, 0)
            self.process.returncode = -signal.SIGKILL
            self.peak_memory = usage.ru_maxrss * 1024

    def ask(self, messages, turn):
        """One request; gives the reply, the seconds to its first token, and the server's own counts."""
        body = {
            "messages": messages, "max_tokens": turn["maxTokens"], "temperature": 0, "stream": True,
            "cache_prompt": True, "timings_per_token": False, "stream_options": {"include_usage": True},
        }
        if "jsonSchema" in turn:
            body["response_format"] = {"type": "json_schema", "json_schema": {"schema": turn["jsonSchema"]}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        started = time.monotonic()
        connection.request(
            "POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            sys.exit(f"bench: llama-server answered {response.status}: {response.read(500)}")
        pieces, first, last, usage, timings = [], None, started, {}, {}
        for line in response:
            if not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                continue
            event = json.loads(line[6:])
            usage = event.get("usage") or usage
            timings = event.get("timings") or timings
            for choice in event.get("choices", []):
                piece = choice["delta"].get("content") or choice["delta"].get("reasoning_content")
                if piece:
                    last = time.monotonic()
                    first = first or last
                    pieces.append(piece)
        generated = usage.get("completion_tokens", timings.get("predicted_n", 0))
        decode = last - first if first else 0
        return "".join(pieces), {
            "timeToFirstTokenMilliseconds": (first - started) * 1000 if first else None,
            "promptTokens": usage.get("prompt_tokens", timings.get("prompt_n", 0)),
            "generatedTokens": generated,
            "decodeTokensPerSecond": (generated - 1) / decode if decode > 0 else None,
        }

    def hold(self, conversation):
        messages = [{"role": "system", "content": conversation["system"]}] if conversation["system"] else []
        samples = []
        for turn in conversation["turns"]:
            messages.append({"role": "user", "content": turn["prompt"]})
            reply, sample = self.ask(messages, turn)
            messages.append({"role": "assistant", "content": reply})
            samples.append(sample)
        return samples

    def measure(self, workload):
        """What `cllm bench --workload` prints, of this server."""
        self.ask([{"role": "user", "content": "Hello"}], {"maxTokens": 4})
        conversations = workload["conversations"]
        samples = [None] * len(conversations)

        def work(index):
            samples[index] = self.hold(conversations[index])

        started = time.monotonic()
        threads = [threading.Thread(target=work, args=(index,)) for index in range(len(conversations))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - started
        generated = sum(sample["generatedTokens"] for turns in samples for sample in turns)
        return {
            "milliseconds": seconds * 1000, "generatedTokens": generated, "tokensPerSecond": generated / seconds,
            "conversations": samples,
        }
