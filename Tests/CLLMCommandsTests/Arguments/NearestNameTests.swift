import Testing

@testable import CLLMCommands

@Suite struct NearestNameTests {
    private static let names = ["model", "messages", "max-tokens", "top-k", "top-p"]

    @Test(
        "suggests what is a few edits away",
        arguments: [
            ("modle", "model"), ("modl", "model"), ("models", "model"), ("mesages", "messages"),
            ("max-token", "max-tokens"),
            ("maxtokens", "max-tokens"), ("top-q", "top-k"), ("topp", "top-p"), ("banana", nil), ("", nil), ("x", nil),
            ("temperature", nil),
        ])
    func suggestion(name: String, expected: String?) {
        #expect(NearestName.of(name, among: Self.names) == expected)
    }

    @Test("suggests nothing when there is nothing")
    func empty() {
        #expect(NearestName.of("run", among: []) == nil)
    }
}
