import CarbocationLocalLLM
import Testing

@Suite("Which declared tool a name stands for")
struct ToolNameResolutionTests {
    @Test(
        "P33: only a whole known namespace is taken off",
        arguments: [
            ("add", "add"), ("default_api.add", "add"), ("functions.add", "add"), ("execute_add", nil),
            ("addition", nil),
            ("functions.functions.add", nil), ("default_api.functions.add", nil), ("functions.", nil),
            ("functions", nil),
            ("api.add", nil), ("Functions.add", nil), ("add ", nil), ("", nil), ("functions.sub", "functions.sub"),
            ("tools.add", nil), ("default_api.mcp.list", "mcp.list"), ("mcp.list", "mcp.list"), ("list", nil),
        ] as [(String, String?)])
    func resolution(name: String, expected: String?) {
        #expect(resolvedName(name, among: ["add", "functions.sub", "mcp.list"]) == expected)
    }
}
