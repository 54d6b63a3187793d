import CarbocationLocalLLM
import Testing

@Suite("Where a call's body ends")
struct BodyEndScannerTests {
    /// What of the text a scanner takes for the body; nil if it finds no end.
    private func body(_ syntax: BodyEndScanner.Syntax, _ text: String) -> String? {
        var scanner = BodyEndScanner(syntax)
        let bytes = Array(text.utf8)
        guard let last = bytes.indices.first(where: { scanner.scan(bytes[$0]) }) else { return nil }
        return String(decoding: bytes[...last], as: UTF8.self)
    }

    @Test(
        "complete bodies with text after them",
        arguments: [
            (.json, #"{"a":"} ] \" '","b":[1,{}]}"#), (.json, "\n[{'a':'it\\'s ]'}]"), (.json, "[]"),
            (.json, #"{"a":[1}"#),
            (.gemma, ##"call:f{a:<|"|>} ] " '<|"|>,b:{c:[1]}}"##), (.gemma, ##"call:f{a:Rome, it's<|"|>,b:1}"##),
            (.gemma, #"call:f({"a":")"})"#),
            (.gemma, #"call:f{a:["}",'}'],b:"}"}"#), (.gemma, "call:f{a:[1]]}"), (.gemma, "call:mcp.cal:list-events{}"),
            (.gemma, "call:f{a:it's}"),
            (.pythonic, #"[add(a=1, s="x, y)]"), f('''a'b)]''')]"#), (.pythonic, "print(default_api.add(a=')'))"),
            (.pythonic, #"[f(a="", b='')]"#),
            (.pythonic, #"foo.call(payload={"a":")"})"#), (.bracketed, #"note({"x":"a })] b"})]"#),
            (.bracketed, "don't say f(a=']')]"),
        ] as [(BodyEndScanner.Syntax, String)])
    func complete(syntax: BodyEndScanner.Syntax, text: String) {
        for rest in ["", " and more", "}])", "\n{\"b\":1}"] { #expect(body(syntax, text + rest) == text) }
    }

    @Test(
        "P02, P38: every cut-off body is incomplete",
        arguments: [
            (.json, #"{"a":"} ] \" '","b":[1,{}]}"#),
            (.gemma, ##"call:f{a:<|"|>} ]<|"|>,b:{c:[1]}}"##),
            (.pythonic, #"[add(a=1, s="x, y)]"), f('''a'b)]''')]"#), (.bracketed, #"note({"x":"a })] b"})]"#),
        ] as [(BodyEndScanner.Syntax, String)])
    func cutOff(syntax: BodyEndScanner.Syntax, text: String) {
        for length in 0..<text.utf8.count {
            let prefix = String(decoding: Array(text.utf8).prefix(length), as: UTF8.self)
            #expect(body(syntax, prefix) == nil)
        }
    }

    @Test(
        "what is no beginning of a body never ends",
        arguments: [
            (.json, "text {}"), (.json, "}"), (.json, #""x""#), (.json, String(repeating: "[", count: 600)),
            (.pythonic, "x + f()"), (.pythonic, "'f()'"),
            (.gemma, "call f!{}"), (.gemma, "}"),
            (.bracketed, String(repeating: "(", count: 600)),
        ] as [(BodyEndScanner.Syntax, String)])
    func broken(syntax: BodyEndScanner.Syntax, text: String) {
        var scanner = BodyEndScanner(syntax)
        let hasEnd = text.utf8.contains { scanner.scan($0) }
        #expect(!hasEnd)
        #expect(scanner.isBroken)
    }

    @Test(
        "a closing marker counts outside of strings only",
        arguments: [
            (.json, #"{"a":"§"#, false), (.json, #"{"a":§"#, true), (.json, #"{"a":"\"§"#, false),
            (.json, #"{"a":"x"}§"#, true),
            (.gemma, ##"call:f{a:<|"|>§"##, false), (.gemma, ##"call:f{a:<|"|>x<|"|>§"##, true),
            (.gemma, "call:f{a:['§", false),
            (.gemma, ##"call:f{a:x<|"|>§"##, true), (.pythonic, "[f(a='''x'§", false), (.pythonic, "[f(a=''§", true),
            (.pythonic, "[f(a='', b=§", true), (.bracketed, "it's f(§", true), (.bracketed, "f('§", false),
        ] as [(BodyEndScanner.Syntax, String, Bool)])
    func closers(syntax: BodyEndScanner.Syntax, text: String, accepts: Bool) {
        var scanner = BodyEndScanner(syntax)
        for byte in text.prefix(while: { $0 != "§" }).utf8 { _ = scanner.scan(byte) }
        #expect(scanner.acceptsCloser == accepts)
        // The bytes of the marker change nothing.
        for byte in "</tool_call>".utf8 { _ = scanner.scan(byte) }
        #expect(scanner.acceptsCloser == accepts)
    }

    @Test(
        "a scanner's work does not depend on depth or length",
        arguments: ["[", "]", "{", "'", "\"", "(", "<|\"|>", "</parameter>", "a,"])
    func linearWork(part: String) {
        let text = Array(String(repeating: part, count: 20_000).utf8)
        for syntax in [BodyEndScanner.Syntax.json, .gemma, .pythonic, .bracketed] {
            var scanner = BodyEndScanner(syntax)
            for byte in text { _ = scanner.scan(byte) }
        }
    }
}
