import Testing

@testable import CLLMCommands

@Suite struct ParsedArgumentsTests {
    private enum Colour: String, CaseIterable { case red, green }

    private static let value = OptionSpecification.value("value", "N", "")
    private static let list = OptionSpecification.list("list", "S", "")
    private static let flag = OptionSpecification.flag("flag", "")
    private static let specification = CommandSpecification(path: ["test"], summary: "", options: [value, list, flag])

    private static func parsed(_ arguments: [String]) throws -> ParsedArguments {
        var cursor = ArgumentCursor(arguments)
        var values = OptionValues()
        while case .option(let name, let text)? = cursor.next() {
            let option = try #require(specification.options.first { $0.name == name })
            try values.take(option, value: text, from: &cursor, in: "cllm test")
        }
        return ParsedArguments(specification: specification, options: values, words: [])
    }

    @Test("the last of several values counts, a list keeps them all")
    func repetition() throws {
        let arguments = try Self.parsed(["--value", "1", "--list", "a", "--value=2", "--list=", "--list", "b"])
        #expect(try arguments.text(Self.value) == "2")
        #expect(arguments.options.all(Self.list) == ["a", "", "b"])
        #expect(!arguments.isSet(Self.flag))
        #expect(try Self.parsed(["--flag", "--flag"]).isSet(Self.flag))
    }

    @Test("reads whole numbers", arguments: [("0", 0), ("-7", -7), ("+7", 7), ("2147483647", 2_147_483_647)])
    func integers(text: String, number: Int32) throws {
        #expect(try Self.parsed(["--value", text]).integer(Self.value) == number)
    }

    @Test(
        "refuses what is no whole number or does not fit",
        arguments: [
            "", " 1", "1.0", "1e3", "0x10", "2147483648", "99999999999999999999", "one", "١",
        ])
    func badIntegers(text: String) throws {
        let arguments = try Self.parsed(["--value=\(text)"])
        let error = #expect(throws: UsageError.self) { let _: Int32? = try arguments.integer(Self.value) }
        #expect(error?.message == "--value needs a whole number that fits, not '\(text)'; see 'cllm test --help'")
    }

    @Test("refuses whole numbers below the least")
    func least() throws {
        let arguments = try Self.parsed(["--value", "0"])
        let error = #expect(throws: UsageError.self) { let _: Int? = try arguments.integer(Self.value, atLeast: 1) }
        #expect(error?.message.hasPrefix("--value needs a whole number of at least 1 that fits, not '0'") == true)
        #expect(try Self.parsed(["--value", "1"]).integer(Self.value, atLeast: 1) == 1)
        #expect(throws: UsageError.self) { let _: UInt32? = try Self.parsed(["--value=-1"]).integer(Self.value) }
    }

    @Test("reads numbers", arguments: [("0", 0), ("-0.5", -0.5), ("1e-3", 0.001), (".5", 0.5), ("7", 7)])
    func numbers(text: String, number: Double) throws {
        #expect(try Self.parsed(["--value", text]).number(Self.value) == number)
    }

    @Test("refuses what is no finite number", arguments: ["", "nan", "inf", "-infinity", "1e999", "0,5", "x"])
    func badNumbers(text: String) throws {
        let arguments = try Self.parsed(["--value=\(text)"])
        let error = #expect(throws: UsageError.self) { try arguments.number(Self.value) }
        #expect(error?.message == "--value needs a number, not '\(text)'; see 'cllm test --help'")
    }

    @Test("reads one of a few words and names them otherwise")
    func choices() throws {
        let colour: Colour? = try Self.parsed(["--value", "green"]).choice(Self.value)
        #expect(colour == .green)
        let arguments = try Self.parsed(["--value", "Red"])
        let error = #expect(throws: UsageError.self) { let _: Colour? = try arguments.choice(Self.value) }
        #expect(error?.message == "--value is one of red, green, not 'Red'; see 'cllm test --help'")
    }

    @Test("what is not given is nil")
    func absence() throws {
        let arguments = try Self.parsed([])
        #expect(try arguments.text(Self.value) == nil)
        #expect(try arguments.number(Self.value) == nil)
        #expect(try (arguments.integer(Self.value) as Int?) == nil)
        #expect(try (arguments.choice(Self.value) as Colour?) == nil)
        #expect(arguments.options.all(Self.list).isEmpty)
    }

    @Test("an empty text is refused where a text is needed")
    func emptyText() throws {
        let arguments = try Self.parsed(["--value="])
        #expect(throws: UsageError.self) { try arguments.text(Self.value) }
    }
}
