"""The table of the differences between our prompts and the reference's that are there on purpose."""

import dataclasses
import enum
import fnmatch
import json


class Outcome(enum.Enum):
    """What comparing two renderings came to."""

    EQUAL = "equal"
    EXPLAINED = "explained"
    REFUSED = "refused by the reference"
    PROBLEM = "problem"


@dataclasses.dataclass(frozen=True)
class Difference:
    """Why renderings differ, and what has to be done to the reference to make them equal."""

    reason: str
    templates: tuple
    scenarios: tuple
    reference: tuple

    def covers(self, template, scenario):
        return template in self.templates and any(
            fnmatch.fnmatchcase(scenario, pattern) for pattern in self.scenarios)


def read_table(text):
    """The differences of a table; a ValueError says what is wrong with it."""
    differences = []
    for entry in json.loads(text):
        if set(entry) != {"reason", "templates", "scenarios", "reference"}:
            raise ValueError(f"an entry has other members than it should: {sorted(entry)}")
        if not all(entry.values()):
            raise ValueError(f"an entry has an empty member: {entry['reason']!r}")
        differences.append(Difference(entry["reason"], *(
            tuple(entry[key]) for key in ("templates", "scenarios", "reference"))))
    return differences


def difference_for(differences, template, scenario):
    """The entry for one rendering or None; a ValueError when there are several."""
    found = [difference for difference in differences if difference.covers(template, scenario)]
    if len(found) > 1:
        raise ValueError(f"{template}, {scenario}: {len(found)} entries of the table apply")
    return found[0] if found else None


def judged(ours, reference, adapted=None, is_listed=False):
    """The outcome for one rendering, and what is wrong with it. A text is None where rendering failed."""
    if reference is None and (ours is None or not is_listed):
        return Outcome.REFUSED, ""
    if not is_listed:
        if ours == reference:
            return Outcome.EQUAL, ""
        return Outcome.PROBLEM, "ours fails" if ours is None else first_difference(ours, reference)
    if ours == reference:
        return Outcome.PROBLEM, "is in the table of differences, but does not differ any more"
    if adapted is None:
        return Outcome.PROBLEM, "the adapted reference fails"
    if ours != adapted:
        return Outcome.PROBLEM, "ours fails" if ours is None else first_difference(ours, adapted)
    return Outcome.EXPLAINED, ""


def first_difference(ours, reference, width=80):
    """Where two texts part, with what comes there and a little of what they share before."""
    start = next((i for i, (a, b) in enumerate(zip(ours, reference)) if a != b), min(len(ours), len(reference)))
    shown = slice(max(start - 20, 0), start + width)
    return f"differs at character {start}\n    ours:      {ours[shown]!r}\n    reference: {reference[shown]!r}"


def unused_patterns(differences, templates, scenarios):
    """Sentences on the parts of the table that apply to no rendering."""
    for difference in differences:
        for template in difference.templates:
            if template not in templates:
                yield f"the table names the template {template}, which there is not"
        for pattern in difference.scenarios:
            if not fnmatch.filter(scenarios, pattern):
                yield f"the table names the scenario {pattern}, which there is not"
