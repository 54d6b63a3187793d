#!/usr/bin/env python3
"""Writes the seeds of the GGUF fuzzer to Tests/Fuzz/Corpus: small files of every kind that the reader knows."""

import pathlib
import struct

CORPUS = pathlib.Path(__file__).resolve().parent / "Corpus"
CODES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "B", 10: "Q", 11: "q", 12: "d"}
UINT32, FLOAT32, BOOL, STRING, ARRAY = 4, 6, 7, 8, 9


class Writer:
    """GGUF of one version and byte order."""

    def __init__(self, version=3, order="<"):
        self.version, self.order = version, order
        self.pairs, self.tensors = [], []

    def number(self, code, value):
        return struct.pack(self.order + code, value)

    def text(self, value):
        raw = value.encode() if isinstance(value, str) else value
        return self.number("Q", len(raw)) + raw

    def value(self, kind, value):
        if kind == STRING:
            return self.text(value)
        if kind == ARRAY:
            element, items = value
            head = self.number("I", element) + self.number("Q", len(items))
            return head + b"".join(self.value(element, item) for item in items)
        return self.number(CODES[kind], value)

    def add(self, key, kind, value):
        self.pairs.append(self.text(key) + self.number("I", kind) + self.value(kind, value))
        return self

    def tensor(self, name, dimensions, kind=0, size=None):
        count = 4
        for dimension in dimensions:
            count *= dimension
        self.tensors.append((name, dimensions, kind, count if size is None else size))
        return self

    def bytes(self, alignment=32):
        head = b"GGUF" + self.number("I", self.version)
        head += self.number("Q", len(self.tensors)) + self.number("Q", len(self.pairs)) + b"".join(self.pairs)
        body = b""
        for name, dimensions, kind, size in self.tensors:
            head += self.text(name) + self.number("I", len(dimensions))
            head += b"".join(self.number("Q", dimension) for dimension in dimensions)
            head += self.number("I", kind) + self.number("Q", len(body))
            body += bytes(size + -size % alignment)
        return head + bytes(-len(head) % alignment) + body


def model(version=3, order="<"):
    writer = Writer(version, order)
    writer.add("general.architecture", STRING, "llama").add("general.name", STRING, "Seed – ü")
    writer.add("general.type", STRING, "model").add("general.file_type", UINT32, 15)
    writer.add("llama.context_length", UINT32, 4096).add("llama.block_count", UINT32, 1)
    writer.add("llama.embedding_length", UINT32, 32).add("llama.attention.head_count", UINT32, 1)
    writer.add("tokenizer.ggml.model", STRING, "llama")
    writer.add("tokenizer.ggml.tokens", ARRAY, (STRING, ["<unk>", "<s>", "</s>", "a"]))
    writer.add("tokenizer.ggml.scores", ARRAY, (FLOAT32, [0, 0, 0, -1.5]))
    writer.add("tokenizer.chat_template", STRING, "{{ messages[0].content }}")
    writer.add("tokenizer.chat_templates", ARRAY, (STRING, ["tool_use"]))
    writer.add("tokenizer.chat_template.tool_use", STRING, "{{ tools }}")
    return writer.tensor("token_embd.weight", [32, 4]).tensor("output_norm.weight", [32])


def seeds():
    yield "model-v3", model().bytes()
    yield "model-v2", model(version=2).bytes()
    yield "model-big-endian", model(order=">").bytes()
    every = Writer()
    for kind, code in CODES.items():
        every.add(f"scalar.{kind}", kind, 1)
        every.add(f"array.{kind}", ARRAY, (kind, [0, 1, 1]))
    yield "every-type", every.bytes()
    yield "nested-arrays", Writer().add("n", ARRAY, (ARRAY, [(ARRAY, [(STRING, ["x"])]), (ARRAY, [])])).bytes()
    yield "alignment", Writer().add("general.alignment", UINT32, 64).tensor("t", [2, 1, 1, 2]).bytes(64)
    split = model().add("split.no", 2, 0).add("split.count", 2, 2).add("split.tensors.count", 5, 4)
    yield "split", split.bytes()
    yield "quantised", Writer().tensor("q4_0", [64, 2], 2, 72).tensor("q6_k", [256, 1], 14, 210).bytes()
    sampling = model().add("general.sampling.temp", FLOAT32, 0.6).add("general.sampling.top_k", 5, 20)
    yield "sampling", sampling.add("qwen3.nextn_predict_layers", UINT32, 1).bytes()
    yield "bad-utf8", Writer().add(b"general.name", STRING, b"\xff\xfe\x00").add("b", BOOL, 2).bytes()
    yield "empty", Writer().bytes()
    yield "huge-counts", b"GGUF" + struct.pack("<IQQ", 3, 2**63, 2**63)
    yield "version-1", b"GGUF" + struct.pack("<IIII", 1, 0, 0, 0)


def main():
    CORPUS.mkdir(exist_ok=True)
    for name, data in seeds():
        (CORPUS / name).write_bytes(data)


if __name__ == "__main__":
    main()
