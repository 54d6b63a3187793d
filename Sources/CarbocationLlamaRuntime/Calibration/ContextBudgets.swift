package import CarbocationLocalLLM
import Foundation

/// How much of each device's memory a model and its context may take.
struct ContextBudgets: Sendable {
    /// All memory of the computer, in bytes.
    var physicalMemoryBytes: UInt64
    /// The memory of this process, where the system sets it a limit.
    var process: ProcessMemory?

    /// The budgets on this computer now.
    static func current() -> ContextBudgets {
        ContextBudgets(physicalMemoryBytes: ProcessInfo.processInfo.physicalMemory, process: .limited())
    }

    /// Whether every device can hold what was measured for it.
    func admit(_ devices: [DeviceMemory]) -> Bool {
        devices.allSatisfy { device in
            budget(of: device).admits(device.estimate, buffers: [device.largestTensorBytes])
        }
    }

    /// What may be taken of a device.
    func budget(of device: DeviceMemory) -> CalibrationBudget {
        switch device.kind {
        case .host:
            var budget = CalibrationBudget.host(physicalMemoryBytes: physicalMemoryBytes, process: process)
            budget.largestBufferBytes = device.maximumBufferBytes
            return budget
        case .gpu, .other:
            #if canImport(Darwin)
                return .appleGPU(
                    recommendedWorkingSetBytes: device.totalBytes, physicalMemoryBytes: physicalMemoryBytes,
                    largestBufferBytes: device.maximumBufferBytes)
            #else
                return .gpu(freeBytes: device.freeBytes, largestBufferBytes: device.maximumBufferBytes)
            #endif
        }
    }
}

extension DeviceMemory {
    /// The bytes as they are weighed against a budget.
    package var estimate: LlamaContextMemoryEstimate {
        LlamaContextMemoryEstimate(modelBytes: modelBytes, contextBytes: contextBytes, computeBytes: computeBytes)
    }
}
