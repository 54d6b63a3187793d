import Testing

@testable import CarbocationLocalLLM

@Suite("FIFO")
struct FIFOTests {
    @Test("gives elements in the order they came, whatever the rhythm", arguments: [1, 2, 7, 100])
    func order(burst: Int) {
        var queue = FIFO<Int>()
        var next = 0
        var expected = 0
        for _ in 0..<500 {
            for _ in 0..<burst {
                queue.append(next)
                next += 1
            }
            for _ in 0..<max(1, burst - 1) {
                #expect(queue.popFirst() == expected)
                expected += 1
            }
        }
        while let element = queue.popFirst() {
            #expect(element == expected)
            expected += 1
        }
        #expect(expected == next)
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test("lets go of an element when it is taken")
    func releases() {
        final class Token {}
        var queue = FIFO<Token>()
        weak var token: Token?
        do {
            let strong = Token()
            token = strong
            queue.append(strong)
            queue.append(Token())
        }
        #expect(token != nil)
        _ = queue.popFirst()
        #expect(token == nil)
    }
}
