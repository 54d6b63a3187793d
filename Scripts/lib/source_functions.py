"""Finds the functions of Swift and C++ sources and how many lines each one takes.

No parser of either language: comments and literals are blanked, then braces are matched and what stands
before an opening brace says what it opens.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """One function body, counted from its declaration's first line to its closing brace."""

    name: str
    first_line: int
    lines: int


class Eraser:
    """Copies a source text with comments and literals replaced by blanks; line breaks stay."""

    def __init__(self, text):
        self.text = text
        self.position = 0
        self.output = []

    def starts(self, prefix):
        return self.text.startswith(prefix, self.position)

    def keep(self, count=1):
        self.output.append(self.text[self.position:self.position + count])
        self.position += count

    def blank(self, count=1):
        piece = self.text[self.position:self.position + count]
        self.output.append("".join("\n" if character == "\n" else " " for character in piece))
        self.position += count

    def blank_until(self, end):
        """Blanks up to and with `end`, or all the rest."""
        found = self.text.find(end, self.position)
        self.blank((len(self.text) if found < 0 else found + len(end)) - self.position)

    def line_comment(self):
        found = self.text.find("\n", self.position)
        self.blank((len(self.text) if found < 0 else found) - self.position)

    def result(self):
        return "".join(self.output)


SWIFT_QUOTE = re.compile(r'(#*)("""|")')


def erase_swift(text):
    """Blanks comments, which nest, and string literals with what they interpolate."""
    eraser = Eraser(text)
    while eraser.position < len(text):
        quote = SWIFT_QUOTE.match(text, eraser.position)
        if eraser.starts("//"):
            eraser.line_comment()
        elif eraser.starts("/*"):
            erase_nested_comment(eraser)
        elif quote:
            erase_swift_string(eraser, quote)
        else:
            eraser.keep()
    return eraser.result()


def erase_nested_comment(eraser):
    depth = 0
    while eraser.position < len(eraser.text):
        if eraser.starts("/*"):
            depth += 1
            eraser.blank(2)
        elif eraser.starts("*/"):
            depth -= 1
            eraser.blank(2)
            if depth == 0:
                return
        else:
            eraser.blank()


def erase_swift_string(eraser, quote):
    pounds, mark = quote.group(1), quote.group(2)
    escape, interpolation, end = "\\" + pounds, "\\" + pounds + "(", mark + pounds
    eraser.blank(len(quote.group(0)))
    while eraser.position < len(eraser.text):
        if eraser.starts(interpolation):
            eraser.blank(len(interpolation))
            erase_interpolation(eraser)
        elif eraser.starts(escape):
            eraser.blank(len(escape) + 1)
        elif eraser.starts(end):
            eraser.blank(len(end))
            return
        elif mark == '"' and eraser.starts("\n"):
            return
        else:
            eraser.blank()


def erase_interpolation(eraser):
    """Blanks an interpolated expression, whose strings may hold parentheses of their own."""
    depth = 1
    while eraser.position < len(eraser.text) and depth > 0:
        quote = SWIFT_QUOTE.match(eraser.text, eraser.position)
        if quote:
            erase_swift_string(eraser, quote)
            continue
        depth += {"(": 1, ")": -1}.get(eraser.text[eraser.position], 0)
        eraser.blank()


CXX_RAW_STRING = re.compile(r'R"([^\s()\\]{0,16})\(')
CXX_DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n\\]|\\\n|\\.)*")


def erase_cxx(text):
    """Blanks comments, preprocessor lines, and string and character literals."""
    eraser = Eraser(text)
    while eraser.position < len(text):
        raw = CXX_RAW_STRING.match(text, eraser.position)
        directive = at_line_start(text, eraser.position) and CXX_DIRECTIVE.match(text, eraser.position)
        if directive:
            eraser.blank(directive.end() - eraser.position)
        elif eraser.starts("//"):
            eraser.line_comment()
        elif eraser.starts("/*"):
            eraser.blank_until("*/")
        elif raw:
            eraser.blank(raw.end() - eraser.position)
            eraser.blank_until(")" + raw.group(1) + '"')
        elif eraser.starts('"') or is_character_literal(text, eraser.position):
            erase_quoted(eraser)
        else:
            eraser.keep()
    return eraser.result()


def at_line_start(text, position):
    return position == 0 or text[position - 1] == "\n"


def is_character_literal(text, position):
    """A quote after a digit separates digits."""
    return text[position] == "'" and not (position > 0 and text[position - 1].isalnum())


