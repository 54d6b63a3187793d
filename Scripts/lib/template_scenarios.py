"""Conversations that a chat template must render, from a bare question to several rounds of tools."""

import dataclasses

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather of a city, \u201cnow\u201d or <later> & 'soon'.",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name of the city"},
                "days": {"type": "integer"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            },
            "required": ["city"],
        },
    },
}

SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Finds documents.\nSeveral lines.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "default": "caf\u00e9"},
                "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
                "filters": {
                    "type": "object",
                    "properties": {
                        "since": {"type": "string", "format": "date"},
                        "tags": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["since"],
                    "additionalProperties": False,
                },
                "Score": {"type": "number", "minimum": 0.5, "maximum": 1.0, "multipleOf": 1e-07},
                "safe": {"type": "boolean", "default": True},
                "Zone": {"type": ["string", "null"]},
                "id": {"type": "integer", "maximum": 9007199254740993},
            },
            "required": ["query", "filters"],
        },
    },
}

# A function without parameters, as the package describes it.
CLOCK = {
    "type": "function",
    "function": {"name": "clock", "description": "", "parameters": {"type": "object", "properties": {}}},
}


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A conversation in OpenAI's form, and what is asked of the template."""

    name: str
    messages: list
    tools: list = dataclasses.field(default_factory=list)
    adds_generation_prompt: bool = True
    enables_thinking: bool = False


def system(text):
    return {"role": "system", "content": text}


def user(text):
    return {"role": "user", "content": text}


def assistant(text, thoughts=None, calls=()):
    message = {"role": "assistant", "content": text}
    if thoughts is not None:
        message["reasoning_content"] = thoughts
    if calls:
        message["tool_calls"] = list(calls)
    return message


def call(identifier, name, arguments):
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(identifier, name, text):
    return {"role": "tool", "content": text, "name": name, "tool_call_id": identifier}


# Some templates want ids of nine letters and digits.
OSLO = call("call00001", "get_weather", {"city": "Oslo", "days": 2})
ROME = call("call00002", "get_weather", {"city": "R\u00f3ma <1> & 'x' \"y\"", "days": -3, "unit": "celsius"})
FIND = call("call00003", "search", {
    "query": "line one\nline two\t\\", "limit": None, "filters": {"since": "2024-02-29", "tags": ["it's", "b \"c\""]},
    "Score": 59.9138688, "safe": False, "Zone": "\u00dcber", "factors": [1.0, 1e22, 1e-7, -0.5], "id": 9007199254740993,
})
CLOCK_CALL = call("call00004", "clock", {})
OSLO_AS_TEXT = call("call00005", "get_weather", '{"city":"Oslo","days":9007199254740993}')

OSLO_RESULT = result("call00001", "get_weather", "Cold, -3 \u00b0C.")
ROME_RESULT = result("call00002", "get_weather", '{"sky": "clear", "temperature": 21.5}')
FIND_RESULT = result("call00003", "search", '["first <b>", "second & last"]')

QUESTION = user("What is the weather in Oslo?")
MARKUP = (
    "\u00a0 <b>&amp;</b> 'single' \"double\" {{ braces }} {% tag %} \\n "
    "\u65e5\u672c\u8a9e \U0001f600\n\n\tend\u3000 \n"
)
WITH_THINKING = {
    "plain", "system and turns", "thoughts", "tools and system", "call", "call and thoughts", "two rounds",
    "after calls",
}
PLAIN_TURNS = [user("Hello"), assistant("Hi, how can I help?"), user("Tell me a joke.")]


def conversations():
    """Name, messages and tools of every conversation."""
    return [
        ("plain", [user("Hello")], []),
        ("system", [system("You are brief."), user("Hello")], []),
        ("turns", PLAIN_TURNS, []),
        ("system and turns", [system("You are brief."), *PLAIN_TURNS], []),
        ("markup", [system(MARKUP), user(MARKUP), assistant(MARKUP), user(MARKUP)], []),
        ("empty texts", [system(""), user(""), assistant(""), user("Hello?")], []),
        ("system alone", [system("You are brief.")], []),
        ("two system texts", [system("You are brief."), system("Speak French."), user("Hello")], []),
        ("late system text", [user("Hello"), assistant("Hi"), system("You are brief."), user("More")], []),
        ("two users", [user("Hello"), user("Anyone?")], []),
        ("thoughts", [user("Hello"), assistant("Hi", thoughts="They greet."), user("More")], []),
        ("thoughts in content", [user("Hello"), assistant("<think>\nThey greet.\n</think>\n\nHi"), user("More")], []),
        ("tools", [QUESTION], [WEATHER]),
        ("tools and system", [system("You are brief."), QUESTION], [WEATHER, SEARCH, CLOCK]),
        ("tools and turns", [*PLAIN_TURNS, assistant("Why not?"), QUESTION], [SEARCH]),
        ("call", [QUESTION, assistant(None, calls=[OSLO]), OSLO_RESULT], [WEATHER]),
        ("call without tools", [QUESTION, assistant(None, calls=[OSLO]), OSLO_RESULT], []),
        ("call with text arguments", [QUESTION, assistant(None, calls=[OSLO_AS_TEXT]), OSLO_RESULT], [WEATHER]),
        ("call without arguments", [QUESTION, assistant("", calls=[CLOCK_CALL]), result("call00004", "clock", "12:00")],
         [CLOCK]),
        ("call with system", [system("You are brief."), QUESTION, assistant(None, calls=[OSLO]), OSLO_RESULT],
         [WEATHER]),
        ("call and content", [QUESTION, assistant("Let me look.", calls=[OSLO]), OSLO_RESULT], [WEATHER]),
        ("call and thoughts", [QUESTION, assistant("", thoughts="I should look.", calls=[OSLO]), OSLO_RESULT],
         [WEATHER]),
        ("call, content and thoughts",
         [QUESTION, assistant("Let me look.", thoughts="I should look.", calls=[OSLO]), OSLO_RESULT], [WEATHER]),
        ("two calls", [QUESTION, assistant(None, calls=[OSLO, ROME]), OSLO_RESULT, ROME_RESULT], [WEATHER, SEARCH]),
        ("two rounds",
         [system("You are brief."), QUESTION, assistant(None, calls=[OSLO]), OSLO_RESULT,
          assistant(None, thoughts="More.", calls=[FIND]), FIND_RESULT], [WEATHER, SEARCH]),
        ("history of calls",
         [QUESTION, assistant(None, calls=[OSLO]), OSLO_RESULT, assistant("It is cold."), user("And in Rome?"),
          assistant(None, calls=[ROME]), ROME_RESULT], [WEATHER]),
        ("after calls",
         [QUESTION, assistant(None, thoughts="I should look.", calls=[OSLO]), OSLO_RESULT,
          assistant("It is cold.", thoughts="Cold."), user("Thanks")], [WEATHER]),
    ]


def finished_conversations():
    """The same for conversations that the assistant does not go on with."""
    return [
        ("finished", [user("Hello"), assistant("Hi")], []),
        ("finished with thoughts", [user("Hello"), assistant("Hi", thoughts="They greet.")], []),
        ("finished call", [QUESTION, assistant(None, calls=[OSLO])], [WEATHER]),
        ("unanswered", [system("You are brief."), user("Hello")], []),
    ]


def scenarios():
    """All conversations without thinking, and those where it matters also with thinking."""
    return [
        Scenario(f"{name}, thinking" if thinks else name, messages, tools, goes_on, thinks)
        for goes_on, group in ((True, conversations()), (False, finished_conversations()))
        for name, messages, tools in group
        for thinks in ((False, True) if name in WITH_THINKING else (False,))
    ]
