extension HostileTemplate {
    /// Templates that never end, or want more of something than there is.
    static let exhausting: [HostileTemplate] = recursive + endless + growing + deep + quadratic

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let recursive = [
        HostileTemplate("macro calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
        HostileTemplate(
            "macros call each other",
            "{% macro a(n) %}{{ b(n) }}{% endmacro %}{% macro b(n) %}{{ a(n) }}{% endmacro %}{{ a(0) }}"),
        HostileTemplate("recursion in a default value", "{% macro m(a=m()) %}{% endmacro %}{{ m() }}"),
        HostileTemplate(
            "recursion through call blocks",
            "{% macro c() %}{{ caller() }}{% endmacro %}"
                + "{% macro r() %}{% call c() %}{{ r() }}{% endcall %}{% endmacro %}{{ r() }}"
        ),
        HostileTemplate(
            "recursion through filter blocks",
            "{% macro m() %}{% filter upper %}{{ m() }}{% endfilter %}{% endmacro %}{{ m() }}"),
        HostileTemplate(
            "exponential recursion",
            "{% macro m(n) %}{% if n > 0 %}{{ m(n-1) }}{{ m(n-1) }}{% endif %}{% endmacro %}{{ m(60) }}"),
        HostileTemplate("doubling in recursion", "{% macro m(s) %}{{ m(s ~ s) }}{% endmacro %}{{ m('abcdefgh') }}"),
    ]

    private static let endless = [
        HostileTemplate("range of a billion", "{% for i in range(1000000000) %}x{% endfor %}"),
        HostileTemplate("range without a loop", "{{ range(1000000000000000000)|length }}"),
        HostileTemplate("range downwards", "{{ range(0,-9223372036854775807,-1)|length }}"),
        HostileTemplate("range under another name", "{% set r = range %}{{ r(999999999)|length }}"),
        HostileTemplate("range in a call block", "{% call range(1000000000) %}{% endcall %}"),
        HostileTemplate(
            "nested loops",
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"),
        HostileTemplate(
            "loop over many variables",
            (0..<400).map { "{% set v\($0) = 1 %}" }.joined()
                + "{% for i in range(99999) %}{% endfor %}"),
        HostileTemplate(
            "slow only at some times",
            "{% set s = strftime_now('%S')|int %}{% for i in range(99999 - s) %}"
                + "{% for j in range(9999) %}{% endfor %}{% endfor %}"
        ),
    ]

    private static let growing = [
        HostileTemplate("ten megabytes", "{% for a in range(99999) %}" + repeated("0123456789", 12) + "{% endfor %}"),
        HostileTemplate("repetition", "{{ 'x' * 1000000000 }}"),
        HostileTemplate("repetition from the left", "{{ 1000000000 * 'x' }}"),
        HostileTemplate("text doubles with ~", doubling("'x'", "ns.v ~ ns.v")),
        HostileTemplate("text doubles with +", doubling("'x'", "ns.v + ns.v")),
        HostileTemplate("text doubles in format", doubling("'x'", "'{}{}'.format(ns.v, ns.v)")),
        HostileTemplate(
            "text doubles in a set block",
            "{% set ns = namespace(v='x') %}{% for i in range(64) %}"
                + "{% set t %}{{ ns.v }}{{ ns.v }}{% endset %}{% set ns.v = t %}{% endfor %}"
        ),
        HostileTemplate(
            "one text printed often",
            "{% set s = 'x' * 60000 %}{% macro m() %}" + repeated("{{ s }}", 9999) + "{% endmacro %}{{ m()|length }}"),
        HostileTemplate("list doubles", doubling("[1]", "ns.v + ns.v")),
        HostileTemplate("printed lists double", doubling("['x']", "[ns.v, ns.v]") + "{{ ns.v }}"),
        HostileTemplate("lists double for JSON", doubling("['x']", "[ns.v, ns.v]") + "{{ ns.v|tojson }}"),
        HostileTemplate("tuples double for ==", doubling("'x'", "(ns.v, ns.v)") + "{{ ns.v == ns.v }}"),
        HostileTemplate("tuples double for a key", doubling("'x'", "(ns.v, ns.v)") + "{{ {ns.v: 1} }}"),
        HostileTemplate("tuples double for a subscript", doubling("'x'", "(ns.v, ns.v)") + "{{ {'a': 1}[ns.v] }}"),
        HostileTemplate("indent of a billion", "{{ 'a\\nb'|indent(1000000000) }}"),
        HostileTemplate("indent as a method", "{{ 'a\\nb'.indent(width=1000000000) }}"),
        HostileTemplate("indent in a filter block", "{% filter indent(1000000000) %}a\nb{% endfilter %}"),
        HostileTemplate("JSON indent", "{{ messages|tojson(indent=2147483647) }}"),
        HostileTemplate("JSON separators", "{{ range(999)|tojson(separators=('x' * 60000, ':')) }}"),
        HostileTemplate("JSON as a function", "{{ tojson(messages, false, 1000000000) }}"),
        HostileTemplate("join", "{{ range(99999)|join('x' * 9999)|length }}"),
        HostileTemplate("replace", "{{ ('x' * 60000)|replace('x', 'y' * 60000)|length }}"),
        HostileTemplate("replace nothing", "{{ ('x' * 60000).replace('', 'y' * 60000)|length }}"),
        HostileTemplate("raise a long message", "{{ raise_exception('x' * 1000000000) }}"),
        HostileTemplate(
            "values kept alive",
            "{% set ns = namespace(v=[]) %}"
                + "{% for i in range(99999) %}{% set _ = ns.v.append('x' * 60000) %}{% endfor %}"
        ),
        HostileTemplate(
            "variables kept alive",
            "{% set ns = namespace(v=[]) %}{% macro m() %}{% set _ = ns.v.append(caller) %}{% endmacro %}"
                + "{% for i in range(99999) %}{% call m() %}x{% endcall %}{% endfor %}"),
        HostileTemplate("object from many pairs", "{{ dict(range(9999)|map(attribute='a')|list)|length }}"),
    ]

    private static let deep = [
        HostileTemplate("parentheses", "{{ " + repeated("(", 9999) + "1" + repeated(")", 9999) + " }}"),
        HostileTemplate("lists in lists", "{{ " + repeated("[", 60000)),
        HostileTemplate("blocks in blocks", repeated("{% if 1 %}", 9999) + repeated("{% endif %}", 9999)),
        HostileTemplate("elif after elif", "{% if 0 %}" + repeated("{% elif 0 %}", 9999) + "{% endif %}"),
        HostileTemplate("sum of many", "{{ 1" + repeated("+1", 32000) + " }}"),
        HostileTemplate("not not not", "{{ " + repeated("not ", 60000) + "1 }}"),
        HostileTemplate("minus minus minus", "{{ " + repeated("- ", 60000) + "1 }}"),
        HostileTemplate("members of members", "{{ a" + repeated(".b", 32000) + " }}"),
        HostileTemplate("calls of calls", "{{ a" + repeated("()", 20000) + " }}"),
        HostileTemplate("filters of filters", "{{ 'a'" + repeated("|upper", 32000) + " }}"),
        HostileTemplate("chained conditions", "{{ 1" + repeated(" if 0 else 1", 16000) + " }}"),
        HostileTemplate("deep list as JSON", growingDepth("[ns.v]") + "{{ ns.v|tojson }}"),
        HostileTemplate("deep list printed", growingDepth("[ns.v]") + "{{ ns.v }}"),
        HostileTemplate("deep object joined to text", growingDepth("{'a': ns.v}") + "{{ 'a' ~ ns.v }}"),
        HostileTemplate(
            "very deep list freed",
            "{% set ns = namespace(v=1) %}{% for i in range(99999) %}{% set ns.v = "
                + repeated("[", 99) + "ns.v" + repeated("]", 99) + " %}{% endfor %}"),
        HostileTemplate("object in itself as JSON", "{% set ns = namespace() %}{% set ns.a = ns %}{{ ns|tojson }}"),
        HostileTemplate(
            "list in itself in a filter for text", "{% set l = [] %}{% set _ = l.append(l) %}{{ l | upper }}"),
        HostileTemplate(
            "list in itself as characters", "{% set l = [] %}{% set _ = l.append(l) %}{{ 'a' | trim(l) }}"),
        HostileTemplate(
            "list in itself as a delimiter", "{% set l = [] %}{% set _ = l.append(l) %}{{ 'a b'.split(l) }}"),
        HostileTemplate(
            "list in itself in a list of texts", "{% set l = [] %}{% set _ = l.append(l) %}{{ [l] | join }}"),
        HostileTemplate("object in itself as text", "{% set ns = namespace() %}{% set ns.a = ns %}{{ 'a' ~ ns }}"),
        HostileTemplate("list in itself printed", "{% set a = [] %}{% set _ = a.append(a) %}{{ a }}"),
        HostileTemplate("list in itself compared", "{% set a = [] %}{% set _ = a.append(a) %}{{ a == a }}{{ a in a }}"),
        HostileTemplate("messages in themselves", "{% set _ = messages.append(messages) %}{{ messages|tojson }}"),
        HostileTemplate("text too long", "{{ 1 }}" + repeated("x", 600_000)),
        HostileTemplate("too many tokens", repeated("{{a}}", 30000)),
        HostileTemplate("too many variables", (0..<600).map { "{% set v\($0) = 1 %}" }.joined()),
    ]

    private static let quadratic = [
        HostileTemplate("text stripped of its own characters", "{% set s = 'é' * 30000 %}{{ s.strip(s) }}"),
        HostileTemplate(
            "one character of a long text at a time",
            "{% set s = 'é' * 30000 %}{% for i in range(99999) %}{% set c = s[i] %}{% endfor %}"),
        HostileTemplate("search", "{{ ('x' * 1000000 ~ 'y') in ('x' * 2000000) }}"),
        HostileTemplate(
            "strip many parts",
            "{% set s %}" + repeated("{% for i in range(9999) %}{{ ' ' }}{% endfor %}", 4)
                + "{% endset %}{{ s|trim|length }}"),
        HostileTemplate("split", "{{ ('x,' * 2000000).split(',')|length }}"),
    ]

    private static func doubling(_ start: String, _ step: String) -> String {
        "{% set ns = namespace(v=\(start)) %}{% for i in range(64) %}{% set ns.v = \(step) %}{% endfor %}"
    }

    private static func growingDepth(_ step: String) -> String {
        "{% set ns = namespace(v='x') %}{% for i in range(999) %}{% set ns.v = \(step) %}{% endfor %}"
    }

    /// Calls that end the process or read freed memory in llama.cpp.
    static let crashing = [
        HostileTemplate("division by zero in a test", "{{ 5 is divisibleby 0 }}"),
        HostileTemplate("division by zero in a function", "{{ test_is_divisibleby(5, 0) }}"),
        HostileTemplate("division by zero in a selection", "{{ [1]|select('divisibleby', 0)|length }}"),
        HostileTemplate("overflow of a division", "{{ test_is_divisibleby(-9223372036854775808, -1) }}"),
        HostileTemplate("overflow of a slice", "{{ 'abc'[::-9223372036854775808] }}"),
        HostileTemplate("overflow of a range", "{{ range(0,9223372036854775807,9223372036854775806)|length }}"),
        HostileTemplate("sort without an order", "{{ [1,'a',2,none,'b',[],1.5]|sort }}"),
        HostileTemplate("sort with NaN", "{{ [1,'nan'|float,2]|sort }}"),
        HostileTemplate("sort an object without an order", "{{ {'a':1,'b':'x'}|dictsort(by='value') }}"),
        HostileTemplate("pop from nothing", "{% set a = [] %}{{ a.pop() }}"),
        HostileTemplate("negative indent", "{{ 'a\\nb'|indent(-1) }}"),
        HostileTemplate("unknown filter", "{{ 'a'|center(1000000000) }}"),
        HostileTemplate("printf", "{{ '%999999999d' % 1 }}"),
        HostileTemplate("unpacking too few", "{% for a, b in [[1]] %}{% endfor %}"),
        HostileTemplate("spread", "{{ range(*[1, 2]) }}"),
    ]

    static let broken = [
        HostileTemplate("open expression", "{{ messages"),
        HostileTemplate("open statement", "{% if messages %}x"),
        HostileTemplate("open string", "{{ 'abc"),
        HostileTemplate("open comment", "{# abc"),
        HostileTemplate("open escape", "{{ 'a\\"),
        HostileTemplate("empty statement", "{% %}"),
        HostileTemplate("empty expression", "{{ }}"),
        HostileTemplate("lone set", "{% set"),
        HostileTemplate("unknown statement", "{% import os %}"),
        HostileTemplate("huge integer", "{{ 99999999999999999999999 }}"),
        HostileTemplate("huge number", "{{ 1" + repeated("0", 400) + ".5 }}"),
        HostileTemplate("NUL", "{{ 'a\u{0}b' }}\u{0}{{ 1 \u{0}}}"),
    ]

    static let harmless = [
        HostileTemplate("many parentheses", "{{ " + repeated("(", 200) + "1" + repeated(")", 200) + " }}"),
        HostileTemplate("long sum", "{{ 1" + repeated("+1", 900) + " }}"),
        HostileTemplate("many elif", "{% if 0 %}" + repeated("{% elif 0 %}", 300) + "{% endif %}"),
        HostileTemplate("nested loops", repeated("{% for i in [1] %}", 99) + "x" + repeated("{% endfor %}", 99)),
        HostileTemplate("whole text", "{{ 'abc'[0:9223372036854775807] }}"),
        HostileTemplate("many line ends", "{{ 1 }}" + repeated("\r\n", 20000)),
        HostileTemplate(
            "list shortened while it is unpacked",
            "{% set a = [[1,2],[3,4]] %}{% for x, y in a %}{% set _ = a[1].pop() %}{{ x }}{{ y }}{% endfor %}"),
        HostileTemplate("large sorted list", "{{ range(999)|sort(reverse=true)|first }}"),
    ]
}
