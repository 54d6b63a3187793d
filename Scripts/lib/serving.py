"""Figures of serving conversations: this package's engine in one process against llama.cpp's server."""

import json
import pathlib
import sys
import tempfile

import workloads
from llama_server import LlamaServer


def turns(report):
    return [turn for conversation in report["conversations"] for turn in conversation]


def measured_in(turn, name):
    """A figure of a turn, which has none when the model ended it at once."""
    value = turn[name]
    if not value:
        sys.exit("bench: the model answered a conversation of this comparison with nothing; try another --model")
    return value


def first_token(turn):
    return measured_in(turn, "timeToFirstTokenMilliseconds")


def rate(report):
    """Tokens per second of the first turn."""
    return measured_in(turns(report)[0], "decodeTokensPerSecond")


PLAIN = ("--acceleration", "disabled")
DRAFTED = ("--acceleration", "automatic")


class Serving:
    """Measures workloads with both. `measured` runs a command and gives its output, wall time and peak memory."""

    def __init__(self, ours, server, model, measured):
        self.ours, self.server, self.model, self.measured = ours, server, model, measured
        self.ours_first = False

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

    def both(self, workload, threads):
        """Ours and theirs, without drafts, in turns."""
        self.ours_first = not self.ours_first
        if self.ours_first:
            ours = self.with_ours(workload, threads, *PLAIN)
            return ours, self.with_theirs(workload, threads)
        theirs = self.with_theirs(workload, threads)
        return self.with_ours(workload, threads, *PLAIN), theirs

    def drafts(self, workload, threads):
        """Ours with drafts and without, in tokens per second."""
        self.ours_first = not self.ours_first
        policies = (DRAFTED, PLAIN) if self.ours_first else (PLAIN, DRAFTED)
        rates = {policy: rate(self.with_ours(workload, threads, *policy)) for policy in policies}
        return rates[DRAFTED], rates[PLAIN]

    def warm_up(self, threads):
        """Reads everything from disk once; not counted."""
        self.both(workloads.parallel(4), threads)

    def pair(self, threads):
        """One measurement of everything, ours and theirs in turn."""
        figures = {}
        for streams in (4, 8):
            ours, theirs = self.both(workloads.parallel(streams), threads)
            figures[f"parallel-{streams}"] = (ours["tokensPerSecond"], theirs["tokensPerSecond"])
            figures[f"parallel-{streams}-memory"] = (ours["memory"], theirs["memory"])
        reports = self.both(workloads.second_turn(), threads)
        times = [[first_token(turn) for turn in turns(report)] for report in reports]
        figures["ttft-second-turn"] = tuple(second for _, second in times)
        figures["ttft-second-turn-share"] = tuple(second / first * 100 for first, second in times)
        shared = self.both(workloads.shared_prefix(), threads)
        figures["shared-prefix"] = tuple(report["milliseconds"] for report in shared)
        free = [rate(report) for report in self.both(workloads.free_text(), threads)]
        held = [rate(report) for report in self.both(workloads.structured(), threads)]
        figures["grammar"] = tuple(held)
        figures["grammar-kept"] = tuple(after / before * 100 for after, before in zip(held, free))
        drafted, plain = self.drafts(workloads.copying(), threads)
        figures["ngram"] = (drafted, rate(self.with_theirs(workloads.copying(), threads)))
        figures["ngram-own"] = (drafted, plain)
        figures["ngram-own-story"] = self.drafts(workloads.story(), threads)
        return figures


# Figures with "own" compare with this package's own plain decoding instead.
UNITS = {
    "parallel-4": "tokens/s", "parallel-4-memory": "MiB", "parallel-8": "tokens/s", "parallel-8-memory": "MiB",
    "ttft-second-turn": "ms", "ttft-second-turn-share": "% of the first", "shared-prefix": "ms",
    "grammar": "tokens/s", "grammar-kept": "% of free text", "ngram": "tokens/s",
    "ngram-own": "tokens/s (ours without drafts)", "ngram-own-story": "tokens/s (ours without drafts)",
}
