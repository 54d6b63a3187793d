"""What the package does for single templates on purpose, done to the reference, so that the rest stays comparable."""

import json

import jinja2.sandbox

from reference_template import environment

ADAPTATIONS = {}


def adaptation(name):
    """Registers a function that changes a rendering of the reference under the name that the table uses."""
    def register(function):
        ADAPTATIONS[name] = function
        return function
    return register


def each_assistant(rendering):
    return (message for message in rendering.variables["messages"] if message["role"] == "assistant")


@adaptation("date_string is today")
def set_date(rendering):
    rendering.variables["date_string"] = rendering.now.strftime("%d %b %Y")


@adaptation("system text in the next user turn")
def move_system_text(rendering):
    messages, pending = [], []
    for message in rendering.variables["messages"]:
        if message["role"] == "system":
            pending += [message["content"]] if message["content"] else []
            continue
        if message["role"] == "user" and pending:
            message = {**message, "content": "\n\n".join([*pending, message["content"]])}
            pending = []
        messages.append(message)
    if pending:
        messages.append({"role": "user", "content": "\n\n".join(pending)})
    rendering.variables["messages"] = messages


@adaptation("thoughts under the name thinking")
def name_thinking(rendering):
    for message in each_assistant(rendering):
        if "reasoning_content" in message:
            message["thinking"] = message["reasoning_content"]


@adaptation("thoughts of a calling turn without its content")
def drop_content(rendering):
    for message in each_assistant(rendering):
        if "reasoning_content" in message and "tool_calls" in message:
            del message["content"]


@adaptation("thoughts as a part of the content")
def part_thoughts(rendering):
    for message in each_assistant(rendering):
        if "reasoning_content" in message:
            thoughts = {"type": "thinking", "thinking": message.pop("reasoning_content")}
            message["content"] = [thoughts, {"type": "text", "text": message["content"]}]


@adaptation("texts trimmed")
def trim(rendering):
    blanks = " \t\n\v\f\r"
    for message in rendering.variables["messages"]:
        for key in {"content", "reasoning_content"} & message.keys():
            message[key] = message[key].strip(blanks)


def result_value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


@adaptation("results in the turn that called")
def move_results(rendering):
    """Also the answer that follows the results."""
    messages, caller = [], None
    for message in rendering.variables["messages"]:
        if message["role"] == "tool" and caller is not None:
            responses = caller.setdefault("tool_responses", [])
            call = caller["tool_calls"][len(responses)]
            responses.append({"name": call["function"]["name"], "response": result_value(message["content"])})
        elif message["role"] == "assistant" and caller is not None and not message.get("tool_calls"):
            caller["content"] = message["content"]
            caller = None
        else:
            caller = {**message, "content": None} if message.get("tool_calls") else None
            messages.append(caller or message)
    rendering.variables["messages"] = messages


@adaptation("the turn of the model opened")
def open_turn(rendering):
    rendering.finishing.append(lambda text: text + "<|turn>model\n")


@adaptation("the last turn ended like the others")
def end_turn(rendering):
    rendering.finishing.append(lambda text: "<|end|>".join(text.rsplit("<|return|>", 1)))


@adaptation("lists may change")
def allow_changes(rendering):
    rendering.environment = environment(rendering.now, jinja2.sandbox.SandboxedEnvironment)


@adaptation("arguments as JSON text")
def write_arguments(rendering):
    for message in each_assistant(rendering):
        for call in message.get("tool_calls", []):
            arguments = call["function"]["arguments"]
            call["function"]["arguments"] = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


@adaptation("nothing escaped for HTML")
def escape_nothing(rendering):
    rendering.environment.filters["safe"] = str


@adaptation("tools as text named functions, and the date")
def write_functions(rendering):
    rendering.variables["datetime"] = rendering.now.strftime("%b %d %Y")
    functions = [tool["function"] for tool in rendering.variables.get("tools", [])]
    text = json.dumps(functions, ensure_ascii=False, indent=4) if functions else ""
    rendering.variables["functions"] = text
