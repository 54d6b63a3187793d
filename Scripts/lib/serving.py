"""Figures of serving conversations: this package's engine in one process against llama.cpp's server."""

import json
import pathlib
import tempfile

import workloads
from llama_server import LlamaServer


def turns(report):
    return [turn for conversation in report["conversations"] for turn in conversation]


def first_token(turn):
    return turn["timeToFirstTokenMilliseconds"]


class Serving:
    """Measures workloads with both. `measured` runs a command and gives its output, wall time and peak memory."""

    def __init__(self, ours, server, model, measured):
        self.ours, self.server, self.model, self.measured = ours, server, model, measured

    def with_ours(self, workload, threads, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = workloads.write(workload, pathlib.Path(folder) / "workload.json")
            command = [self.ours, "bench", "--workload", path, "--model", self.model, "--json", "--gpu-layers", 0]
            if threads:
                command += ["--threads", threads]
            text, _, memory = self.measured([str(part) for part in command + list(options)])
        return {**json.loads(text), "memory": memory / 2**20}

    def with_theirs(self, workload, threads):
        with LlamaServer(self.server, self.model, workload, threads) as server:
            report = server.measure(workload)
        return {**report, "memory": server.peak_memory / 2**20}

    def both(self, workload, threads, *options):
        return self.with_ours(workload, threads, *options), self.with_theirs(workload, threads)

    def pair(self, threads):
        """One measurement of everything, ours and theirs in turn."""
        figures = {}
        for streams in (4, 8):
            ours, theirs = self.both(workloads.parallel(streams), threads)
            figures[f"parallel-{streams}"] = (ours["tokensPerSecond"], theirs["tokensPerSecond"])
            figures[f"parallel-{streams}-memory"] = (ours["memory"], theirs["memory"])
        ours, theirs = self.both(workloads.second_turn(), threads)
        figures["ttft-second-turn"] = tuple(first_token(turns(report)[1]) for report in (ours, theirs))
        figures["ttft-second-turn-share"] = tuple(
            first_token(turns(report)[1]) / first_token(turns(report)[0]) * 100 for report in (ours, theirs))
        shared = self.both(workloads.shared_prefix(), threads)
        figures["shared-prefix"] = tuple(report["milliseconds"] for report in shared)
        figures.update(self.decoding(threads))
        return figures

    def decoding(self, threads):
        """Decoding with a schema, and a text that copies its prompt with and without drafts."""
        def rate(report):
            return turns(report)[0]["decodeTokensPerSecond"]

        free = [rate(report) for report in self.both(workloads.free_text(), threads, "--acceleration", "disabled")]
        held = [rate(report) for report in self.both(workloads.structured(), threads, "--acceleration", "disabled")]
        drafted, plain = [
            rate(self.with_ours(workloads.copying(), threads, "--acceleration", policy))
            for policy in ("automatic", "disabled")]
        free_drafted = rate(self.with_ours(workloads.free_text(), threads, "--acceleration", "automatic"))
        theirs = rate(self.with_theirs(workloads.copying(), threads))
        return {
            "grammar": tuple(held),
            "grammar-kept": tuple(after / before * 100 for after, before in zip(held, free)),
            "ngram": (drafted, theirs),
            "ngram-against-plain": (drafted, plain),
            "drafts-without-use": (free_drafted, free[0]),
        }


UNITS = {
    "parallel-4": "tokens/s", "parallel-4-memory": "MiB", "parallel-8": "tokens/s", "parallel-8-memory": "MiB",
    "ttft-second-turn": "ms", "ttft-second-turn-share": "% of the first", "shared-prefix": "ms",
    "grammar": "tokens/s", "grammar-kept": "% of free text", "ngram": "tokens/s",
    "ngram-against-plain": "tokens/s (ours without drafts)", "drafts-without-use": "tokens/s (ours without drafts)",
}
