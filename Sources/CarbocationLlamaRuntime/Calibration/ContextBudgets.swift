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

extension ProcessMemory {
    /// What this process has and can still get; nil where the system sets it no limit.
    static func limited() -> ProcessMemory? {
        #if os(iOS)
            var info = task_vm_info_data_t()
            var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
            let status = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
                }
            }
            guard status == KERN_SUCCESS else { return nil }
            return ProcessMemory(availableBytes: UInt64(os_proc_available_memory()), usedBytes: info.phys_footprint)
        #else
            return nil
        #endif
    }
}
