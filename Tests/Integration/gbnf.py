"""A small reader of GBNF grammars that generates and recognises texts.

It knows what the grammars of JSON schemas use: literals, character sets, groups, repetitions and rules.
"""

import re

SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
LONG_ESCAPES = {"x": 2, "u": 4, "U": 8}


class Grammar:
    """Rules as nested tuples: ("text", s), ("set", ranges), ("rule", name), ("seq", parts), ("alt", parts),
    ("rep", part, low, high)."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.rules = {}
        while self.skip(lines=True) or self.at < len(text):
            name = self.take(r"[a-zA-Z0-9-]+")
            self.skip()
            self.take("::=")
            self.skip(lines=True)
            self.rules[name] = self.alternatives(False)
        self.minimum = self.shortest()
        self.known_lengths = {}

    # Reading

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self, pattern):
        match = re.compile(pattern).match(self.text, self.at)
        if not match:
            raise ValueError(f"{pattern} expected at {self.text[self.at:self.at + 40]!r}")
        self.at = match.end()
        return match.group()

    def skip(self, lines=False):
        while self.peek() and self.peek() in (" \t\r\n" if lines else " \t"):
            self.at += 1
        return False

    def alternatives(self, nested):
        parts = [self.sequence(nested)]
        while self.peek() == "|":
            self.at += 1
            self.skip(lines=True)
            parts.append(self.sequence(nested))
        return parts[0] if len(parts) == 1 else ("alt", tuple(parts))

    def sequence(self, nested):
        parts = []
        while self.peek() and self.peek() not in "|)\n":
            parts.append(self.repeated(self.atom()))
            self.skip(lines=nested)
        return parts[0] if len(parts) == 1 else ("seq", tuple(parts))

    def atom(self):
        first = self.peek()
        if first == '"':
            return self.literal()
        if first == "[":
            return self.character_set()
        if first == "(":
            self.at += 1
            self.skip(lines=True)
            inner = self.alternatives(True)
            self.take(r"\)")
            return inner
        if first == ".":
            self.at += 1
            return ("set", ((0, 0x10FFFF),))
        return ("rule", self.take(r"[a-zA-Z0-9-]+"))

    def repeated(self, part):
        quantifier = self.peek()
        if not quantifier or quantifier not in "*+?{":
            return part
        self.at += 1
        if quantifier != "{":
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[quantifier]
        else:
            bounds = self.take(r"\d+(,\d*)?\}")[:-1].split(",")
            low = int(bounds[0])
            high = low if len(bounds) == 1 else int(bounds[1]) if bounds[1] else None
        return ("rep", part, low, high)

    def character(self):
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return char
        kind = self.text[self.at]
        self.at += 1
        if kind in LONG_ESCAPES:
            return chr(int(self.take("[0-9a-fA-F]{%d}" % LONG_ESCAPES[kind]), 16))
        return SIMPLE_ESCAPES.get(kind, kind)

    def literal(self):
        self.at += 1
        text = ""
        while self.peek() != '"':
            text += self.character()
        self.at += 1
        return ("text", text)

    def character_set(self):
        self.at += 1
        negated = self.peek() == "^"
        self.at += negated
        ranges = []
        while self.peek() != "]":
            low = high = self.character()
            if self.peek() == "-" and self.text[self.at + 1] != "]":
                self.at += 1
                high = self.character()
            ranges.append((ord(low), ord(high)))
        self.at += 1
        return ("set", tuple(complement(ranges) if negated else ranges))

    # Generating

    def shortest(self):
        """The length of the shortest text of each rule, so that generation can find an end."""
        lengths = {name: None for name in self.rules}
        changed = True
        while changed:
            changed = False
            for name, part in self.rules.items():
                length = self.length(part, lengths)
                if length is not None and (lengths[name] is None or length < lengths[name]):
                    lengths[name] = length
                    changed = True
        return lengths

    def length(self, part, lengths):
        kind = part[0]
        if kind == "text":
            return len(part[1])
        if kind == "set":
            return 1 if part[1] else None
        if kind == "rule":
            return lengths[part[1]]
        if kind == "alt":
            known = [length for length in (self.length(inner, lengths) for inner in part[1]) if length is not None]
            return min(known, default=None)
        if kind == "seq":
            known = [self.length(inner, lengths) for inner in part[1]]
            return None if None in known else sum(known)
        inner = self.length(part[1], lengths)
        return 0 if part[2] == 0 else None if inner is None else inner * part[2]

    def generate(self, random, effort=60):
        """A random text; beyond `effort` rules it takes the shortest way out."""
        output = []
        self.left = effort
        self.emit(("rule", "root"), random, output)
        return "".join(output)

    def emit(self, part, random, output):
        kind = part[0]
        if kind == "text":
            output.append(part[1])
        elif kind == "set":
            output.append(random_character(part[1], random))
        elif kind == "rule":
            self.left -= 1
            self.emit(self.rules[part[1]], random, output)
        elif kind == "seq":
            for inner in part[1]:
                self.emit(inner, random, output)
        elif kind == "alt":
            self.emit(self.choose(part[1], random), random, output)
        else:
            low, high = part[2], part[3]
            most = low + random.choice((0, 0, 1, 2, 3, 12)) if self.left > 0 else low
            if high is not None:
                most = random.choice((min(most, high), high if self.left > high else low))
            for _ in range(most):
                self.emit(part[1], random, output)

    def choose(self, parts, random):
        if parts not in self.known_lengths:
            lengths = [(self.length(part, self.minimum), index) for index, part in enumerate(parts)]
            self.known_lengths[parts] = [(length, index) for length, index in lengths if length is not None]
        possible = self.known_lengths[parts]
        return parts[random.choice(possible)[1] if self.left > 0 else min(possible)[1]]

    # Recognising

    def matches(self, text):
        """Whether the whole text belongs to the grammar. Follows every way at once, as the engine does."""
        matcher = Matcher(self)
        states = matcher.advance({(("rule", "root"), None)})
        for char in text:
            code = ord(char)
            states = matcher.advance({rest for ranges, rest in states if ranges and contains(ranges, code)})
            if not states:
                return False
        return any(ranges is None for ranges, _ in states)


class Matcher:
    """Stacks of what is still to come, as linked pairs."""

    def __init__(self, grammar):
        self.grammar = grammar

    def advance(self, starts):
        """The ways on: pairs of a character set and the stack after it, or (None, None) where the text may end."""
        done, pending, result = set(), list(starts), set()
        while pending:
            stack = pending.pop()
            if stack in done:
                continue
            done.add(stack)
            if stack is None:
                result.add((None, None))
                continue
            part, rest = stack
            pending += self.steps(part, rest, result)
        return result

    def steps(self, part, rest, result):
        kind = part[0]
        if kind == "text":
            if not part[1]:
                return [rest]
            after = (("text", part[1][1:]), rest) if len(part[1]) > 1 else rest
            result.add((((ord(part[1][0]), ord(part[1][0])),), after))
            return []
        if kind == "set":
            result.add((part[1], rest))
            return []
        if kind == "rule":
            return [(self.grammar.rules[part[1]], rest)]
        if kind == "alt":
            return [(inner, rest) for inner in part[1]]
        if kind == "seq":
            for inner in reversed(part[1]):
                rest = (inner, rest)
            return [rest]
        _, inner, low, high = part
        if low > 0:
            again = ("rep", inner, low - 1, None if high is None else high - 1)
            return [(inner, (again, rest) if again[3] != 0 else rest)]
        if high is None:
            return [rest, (inner, (part, rest))]
        if high == 0:
            return [rest]
        return [rest, (inner, (("rep", inner, 0, high - 1), rest))]


def complement(ranges):
    gaps, following = [], 0
    for low, high in sorted(ranges):
        if low > following:
            gaps.append((following, low - 1))
        following = max(following, high + 1)
    if following <= 0x10FFFF:
        gaps.append((following, 0x10FFFF))
    return gaps


def contains(ranges, code):
    return any(low <= code <= high for low, high in ranges)


def random_character(ranges, random):
    """A character of the set: mostly ASCII, at times one of the ends of a range."""
    low, high = random.choice(ranges)
    if random.random() < 0.2:
        code = random.choice((low, high))
    else:
        code = random.randint(low, max(low, min(high, 0x7E)))
    # A negated set has surrogates, which are no characters.
    return chr(code if not 0xD800 <= code <= 0xDFFF else low if low < 0xD800 else 0xFFFD)
