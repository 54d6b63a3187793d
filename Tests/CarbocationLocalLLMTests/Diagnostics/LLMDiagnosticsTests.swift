import CarbocationLocalLLM
import Testing

/// The only suite that installs a handler; others may report at the same time, so records are told by category.
@Suite("LLMDiagnostics", .serialized)
struct LLMDiagnosticsTests {
    private static let category = "diagnostics-test"

    @Test("SC-9: the installed handler gets records, a removed one none")
    func handler() {
        let records = Locked<[LLMDiagnosticRecord]>([])
        LLMDiagnostics.setHandler { record in
            guard record.category == Self.category else { return }
            records.withLock { $0.append(record) }
        }
        LLMDiagnostics.record(.warning, category: Self.category, "3 of 5 parts failed")
        LLMDiagnostics.setHandler(nil)
        LLMDiagnostics.record(.error, category: Self.category, "unseen")
        let expected = LLMDiagnosticRecord(
            level: .warning, category: Self.category, message: "3 of 5 parts failed")
        #expect(records.withLock { $0 } == [expected])
    }

    @Test("SC-9: without a handler the message is not even built")
    func laziness() {
        LLMDiagnostics.setHandler(nil)
        var isBuilt = false
        func message() -> String {
            isBuilt = true
            return ""
        }
        LLMDiagnostics.record(.debug, category: Self.category, message())
        #expect(!isBuilt)
    }

    @Test("SC-9: a handler may install another one")
    func reentrancy() {
        let second = Locked(0)
        LLMDiagnostics.setHandler { record in
            guard record.category == Self.category else { return }
            LLMDiagnostics.setHandler { record in
                if record.category == Self.category { second.withLock { $0 += 1 } }
            }
        }
        LLMDiagnostics.record(.info, category: Self.category, "first")
        LLMDiagnostics.record(.info, category: Self.category, "second")
        LLMDiagnostics.setHandler(nil)
        #expect(second.withLock { $0 } == 1)
    }

    @Test("levels are ordered by how much they matter")
    func levels() {
        #expect(LLMDiagnosticRecord.Level.allCases == LLMDiagnosticRecord.Level.allCases.sorted())
        #expect(LLMDiagnosticRecord.Level.debug < .error)
    }
}
