import CLlama
import Testing

@Suite("Prompts in steps", .needsRuntime)
struct PromptStepTests {
    private static let prompt: [Int32] = (0..<400).map { 1 + ($0 * 37) % 900 }
    private let model: Model

    init() throws {
        model = try Model(Files.pocketModel)
    }

    private func context(threads: Int32) throws -> Context {
        try Context(
            model,
            Context.parameters { params in
                params.context_size = 2048
                params.batch_size = 512
                params.micro_batch_size = 512
                params.threads = threads
                params.batch_threads = threads
            })
    }

    /// The logits after the prompt, computed so many tokens at a time beside one token of another sequence.
    private func logits(step: Int, threads: Int32, isAccompanied: Bool) throws -> [Float]? {
        let context = try context(threads: threads)
        var last: Int?
        for (turn, begin) in stride(from: 0, to: Self.prompt.count, by: step).enumerated() {
            let end = min(begin + step, Self.prompt.count)
            var entries = (begin..<end).map { index in
                cl_batch_entry(
                    token: Self.prompt[index], position: Int32(index), sequence: 0,
                    wants_logits: index == Self.prompt.count - 1)
            }
            if isAccompanied {
                let other = cl_batch_entry(
                    token: Int32(100 + turn), position: Int32(turn), sequence: 1, wants_logits: true)
                entries.insert(other, at: 0)
            }
            try context.decode(entries)
            last = entries.count - 1
        }
        return last.flatMap { context.logits($0) }
    }

    @Test(
        "The logits after a prompt are the same to the last bit, whatever steps it is computed in and beside whom",
        arguments: [1, 3, 32, 63, 64, 65, 100, 257, 400])
    func steps(step: Int) throws {
        let whole = try logits(step: Self.prompt.count, threads: 1, isAccompanied: false)
        #expect(whole != nil)
        #expect(try logits(step: step, threads: 1, isAccompanied: false) == whole)
        #expect(try logits(step: step, threads: 2, isAccompanied: true) == whole)
    }
}
