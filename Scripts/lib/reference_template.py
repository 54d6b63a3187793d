"""Chat templates as Hugging Face transformers renders them, with Python's own Jinja."""

import json

import jinja2
import jinja2.ext
import jinja2.sandbox


class Generation(jinja2.ext.Extension):
    """`{% generation %}` marks what a model is trained on; what is inside is rendered as it is."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_inside"), [], [], body).set_lineno(line)

    def _inside(self, caller):
        return caller()


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message):
    raise jinja2.TemplateError(message)


def environment(now, sandbox=jinja2.sandbox.ImmutableSandboxedEnvironment):
    """Jinja as transformers sets it up, at the time `now`."""
    result = sandbox(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    result.filters["tojson"] = to_json
    result.globals["raise_exception"] = raise_exception
    result.globals["strftime_now"] = now.strftime
    return result


def arguments_of(call):
    arguments = call["function"]["arguments"]
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def message_variable(message):
    """A message of OpenAI's API as templates get it: always with content, and arguments as objects."""
    content = message.get("content")
    result = {**message, "content": "" if content is None else content}
    if "tool_calls" in message:
        result["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": arguments_of(call)}}
            for call in message["tool_calls"]
        ]
    return result


def variables_of(scenario):
    """The variables of a template; tools are undefined when there are none."""
    result = {
        "messages": [message_variable(message) for message in scenario.messages],
        "bos_token": "",
        "eos_token": "",
        "add_generation_prompt": scenario.adds_generation_prompt,
        "enable_thinking": scenario.enables_thinking,
    }
    if scenario.tools:
        result["tools"] = scenario.tools
    return result


class Rendering:
    """One rendering of a template, which adaptations may change before it happens."""

    def __init__(self, scenario, now):
        self.now = now
        self.environment = environment(now)
        self.variables = variables_of(scenario)
        self.finishing = []

    def text(self, source):
        """The prompt, or None when the template or Python fails."""
        try:
            text = self.environment.from_string(source).render(self.variables)
        except Exception:  # Templates run into errors of all kinds.
            return None
        for finish in self.finishing:
            text = finish(text)
        return text
