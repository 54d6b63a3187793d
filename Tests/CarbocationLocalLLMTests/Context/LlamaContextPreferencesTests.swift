import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@Suite("LlamaContextPolicy with preferences")
struct LlamaContextPreferencesTests {
    private static let keys = LlamaContextPreferenceKeys.standard

    /// What the user stored; nil is nothing.
    struct Settings: Sendable {
        var mode: (any Sendable)?
        var numCtx: (any Sendable)?
        var limit: (any Sendable)?
        var usesMaximum: (any Sendable)?
    }

    private func store(_ settings: Settings, in preferences: ScratchPreferences) {
        preferences.set(settings.mode, Self.keys.contextMode)
        preferences.set(settings.numCtx, Self.keys.numCtx)
        preferences.set(settings.limit, Self.keys.autoContextLimit)
        preferences.set(settings.usesMaximum, Self.keys.autoContextLimitUsesMaximum)
    }

    private func context(_ settings: Settings, training: Int, calibrated: Int? = nil) -> Int {
        let preferences = ScratchPreferences()
        store(settings, in: preferences)
        return LlamaContextPolicy.requestedContext(
            trainingContext: training, calibratedMaximum: calibrated, defaults: preferences.defaults)
    }

    @Test("CP: the keys")
    func standardKeys() {
        #expect(Self.keys == LlamaContextPreferenceKeys())
        #expect(Self.keys.contextMode == "llama.contextMode")
        #expect(Self.keys.numCtx == "llama.numCtx")
        #expect(Self.keys.autoContextLimit == "llama.autoContextLimit")
        #expect(Self.keys.autoContextLimitUsesMaximum == "llama.autoContextLimitUsesMaximum")
    }

    static let modes: [((any Sendable)?, (any Sendable)?, LlamaContextMode)] = [
        (nil, nil, .auto), (nil, 8_192, .auto), (nil, "8192", .auto), (nil, 4_096, .manual), (nil, "4096", .manual),
        (nil, 0, .auto), (nil, -5, .auto), (nil, "many", .auto), ("bogus", 4_096, .manual), ("bogus", nil, .auto),
        ("auto", 4_096, .auto), ("manual", nil, .manual), ("manual", 8_192, .manual), ("MANUAL", nil, .auto),
        (1, 4_096, .manual), ("", 8_192, .auto),
    ]

    @Test("CP-3: the mode", arguments: 0..<modes.count)
    func mode(index: Int) {
        let (mode, numCtx, expected) = Self.modes[index]
        let preferences = ScratchPreferences()
        store(Settings(mode: mode, numCtx: numCtx), in: preferences)
        #expect(LlamaContextPolicy.currentMode(defaults: preferences.defaults) == expected)
    }

    @Test("CP-5: manual is neither clamped to the training context nor to calibration")
    func manual() {
        let settings = Settings(mode: "manual", numCtx: 32_768, limit: 1_024, usesMaximum: true)
        #expect(context(settings, training: 4_096, calibrated: 16_384) == 32_768)
    }

    static let manualSizes: [((any Sendable)?, Int)] = [
        (nil, 8_192), (0, 8_192), (-5, 8_192), ("-5", 8_192), (100, 512), ("12000", 12_000), ("x", 8_192),
        (Int.max, Int.max), (1e300, 8_192),
    ]

    @Test("CP-5: manual sizes are sanitised", arguments: 0..<manualSizes.count)
    func manualSize(index: Int) {
        let (numCtx, expected) = Self.manualSizes[index]
        #expect(context(Settings(mode: "manual", numCtx: numCtx), training: 262_144) == expected)
    }

    #if !os(iOS)
        static let automatic: [(Settings, Int?, Int)] = [
            (Settings(), nil, 16_384),
            (Settings(mode: "auto", numCtx: 4_096), nil, 16_384),
            (Settings(limit: 65_536), nil, 65_536),
            (Settings(limit: 65_536), 32_768, 32_768),
            (Settings(limit: 65_536, usesMaximum: true), 65_536, 65_536),
            (Settings(limit: 65_536, usesMaximum: true), 131_072, 131_072),
            (Settings(limit: 65_536, usesMaximum: true), nil, 16_384),
            (Settings(limit: 65_536, usesMaximum: false), 131_072, 65_536),
            (Settings(), 65_536, 16_384),
            (Settings(limit: 262_144), 65_536, 65_536),
            (Settings(), 262_144, 16_384),
            (Settings(limit: 32_768), 262_144, 32_768),
            (Settings(limit: "12000"), nil, 12_000),
            (Settings(limit: 100), nil, 512),
            (Settings(limit: -1), nil, 16_384),
            (Settings(limit: 0), nil, 16_384),
            (Settings(limit: "much"), nil, 16_384),
            (Settings(usesMaximum: "YES"), 131_072, 131_072),
            (Settings(usesMaximum: true), 0, 16_384),
            (Settings(usesMaximum: true), -1, 16_384),
        ]

