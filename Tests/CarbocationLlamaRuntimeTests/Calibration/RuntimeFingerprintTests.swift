import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("What a calibration holds for")
struct RuntimeFingerprintTests {
    private func fingerprint(
        _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) -> LlamaContextCalibrationRuntimeFingerprint {
        var configuration = LlamaEngineConfiguration()
        change(&configuration)
        return LlamaEngine.contextCalibrationRuntimeFingerprint(configuration: configuration)
    }

    @Test("equal configurations have equal fingerprints")
    func equal() {
        #expect(fingerprint() == fingerprint())
        #expect(fingerprint() == LlamaEngine.contextCalibrationRuntimeFingerprint())
        #expect(fingerprint().algorithmVersion == 8)
        #expect(!fingerprint().deviceModel.isEmpty)
        #expect(fingerprint().physicalMemoryBytes == ProcessInfo.processInfo.physicalMemory)
    }

    private static let changes: [@Sendable (inout LlamaEngineConfiguration) -> Void] = [
        { $0.gpuLayerCount = 3 }, { $0.useMemoryMap = false }, { $0.batchSizeLimit = 1024 }, { $0.threadCount = 2 },
        { $0.maximumConcurrentSequences = 2 }, { $0.accelerationPolicy = .disabled }, { $0.mtpMaxDraftTokens = 4 },
        { $0.draftModelURL = URL(fileURLWithPath: "/draft.gguf") }, { $0.kvTypeK = .q8_0 }, { $0.kvTypeV = .q8_0 },
        { $0.flashAttention = .disabled },
    ]

    @Test("whatever changes the memory of a context changes it", arguments: changes.indices)
    func different(index: Int) {
        #expect(fingerprint(Self.changes[index]) != fingerprint())
    }

    @Test("acceleration on with one draft token, off, and on with four are three different things")
    func acceleration() {
        let fingerprints = [
            fingerprint(), fingerprint { $0.accelerationPolicy = .disabled }, fingerprint { $0.mtpMaxDraftTokens = 4 },
        ]
        #expect(fingerprints.map(\.accelerationEnabled) == [true, false, true])
        #expect(fingerprints.map(\.maxDraftTokens) == [1, 0, 4])
    }

    @Test("another draft model is another thing, unless nothing is drafted")
    func draftModel() {
        let marks = ["/a.gguf", "/b.gguf"].map { path in
            fingerprint { $0.draftModelURL = URL(fileURLWithPath: path) }
        }
        #expect(marks[0] != marks[1])
        let unused = fingerprint {
            $0.draftModelURL = URL(fileURLWithPath: "/a.gguf")
            $0.accelerationPolicy = .disabled
        }
        #expect(unused == fingerprint { $0.accelerationPolicy = .disabled })
    }

    @Test("what changes no memory changes nothing")
    func irrelevant() {
        #expect(fingerprint { $0.promptReserveTokens = 100 } == fingerprint())
        #expect(fingerprint { $0.ngramMaxDraftTokens = 2 } == fingerprint())
        #expect(fingerprint { $0.gpuLayerCount = -1 } == fingerprint { $0.gpuLayerCount = 0 })
    }

    #if os(Linux)
        @Test("the device is named by its firmware, else by its processor")
        func deviceModel() {
            let cpu = "processor\t: 0\nmodel name\t: Fast CPU @ 3: GHz\nflags\t: x\n"
            #expect(DeviceModel.name { $0.hasSuffix("product_name") ? " Thin Client\n" : cpu } == "Thin Client")
            #expect(DeviceModel.name { $0.hasSuffix("product_name") ? " \n" : cpu } == "Fast CPU @ 3: GHz")
            #expect(DeviceModel.name { $0 == "/proc/cpuinfo" ? "processor\t: 0\n" : nil } == nil)
            #expect(DeviceModel.name { _ in nil } == nil)
        }
    #endif
}
