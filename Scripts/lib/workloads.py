"""The conversations that this package and llama.cpp's server are compared with, in the form of `cllm bench --workload`.

The texts are made here and mean nothing; every conversation begins differently unless it says otherwise, so that no
cache helps where none is measured.
"""

import json

WORDS = (
    "river stone window garden paper winter music bridge apple market letter silver morning forest engine island castle "
    "summer yellow travel").split()
COUNT = "Count from 1 to 10000 in digits with a comma after each number, and leave none out."
LETTER = """Dear Anna,
The small river behind our house has risen again after the long rain of this week. On Monday the water reached the old \
wooden bridge, and on Tuesday the mill had to close. My brother carried our books to the upper floor, and my mother \
moved the hens into the barn. Nobody was hurt, but the road to the village is closed until Friday. The baker now \
brings the bread by boat, and the children think that it is a holiday. Please do not travel before the weekend, and \
tell your father that the letters from the bank arrived safely.
With love,
Maria"""
SCHEMA = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array", "minItems": 12, "maxItems": 12,
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string", "maxLength": 12}, "price": {"type": "integer"}},
                "required": ["name", "price"],
            },
        },
    },
    "required": ["items"],
}


def filler(count, variant):
    words = [WORDS[(index * 7 + variant * 3) % len(WORDS)] for index in range(count)]
    return " ".join([str(variant)] + words) + "."


def turn(prompt, tokens, **more):
    return {"prompt": prompt, "maxTokens": tokens, **more}


def conversation(*turns, system=""):
    return {"system": system, "turns": list(turns)}


def workload(context, slots, conversations):
    return {"context": context, "slots": slots, "conversations": conversations}


def parallel(streams):
    """Streams that are served at the same time."""
    held = [conversation(turn(f"{filler(40, index)}\n{COUNT}", 128)) for index in range(1, streams + 1)]
    return workload(512 * streams, streams, held)


def second_turn(tokens=2000):
    """A long first prompt, then a short one behind its reply."""
    # A small model ends its turn at once when the task is not at both ends.
    first = f"{COUNT}\n{filler(tokens, 1)}\n{COUNT}"
    return workload(4096, 1, [conversation(turn(first, 16), turn("Again.", 16))])


def shared_prefix(tokens=800, requests=6):
    """Requests one after another with the same long system text."""
    system = filler(tokens, 2)
    held = [conversation(turn(f"{index}. {COUNT}", 8), system=system) for index in range(requests)]
    # One slot serves them in turn.
    return workload(4096, 1, held)


def copying():
    """A text that the reply repeats; in words that a small model copies without mistakes."""
    return workload(2048, 1, [conversation(turn(
        f"Here is a letter:\n\n{LETTER}\n\nCopy the letter word for word.", 256))])


def story():
    """A reply that hardly repeats what was there before."""
    return workload(1024, 1, [conversation(turn(
        "Write a long story about a river, a lighthouse and an old clock. Use new words in every sentence.", 192))])


def free_text():
    return workload(1024, 1, [conversation(turn(f"{filler(20, 5)}\n{COUNT}", 192))])


def structured():
    prompt = f"{filler(20, 6)}\nWrite a price list of 12 things as JSON."
    return workload(1024, 1, [conversation(turn(prompt, 192, jsonSchema=SCHEMA))])


def write(workload, path):
    path.write_text(json.dumps(workload))
    return path
