import CLlama
import Testing

/// Operators and a method of Python's Jinja that llama.cpp's engine lacks, and numbers.
///
/// The expected texts are those of jinja2.
@Suite("Operators as Python has them", .needsChatRuntime)
struct PythonOperatorTests {
    private static let variables = #"{"n":3,"v":{"e":4,"l":[2,5],"w":["q","p"],"s":"*"}}"#

    private func render(_ source: String) throws -> String {
        try TestChat(source).render(TestConversation(.user("x"), variables: Self.variables)).prompt
    }

    @Test(
        "//, **, numbers, and join() of a text",
        arguments: [
            ("{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 // -2 }} {{ -7 // -2 }} {{ 6//3 }}", "3 -4 -4 3 2"),
            ("{{ 7.5 // 2 }} {{ -7.5 // 2 }} {{ 1 // 0.1 }} {{ 0.0 // -3 }} {{ true // 2 }}", "3.0 -4.0 9.0 -0.0 0"),
            (
                "{{ 2 * 7 // 3 }} {{ 14 // 3 * 2 }} {{ 17 // 5 % 2 }} {{ 1 + 7 // 2 - 1 }} {{ 100 // 7 // 2 }}",
                "4 8 1 3 7"
            ),
            (
                "{{ 2 ** 10 }} {{ 2**-1 }} {{ 2 ** 0 }} {{ 0 ** 0 }} {{ 2.0 ** 3 }} {{ 9 ** 0.5 }} "
                    + "{{ (-2) ** 3 }} {{ 7 ** true }}",
                "1024 0.5 1 1 8.0 3.0 -8 7"
            ),
            (
                "{{ 2 ** 3 ** 2 }} {{ 2 ** (3 ** 2) }} {{ -2 ** 2 }} {{ 2 * 3 ** 2 }} {{ 2 ** 3 * 2 }} "
                    + "{{ 1 + 2 ** 2 - 3 }}",
                "64 512 4 18 16 2"
            ),
            (
                "{{ n ** 2 }} {{ -n ** 2 }} {{ 2 ** -n }} {{ 2 ** v['e'] }} {{ 2 ** v.e }} "
                    + "{{ v.l[0] ** v.l[1] }} {{ v.l|length ** 2 }} {{ 2 ** v.l | length }} {{ 2 ** '3' | int }}",
                "9 9 0.125 16 16 32 4 4 8"
            ),
            (
                "{{ 2 ** -1 }} {{ 2 ** n - 1 }} {{ not 2 ** 2 == 4 }} {{ 2 ** 2 if n else 3 ** 2 }} "
                    + "{{ [2 ** 2, 3 ** 2] }} {{ {'a': 2 ** 3}.a }}",
                "0.5 7 False 4 [4, 9] 8"
            ),
            (
                "{{ range(2 ** 2) | list }} {{ v.l | map('string') | join('-') }} "
                    + "{{ (2 ** 2) | string ~ 3 ** 2 }} {{ v.l[2 ** 1 - 2:] }}",
                "[0, 1, 2, 3] 2-5 49 [2, 5]"
            ),
            (
                "{{ 'a // b ** c' }} // ** {# 1 // 2 ** 3 #}{% set x = 9 // 2 %}{{ x }}"
                    + "{% if x ** 2 > 15 and x // 2 == 2 %} yes{% endif %}",
                "a // b ** c // ** 4 yes"
            ),
            (
                "{{ true + 1 }} {{ 3 * true }} {{ 7 % -3 }} {{ 7.5 % -2 }} {{ -7.5 % 2 }} {{ 1 / 2 }} "
                    + "{{ 4 / 2 }} {{ true / 2 }} {{ 5.5 - 2 }}",
                "2 3 -2 -0.5 0.5 0.5 2.0 0.5 3.5"
            ),
            (
                "{{ ', '.join(v.w) }}|{{ '-'.join(['a']) }}|{{ ''.join([]) }}|{{ '-'.join('abé') }}|"
                    + "{{ '+'.join({'k': 1, 'm': 2}) }}|{{ ','.join(('x', 'y')) }}",
                "q, p|a||a-b-é|k+m|x,y"
            ),
            (
                "{{ (', ' ~ n).join(v.w | map('upper')) }}|{{ v.s.join(v.w) }}|"
                    + #"{{ '\n'.join(v.w).split('\n') | length }}|{{ ','.join(v.w)[2:] | upper }}|"#
                    + "{{ '/'.join(v.w | sort) }}",
                "Q, 3P|q*p|2|P|p/q"
            ),
            (
                "{{ 'abé' | join('-') }}|{{ {'k': 1, 'm': 2} | join('+') }}|{{ '' | join('-') }}|"
                    + "{{ nothing | join('-') }}|{{ ','.join(nothing) }}",
                "a-b-é|k+m|||"
            ),
        ])
    func prints(source: String, expected: String) throws {
        #expect(try render(source) == expected)
    }

