"""Copies the output of `swift test` without what starts, what passes and what is built.

These are a line or more for each of many tests: names and arguments may contain line breaks.
"""

import re
import sys

HIDDEN = re.compile(r"◇ |✔ (?!Test run )|\[\d+/\d+\] ")
END = re.compile(r"( started\.|after [\d.]+ seconds.*\.|^\[\d+/\d+\] .*)$")
MARK = re.compile(r"[◇✔✘↳➜±⚠]|\*\*\* ")


def shown(lines):
    """The lines worth reading, as they come."""
    hiding = False
    for line in lines:
        if hiding and not MARK.match(line):
            hiding = not END.search(line)
            continue
        hiding = False
        if not HIDDEN.match(line):
            yield line
        elif not END.search(line):
            hiding = True


if __name__ == "__main__":
    for line in shown(sys.stdin):
        print(line, end="", flush=True)