def erase_quoted(eraser):
    quote = eraser.text[eraser.position]
    eraser.blank()
    while eraser.position < len(eraser.text) and not eraser.starts("\n"):
        if eraser.starts("\\"):
            eraser.blank(2)
        elif eraser.starts(quote):
            eraser.blank()
            return
        else:
            eraser.blank()


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def matching_brace(text, opening):
    """The position of the brace that closes the one at `opening`, or the end of the text."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(text) - 1


def function_between(text, name, start, opening):
    first = line_of(text, start)
    return Function(name, first, line_of(text, matching_brace(text, opening)) - first + 1)


SWIFT_DECLARATION = re.compile(
    r"(?<![\w.`])(?:func\s+(?P<func>[\w`]+|[^\w\s(]+)|(?P<init>init)\s*[?!]?\s*(?=[(<])"
    r"|(?P<deinit>deinit)\b|(?P<subscript>subscript)\s*(?=[(<])|var\s+(?P<var>\w+)\s*:)"
)
SWIFT_NEXT_DECLARATION = re.compile(
    r"\n\s*(?:@\w|#|(?:public|package|internal|private|fileprivate|open|static|class|mutating|nonisolated|override|"
    r"func|var|let|init|deinit|subscript|case|typealias|associatedtype|struct|enum|actor|extension|protocol|import)\b)"
)


def swift_functions(text):
    """The functions, initialisers, subscripts and computed properties with a body."""
    code = erase_swift(text)
    found = []
    for match in SWIFT_DECLARATION.finditer(code):
        name = next(group for group in match.groups() if group)
        opening = swift_body(code, match.end(), is_variable=match.group("var") is not None)
        if opening is not None:
            found.append(function_between(code, name, match.start(), opening))
    return found


def swift_body(code, position, is_variable):
    """Where the body after a declaration's name opens; None for a requirement or a stored property."""
    depth = 0
    while position < len(code):
        character = code[position]
        if depth == 0:
            if character == "{":
                return position
            if character == "}" or (is_variable and character in "=\n"):
                return None
            if character == "\n" and SWIFT_NEXT_DECLARATION.match(code, position):
                return None
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth < 0:
            return None
        position += 1
    return None


CXX_SCOPE = re.compile(r"^(?:inline\s+)?(?:namespace|extern|(?:typedef\s+)?(?:class|struct|union|enum))\b")
CXX_TEMPLATE = re.compile(r"^template\s*<")
# A constructor's initialiser list that ends in a member's name: the brace holds that member's value.
CXX_MEMBER_VALUE = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:).*[\w>]\s*$", re.DOTALL)


def cxx_functions(text):
    """The function definitions at namespace and class level."""
    code = erase_cxx(text)
    found = []
    collect_cxx(code, 0, len(code), found)
    return found


def collect_cxx(code, position, end, found):
    """Walks one scope; `statement` is where the current declaration began."""
    statement = position
    while position < end:
        character = code[position]
        if character == ";":
            statement = position + 1
        elif character == "{":
            closing = matching_brace(code, position)
            head = code[statement:position]
            kind = cxx_brace_kind(head)
            if kind == "scope":
                collect_cxx(code, position + 1, closing, found)
                statement = closing + 1
            elif kind == "function":
                start = statement + len(head) - len(head.lstrip())
                found.append(function_between(code, cxx_name(head), start, position))
                statement = closing + 1
            position = closing
        elif character == ":" and re.fullmatch(r"\s*(?:public|private|protected)\s*", code[statement:position]):
            statement = position + 1
        position += 1


def cxx_brace_kind(head):
    """What an opening brace after `head` opens: a scope, a function, or an initial value."""
    head = without_template(head.strip())
    if re.match(r"^extern\s*$|^namespace\b|^inline\s+namespace\b", head):
        return "scope"
    plain = re.sub(r"\([^()]*\)", "()", head)
    if "(" not in head:
        return "scope" if CXX_SCOPE.match(head) else "value"
    if re.search(r"(?<![=!<>])=(?!=)", re.sub(r"operator\s*=+", "operator", without_parentheses(plain))):
        return "value"
    if CXX_MEMBER_VALUE.search(plain):
        return "value"
    return "function"


def without_parentheses(text):
    """Drops everything in parentheses, default arguments among it."""
    previous = None
    while previous != text:
        previous, text = text, re.sub(r"\([^()]*\)", "", text)
    return text


def without_template(head):
    while CXX_TEMPLATE.match(head):
        depth = 0
        for position, character in enumerate(head):
            depth += {"<": 1, ">": -1}.get(character, 0)
            if character == ">" and depth == 0:
                head = head[position + 1:].lstrip()
                break
        else:
            return head
    return head


def cxx_name(head):
    match = re.search(r"([~\w:]+|operator\s*\S+)\s*\(", without_template(head.strip()))
    return match.group(1) if match else "function"
