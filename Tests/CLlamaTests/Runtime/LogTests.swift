import CLlama
import Foundation
import Testing

/// Collects lines; the handler is one for the process, so the tests that set it run one after the other.
private final class Lines: @unchecked Sendable {
    // Guarded by `lock`: lines come from any thread.
    private let lock = NSLock()
    private var collected: [(level: cl_log_level, text: String)] = []

    func append(_ level: cl_log_level, _ text: String) {
        lock.withLock { collected.append((level, text)) }
    }

    var all: [(level: cl_log_level, text: String)] {
        lock.withLock { collected }
    }

    func collect(minimum: cl_log_level, _ body: () throws -> Void) rethrows {
        let handler: cl_log_handler = { level, message, context in
            Unmanaged<Lines>.fromOpaque(context!).takeUnretainedValue().append(level, String(cString: message))
        }
        cl_log_set_handler(handler, Unmanaged.passUnretained(self).toOpaque(), minimum)
        defer { cl_log_set_handler(nil, nil, CL_LOG_ERROR) }
        try body()
    }
}

@Suite("Log lines of llama.cpp", .needsRuntime, .serialized)
struct LogTests {
    @Test("A load is told in complete lines")
    func lines() throws {
        let lines = Lines()
        try lines.collect(minimum: CL_LOG_DEBUG) { _ = try Model(Files.pocketModel) }
        #expect(lines.all.count > 20)
        #expect(lines.all.allSatisfy { !$0.text.isEmpty && !$0.text.contains("\n") })
        #expect(lines.all.contains { $0.level == CL_LOG_INFO && $0.text.contains("qwen3") })
    }

    @Test("Only lines of the asked level arrive")
    func minimum() throws {
        let lines = Lines()
        try lines.collect(minimum: CL_LOG_ERROR) { _ = try Model(Files.pocketModel) }
        #expect(lines.all.allSatisfy { $0.level == CL_LOG_ERROR })
    }

    @Test("SC-9: prompts and replies are never logged")
    func privacy() throws {
        let lines = Lines()
        let model = try Model(Files.pocketModel)
        let context = try Context(model)
        try lines.collect(minimum: CL_LOG_DEBUG) {
            let prompt = try model.tokens(.template("<|im_start|>user\nxylophone-secret<|im_end|>\n"))
            try context.append(prompt)
            let sampler = try Sampler(model, grammar: "root ::= \"plover\" [a-z]*")
            _ = try sampler.sample(context, index: prompt.count - 1)
        }
        #expect(!lines.all.contains { $0.text.contains("xylophone") || $0.text.contains("plover") })
    }

    @Test("Without a handler nothing is printed and nothing fails")
    func silence() throws {
        cl_log_set_handler(nil, nil, CL_LOG_DEBUG)
        _ = try Model(Files.pocketModel, vocabularyOnly: true)
    }
}
