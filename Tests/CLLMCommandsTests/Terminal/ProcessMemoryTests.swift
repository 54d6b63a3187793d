import Testing

@testable import CLLMCommands

@Suite struct ProcessMemoryTests {
    @Test(
        "reads the peak of a Linux status file",
        arguments: [
            ("Name:\tcllm\nVmPeak:\t  999 kB\nVmHWM:\t     1234 kB\nVmRSS:\t 5 kB\n", 1_263_616),
            ("VmHWM: 1 MB\n", nil), ("VmHWM: x kB\n", nil), ("VmRSS: 5 kB\n", nil), ("", nil),
        ])
    func status(text: String, bytes: Int?) {
        #expect(ProcessMemory.peakBytes(inStatus: text) == bytes)
    }

    @Test("this process has held some memory")
    func live() throws {
        let bytes = try #require(ProcessMemory.peakBytes())
        #expect(bytes > 1 << 20)
        #expect(bytes < 1 << 40)
    }
}