    @Test("map() applies a filter")
    func map() throws {
        #expect(try render("{{ v.w | map('upper') | join(',') }} {{ v.l | map('string') | list }}") == "Q,P ['2', '5']")
        #expect(try render("{{ [[3, 1], [2]] | map('map', 'string') | map('join', '+') | join(' ') }}") == "3+1 2")
        #expect(try render("{{ [' a', 1.26] | map('replace', 'a', 'b') | map('trim') | list }}") == "['b', '1.26']")
        #expect(
            try render("{{ [1.26, 2] | map('round', 1) | list }} {{ 'ab' | map('upper') | list }}")
                == "[1.3, 2] ['A', 'B']")
        #expect(
            try render("{{ nothing | map('upper') | list }} {{ v.w | map('first') | sum(start=0) if false }}") == "[] ")
    }

    @Test("an operand may have signs, members, calls, filters and tests of its own")
    func operands() throws {
        let macro = "{% macro two(a) %}2{% endmacro %}"
        #expect(try render(macro + "{{ 3 ** two(1 ** 1) | int }} {{ v['l'][0] ** two([1, 2]) | int + 1 }}") == "9 5")
        #expect(
            try render("{{ 2 ** - - n }} {{ 5 ** v.nothing is defined }} {{ 5 ** n is not divisibleby 2 }}") == "8 1 5")
        #expect(try render("{{ 2 ** n if n is defined and 2 ** n > 7 else '' }}{{ '' ~ 2 ** n ~ '' }}") == "88")
    }

    @Test("a sign may stand behind a keyword, and a keyword may be the name of a member")
    func signs() throws {
        #expect(
            try render("{{ 1 if not n else -1 }} {{ 2 if -n else 0 }} {{ n and -n }} {{ 0 or +n }} {{ not -n }}")
                == "-1 2 -3 3 False")
        #expect(try render("{% if -n %}a{% elif -1 %}b{% endif %}{{ 5 in [-1] or -5 in [-5] }}") == "aTrue")
        #expect(try render("{{ {'if': 3}.if - 1 }} {{ n - 1 }} {{ (1 if n else -n) - 1 }}") == "2 2 0")
    }

    @Test(
        "what Python refuses is refused, and so are whole numbers beyond 64 bits",
        arguments: [
            ("{{ 1 // 0 }}", "division by zero"), ("{{ 7 / 0 }}", "division by zero"),
            ("{{ 1 % 0.0 }}", "modulo by zero"), ("{{ 2 ** 'a' }}", "** of Integer and String"),
            ("{{ 'a' // 2 }}", "// of String and Integer"), ("{{ none // 2 }}", "// of None and Integer"),
            ("{{ [1] ** 2 }}", "** of Array and Integer"), ("{{ nothing ** 2 }}", "** of Undefined"),
            ("{{ 0 ** -1 }}", "0 has no negative power"), ("{{ 2.0 ** 10000 }}", "too large"),
            ("{{ (-8) ** 0.5 }}", "whole exponent"), ("{{ 2 ** 63 }}", "too large"),
            ("{{ 9223372036854775807 + 1 }}", "too large"), ("{{ (-9223372036854775807 - 1) // -1 }}", "too large"),
            ("{{ ','.join([1]) }}", "join() of a text"), ("{{ ','.join(5) }}", "join() of a text"),
            ("{{ ','.join([nothing]) }}", "join() of a text"), ("{{ ','.join(v.w, ',') }}", "one argument"),
            ("{{ 2 ** }}", "*"), ("{{ // 2 }}", "//"), ("{{ 2 * * 3 }}", "*"), ("{{ 5 / / 2 }}", "/"),
            ("{{ [1] | map('nosuchfilter') }}", "nosuchfilter"), ("{{ dict(**v) }}", "\"**\""), ("{{ (2 ** }}", ""),
            ("{{ 2 ** ( }}", ""),
        ])
    func refuses(source: String, reason: String) throws {
        let failure = #expect(throws: ChatFailure.self) { try render(source) }
        #expect(failure?.status == CL_TEMPLATE_FAILED)
        #expect(failure?.message.contains(reason) == true || reason.isEmpty, "\(failure?.message ?? "")")
    }

    @Test("the largest powers that 64 bits hold")
    func largest() throws {
        #expect(
            try render("{{ 2 ** 62 }} {{ (-2) ** 63 }} {{ 3 ** 39 }}")
                == "4611686018427387904 -9223372036854775808 4052555153018976267")
        #expect(try render("{{ 1 ** 9223372036854775807 }} {{ (-1) ** 9223372036854775807 }}") == "1 -1")
    }

    @Test("PT-5: what a text joins keeps its marks")
    func marks() throws {
        let mapped = try TestChat("{{ [messages[0].content, '<t>'] | map('upper') | join }}")
        let parts = try mapped.render(TestConversation(.user("<x>"))).segments.map(\.description).joined()
        #expect(parts == "«<X>»<T>")
        let chat = try TestChat("{{ '<t>'.join([messages[0].content, '<u>']) }}{{ messages[0].content | join('-') }}")
        let segments = try chat.render(TestConversation(.user("<x>"))).segments.map(\.description).joined()
        #expect(segments == "«<x>»<t><u>«<»-«x»-«>»")
    }

    @Test("llama.cpp's test renders know them too")
    func capabilities() throws {
        let source = """
            {%- for m in messages -%}{{ ':'.join([m.role, m.content]) }}{{ loop.index0 // 2 }}{{ loop.index ** 2 }};
            {%- endfor -%}{%- for t in tools or [] -%}{{ ', '.join([t.function.name]) }}{%- endfor -%}
            """
        let chat = try TestChat(source)
        #expect(try chat.render(TestConversation(.system("s"), .user("x"))).prompt == "system:s01;user:x04;")
    }
}