        @Test("CP-4: automatic contexts of a model for 262,144 tokens", arguments: 0..<automatic.count)
        func automaticContext(index: Int) {
            let (settings, calibrated, expected) = Self.automatic[index]
            #expect(context(settings, training: 262_144, calibrated: calibrated) == expected)
        }

        @Test(
            "CP-4: the maximum without calibration is the training context below the default cap",
            arguments: [(4_096, 4_096), (100, 512), (0, 8_192), (-1, 8_192), (16_384, 16_384), (20_000, 16_384)])
        func maximumWithoutCalibration(training: Int, expected: Int) {
            #expect(context(Settings(usesMaximum: true), training: training) == expected)
        }
    #endif

    @Test("CP: other keys are other settings")
    func otherKeys() {
        let preferences = ScratchPreferences()
        store(Settings(mode: "manual", numCtx: 1_024), in: preferences)
        preferences.set(2_048, "own.numCtx")
        let keys = LlamaContextPreferenceKeys(
            contextMode: "own.mode", numCtx: "own.numCtx", autoContextLimit: "own.limit",
            autoContextLimitUsesMaximum: "own.maximum")
        let context = LlamaContextPolicy.requestedContext(
            trainingContext: 262_144, defaults: preferences.defaults, keys: keys)
        #expect(LlamaContextPolicy.currentMode(defaults: preferences.defaults, keys: keys) == .manual)
        #expect(context == 2_048)
    }

    @Test("CP-2, CP-3, CP-4, CP-5: any stored values give what the rules say", arguments: 0..<8 as Range<UInt64>)
    func anyValues(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let preferences = ScratchPreferences()
        for _ in 0..<500 {
            let choice = ContextChoice(using: &random)
            store(choice.settings, in: preferences)
            let context = LlamaContextPolicy.requestedContext(
                trainingContext: choice.training, calibratedMaximum: choice.calibrated, defaults: preferences.defaults)
            #expect(context == choice.expectedContext, "\(choice)")
            let mode = LlamaContextPolicy.currentMode(defaults: preferences.defaults)
            #expect((mode == .manual) == choice.isManual, "\(choice)")
        }
    }
}

/// Random preferences, with what they mean.
private struct ContextChoice {
    /// A stored value and the number that it stands for.
    typealias Stored = (value: (any Sendable)?, number: Int?)

    var mode: String?
    var numCtx: Stored
    var limit: Stored
    var usesMaximum: (value: (any Sendable)?, meaning: Bool)
    var training: Int
    var calibrated: Int?

    init(using random: inout SeededGenerator) {
        mode = [nil, nil, "auto", "manual", "bogus", ""].randomElement(using: &random) ?? nil
        numCtx = Self.stored(using: &random)
        limit = Self.stored(using: &random)
        let flags: [(value: (any Sendable)?, meaning: Bool)] = [
            (nil, false), (true, true), (false, false), (1, true), (0, false), ("YES", true), ("NO", false),
        ]
        usesMaximum = flags.randomElement(using: &random) ?? (nil, false)
        training = Self.number(using: &random)
        calibrated = Bool.random(using: &random) ? Self.number(using: &random) : nil
    }

    var settings: LlamaContextPreferencesTests.Settings {
        LlamaContextPreferencesTests.Settings(
            mode: mode, numCtx: numCtx.value, limit: limit.value, usesMaximum: usesMaximum.value)
    }

    var isManual: Bool {
        switch mode {
        case "manual": return true
        case "auto": return false
        default:
            let number = numCtx.number ?? 0
            return number > 0 && number != 8_192
        }
    }

    /// The least of all bounds that apply.
    var expectedContext: Int {
        let defaultCap = LlamaContextPolicy.defaultAutoCap
        func stated(_ number: Int?) -> Int? { number.flatMap { $0 > 0 ? $0 : nil } }
        if isManual { return max(512, stated(numCtx.number) ?? 8_192) }
        var bounds = [stated(training) ?? LlamaContextPolicy.unknownTrainingFallback]
        if let fitting = stated(calibrated) { bounds.append(fitting) }
        if !usesMaximum.meaning {
            bounds.append(stated(limit.number) ?? defaultCap)
        } else if stated(calibrated) == nil {
            bounds.append(defaultCap)
        }
        return max(512, bounds.min() ?? 0)
    }

    private static func number(using random: inout SeededGenerator) -> Int {
        let numbers = [0, -1, 1, 511, 512, 513, 8_191, 8_192, 8_193, 16_384, 65_536, 262_144, .max, .min]
        return Bool.random(using: &random)
            ? numbers.randomElement(using: &random) ?? 0 : Int.random(in: -10...300_000, using: &random)
    }

    private static func stored(using random: inout SeededGenerator) -> Stored {
        let number = number(using: &random)
        let garbage: [any Sendable] = ["", "many", "0x200", "inf", "1e300", "4096 tokens", [4_096], Data("4096".utf8)]
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return (nil, nil)
        case 1: return (garbage.randomElement(using: &random), nil)
        case 2: return (String(number), number)
        case 3: return (" \(number)\t", number)
        default: return (number, number)
        }
    }
}
