import Testing

@testable import CarbocationLocalLLM

@Suite struct SchemaPatternTests {
    private static func pattern(_ pattern: String, _ accepts: [String], _ rejects: [String], more: String = "")
        -> SchemaCase
    {
        SchemaCase(
            #"{"type":"string","pattern":\#(quoted(pattern))\#(more)}"#, accepts: accepts.map(quoted),
            rejects: rejects.map(quoted))
    }

    private static func quoted(_ text: String) -> String {
        LLMJSONValue.string(text).jsonString()
    }

    @Test(
        "ST-5: patterns match the characters of the string, anywhere unless anchored",
        arguments: [
            pattern("[0-9]", ["a1b", "1"], ["", "abc"]),
            pattern("^a", ["a", "abc"], ["", "ba"]),
            pattern("z$", ["z", "az"], ["", "za"]),
            pattern("^$", [""], ["a"]),
            pattern("", ["", "x"], []),
            pattern("^a|b$", ["a", "ax", "xb"], ["xa", "bx"]),
            pattern("cat|dog", ["hotdog", "cat"], ["ca", "do"]),
            pattern("^(a|b)*c$", ["c", "abc"], ["ab", "cc"]),
            pattern("^(?:ab){2,3}$", ["abab", "ababab"], ["ab", "abababab"]),
            pattern("^(?<year>\\d{4})-x*?$", ["2024-", "2024-xx"], ["24-"]),
            pattern("^[^a-c]+$", ["xyz", "é", "\"", "\\", "\n", "😀"], ["abc", "xa", ""]),
            pattern("^\\w+\\W\\w+$", ["a b", "a\"b"], ["ab"]),
            pattern("^\\s*\\S\\s*$", ["a", " \ta\n"], ["", "a b"]),
            pattern("^.$", ["a", "日", "😀", "\""], ["", "ab", "\n", "\u{2028}"]),
            pattern("^[\\s\\S]{2}$", ["\na", "ab"], ["a"]),
            pattern("^\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\\\\\/$", [".*+?()[]{}|^$\\/"], ["a"]),
            pattern("^\\t\\n\\u00e9\\x41$", ["\t\néA"], ["tnéA"]),
            pattern("^(a?)*$", ["", "aa"], ["b"]),
            pattern("^((a|b)(c|d))+$", ["ac", "adbc"], ["a", "ab", ""]),
            pattern("^[α-ω]+$", ["αβγ"], ["abc", ""]),
            pattern("^[a-z]+$", ["abc", "abcde"], ["ab", "abcdef", "ABC"], more: #","minLength":3,"maxLength":5"#),
            pattern("a", ["xa", "ab", "axx"], ["a", "xxxa", "bb"], more: #","minLength":2,"maxLength":3"#),
            pattern("^2024", ["2024-01-31"], ["2023-01-31", "2024"], more: #","format":"date""#),
        ])
    func patterns(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("Escapes of characters are matched as the characters")
    func escapes() throws {
        let matcher = try GBNFMatcher(schema: #"{"type":"string","pattern":"^[é\"\n😀]$"}"#)
        let accepted = [
            #""é""#, #""\u00e9""#, #""\u00E9""#, #""\"""#, #""\n""#, #""\u000a""#, #""😀""#, #""\ud83d\ude00""#,
        ]
        for text in accepted { #expect(matcher.matches(text)) }
        for text in [#""e""#, "\"\n\"", "\"\"\"", #""\u00e8""#, #""\ud83d\ude01""#, #""\ud83d""#] {
            #expect(!matcher.matches(text))
        }
    }

    @Test(
        "Every \\u escape belongs to just the characters it names",
        arguments: [
            0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x103FF, 0x10400, 0x1F600, 0x10FFFF,
        ]
            as [UInt32])
    func hexadecimal(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let range = "[\(scalar)-\u{10FFFF}]"
        let matcher = try GBNFMatcher(schema: #"{"type":"string","pattern":"^\#(range)$"}"#)
        for other in [value - 1, value, value + 1] {
            guard let unit = Unicode.Scalar(other) else { continue }
            let escape = String(unit).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            #expect(matcher.matches("\"\(escape.joined())\"") == (other >= value && other > 0x7E))
        }
    }

    @Test(
        "Unsupported expressions are refused",
        arguments: [
            "(?=a)b", "(?!a)", "(?<=a)b", "(a)\\\\1", "\\\\bword", "[", "(", ")", "a**", "\\\\p{L}", "a{2,1}", "*a",
            "\\\\q",
            "(?i)a", "[z-a]", "a\\\\",
        ])
    func unsupported(pattern: String) throws {
        let reason = try refusal(of: #"{"properties":{"p":{"type":"string","pattern":"\#(pattern)"}}}"#)
        #expect(try #require(reason).hasPrefix("#/properties/p: pattern '"))
    }

    @Test(
        "ST-5: formats",
        arguments: [
            SchemaCase(
                #"{"type":"string","format":"date"}"#,
                accepts: [#""2024-02-29""#, #""2000-02-29""#, #""1999-12-31""#, #""0001-01-01""#],
                rejects: [
                    #""2023-02-29""#, #""1900-02-29""#, #""2024-13-01""#, #""2024-04-31""#, #""2024-1-1""#,
                    #""0000-01-01""#,
                ]),
            SchemaCase(
                #"{"type":"string","format":"time"}"#, accepts: [#""00:00:00Z""#, #""23:59:59.123+02:00""#],
                rejects: [#""24:00:00Z""#, #""12:60:00Z""#, #""12:30:00""#, #""12:30Z""#]),
            SchemaCase(
                #"{"type":"string","format":"date-time"}"#, accepts: [#""2024-02-29T12:00:00Z""#],
                rejects: [#""2024-02-30T12:00:00Z""#, #""2024-02-29""#, #""2024-02-29T12:00:00""#]),
            SchemaCase(
                #"{"type":"string","format":"uuid"}"#, accepts: [#""123e4567-E89B-12d3-a456-426614174000""#],
                rejects: [#""123e4567e89b12d3a456426614174000""#, #""123e4567-e89b-12d3-a456-42661417400""#]),
            SchemaCase(#"{"type":"string","format":"email"}"#, accepts: [#""x""#], rejects: ["1"]),
        ])
    func formats(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("What formats generate is what the validator takes", arguments: ["date", "time", "date-time", "uuid"])
    func formatsAgree(name: String) throws {
        let format = try #require(SchemaFormat(rawValue: name))
        let automaton = try #require(try PatternAutomaton.containing(format.pattern))
        // The first and the last way out of every state.
        for pick in [0, 1] {
            var text = String.UnicodeScalarView()
            var state = 0
            while !automaton.states[state].isAccepting || text.count < 8 {
                let edges = automaton.states[state].edges
                guard let edge = pick == 0 ? edges.first : edges.last else { break }
                text.append(try #require(Unicode.Scalar(edge.scalars.ranges[0].lowerBound)))
                state = edge.target
            }
            #expect(format.matches(String(text)), "\(String(text))")
        }
    }
}
