import CLlama
import Foundation
import Testing

@Suite("Decoding with a deadline", .needsRuntime)
struct DeadlineTests {
    @Test("a batch is stopped at its deadline, and computed again it gives the same")
    func missed() throws {
        let model = try Model(Files.pocketModel)
        let context = try Context(model)
        let alone = try Context(model)
        context.setDeadline(seconds: 1e-6)
        #expect(status { try context.append([3]) } == CL_CANCELLED)
        #expect(context.hasMissedDeadline)
        #expect(context.remove(0, from: 0))
        context.setDeadline(seconds: 0)
        #expect(!context.hasMissedDeadline)
        try context.append([3])
        try alone.append([3])
        #expect(try Sampler(model).sample(context) == Sampler(model).sample(alone))
    }

    @Test("a batch that ends before its deadline is not stopped")
    func kept() throws {
        let context = try Context(Model(Files.pocketModel))
        context.setDeadline(seconds: 3600)
        try context.append([3])
        #expect(!context.hasMissedDeadline)
        #expect(context.last(0) == 0)
    }
}
