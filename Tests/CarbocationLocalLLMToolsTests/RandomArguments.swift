import CarbocationLocalLLM
import CarbocationLocalLLMTools
import TestSupport

/// Arguments as no well-meaning model would write them, the same in every run.
struct RandomArguments {
    private var random: SeededGenerator

    private static let operations = ["add", "subtract", "multiply", "divide", "power"]
    private static let units: [(category: String, names: [String])] = [
        ("length", ["m", "Miles", "mm"]), ("mass", ["kg", "oz", "t"]), ("volume", ["fl oz", "L", "cups"]),
        ("temperature", ["°F", "celsius", "K"]), ("speed", ["km/h", "knots", "mps"]),
    ]
    private static let words =
        operations + units.map(\.category) + units.flatMap(\.names) + [
            "ton", "modulo", "currency", "", " ", "nan", "1e308", "-273.15", "0x10", "1e-127", "9e127", "1e999999999",
            "é", "e\u{301}", "👨‍👩‍👧", "\u{0}", "\u{FFFD}", "\u{202E}abc", "\u{2028}", "\"\\", "٣", "１", "\n",
            "metre\u{301}",
        ]
    private static let schemes = [
        "https://", "http://", "HTTPS:\\/\\/", "file://", "ftp://", "//", "", "http:", "data:", "https:///",
    ]
    private static let hosts = [
        "example.com", "a.example:8443", "127.0.0.1", "0x7f000001", "[::1]", "[", "u:p@a.example", "a b", "a..b",
        "é.example",
        "①.example", "localhost", "a.local.", "", ":80", "%41", "999.1.1.1", "a:99999999999999999999",
    ]
    private static let targets = [
        "", "/", "/a/../b?c=%26#d", "?q=é", "#", "/%", "/%zz", "/\\", "/a b", "/\u{0}", "/?a[]={}|<>\"",
    ]
    private static let numbers: [LLMJSONValue] = [
        0, 1, -1, 2, 3, -0.0, 0.1, 0.5, 127, 128, 1_000, 1_001, .int(.max), .int(.min), .double(.infinity),
        .double(-.infinity), .double(.nan), .double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), 1e127,
        1e128,
        1e-127, 1e22, 9_007_199_254_740_993, -273.15, -459.67, 1e300,
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Arguments with the given keys: sometimes good ones, sometimes others, sometimes none.
    mutating func arguments(keys: [String]) -> LLMJSONValue {
        guard !chance(30) else { return value(depth: 0) }
        var object = LLMJSONObject()
        let (category, units) = Self.units[pick(0..<Self.units.count)]
        for key in keys where !chance(20) {
            switch key {
            case _ where chance(12): object[key] = value(depth: 0)
            case "operation": object[key] = .string(Self.operations[pick(0..<Self.operations.count)])
            case "operands": object[key] = .array((0..<pick([0, 1, 2, 2, 2, 3, 5, 40])).map { _ in number() })
            case "value": object[key] = number()
            case "url": object[key] = .string(address())
            case "category": object[key] = .string(category)
            default: object[key] = .string(units[pick(0..<units.count)])
            }
        }
        if chance(8) { object[word()] = value(depth: 0) }
        return .object(object)
    }

    /// An address, good or bad.
    private mutating func address() -> String {
        let host = chance(2) ? "example.com" : chance(20) ? word() : Self.hosts[pick(0..<Self.hosts.count)]
        let scheme = chance(2) ? "https://" : Self.schemes[pick(0..<Self.schemes.count)]
        let target =
            Self.targets[pick(0..<Self.targets.count)] + (chance(10) ? String(repeating: word(), count: 2_000) : "")
        return (chance(10) ? word() : "") + scheme + host + target + (chance(10) ? word() : "")
    }

    private mutating func number() -> LLMJSONValue {
        switch pick(0..<6) {
        case 0: Self.numbers[pick(0..<Self.numbers.count)]
        case 1: .int(Int64(bitPattern: random.next()))
        case 2: .double(Double(bitPattern: random.next()))
        case 3: .string(numeral())
        case 4: .int(Int64(pick(-12..<13)))
        default: chance(10) ? value(depth: 0) : .double(Double(pick(-100_000..<100_000)) / 100)
        }
    }

    /// The text of a number, which may be long or slightly wrong.
    private mutating func numeral() -> String {
        let digits = (0..<pick([1, 5, 17, 40, 300, 999])).map { _ in String(pick(0..<10)) }.joined()
        let text = (chance(3) ? "-" : "") + "1" + (chance(2) ? "." : "") + digits
        return text + (chance(3) ? "e\(pick(-130..<131))" : "") + (chance(20) ? word() : "")
    }

    private mutating func value(depth: Int) -> LLMJSONValue {
        switch pick(0..<(depth > 30 ? 5 : 8)) {
        case 0: return .null
        case 1: return .bool(chance(2))
        case 2: return Self.numbers[pick(0..<Self.numbers.count)]
        case 3: return .string(word())
        case 4: return .string(String(repeating: word(), count: pick([1, 2, 50, 5_000])))
        case 5: return .array((0..<pick([0, 1, 3])).map { _ in value(depth: depth + 1) })
        case 6: return .object(LLMJSONObject((0..<pick([0, 1, 3])).map { _ in (word(), value(depth: depth + 1)) }))
        default: return (0..<pick([1, 20, 200])).reduce(number()) { inner, _ in [inner] }
        }
    }

    private mutating func word() -> String { Self.words[pick(0..<Self.words.count)] }
    private mutating func chance(_ oneIn: Int) -> Bool { pick(0..<oneIn) == 0 }
    private mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func pick(_ choices: [Int]) -> Int { choices[pick(0..<choices.count)] }
}
