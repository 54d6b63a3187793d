/// The memory of one device that a model and its context may take.
///
/// Whoever knows the device gathers the figures, all in bytes.
package struct CalibrationBudget: Sendable, Hashable {
    /// All that may be taken.
    package var bytes: UInt64
    /// The largest single allocation that the device makes; nil when it states none.
    package var largestBufferBytes: UInt64?

    package init(bytes: UInt64, largestBufferBytes: UInt64? = nil) {
        self.bytes = bytes
        self.largestBufferBytes = largestBufferBytes
    }

    /// The budget of the main memory: three quarters of it, and no more than the system lets this process have.
    ///
    /// - Parameters:
    ///   - physicalMemoryBytes: All memory of the computer.
    ///   - process: What this process has and can still get, on systems that set it a limit.
    /// - Returns: The budget.
    package static func host(physicalMemoryBytes: UInt64, process: ProcessMemory? = nil) -> CalibrationBudget {
        let share = part(75, of: physicalMemoryBytes)
        return CalibrationBudget(bytes: process.map { min(share, $0.limitBytes) } ?? share)
    }

    /// The budget of a GPU that shares the main memory.
    ///
    /// - Parameters:
    ///   - recommendedWorkingSetBytes: What the driver recommends; 0 when it does not say.
    ///   - physicalMemoryBytes: All memory of the computer.
    ///   - largestBufferBytes: The largest single allocation; nil when the driver does not say.
    /// - Returns: The budget.
    package static func appleGPU(
        recommendedWorkingSetBytes: UInt64, physicalMemoryBytes: UInt64, largestBufferBytes: UInt64? = nil
    ) -> CalibrationBudget {
        let workingSet = max(recommendedWorkingSetBytes, part(75, of: physicalMemoryBytes))
        return CalibrationBudget(bytes: part(85, of: workingSet), largestBufferBytes: largestBufferBytes)
    }

    /// The budget of a GPU with a memory of its own.
    ///
    /// - Parameters:
    ///   - freeBytes: What is free on the device.
    ///   - largestBufferBytes: The largest single allocation; nil when the driver does not say.
    /// - Returns: The budget.
    package static func gpu(freeBytes: UInt64, largestBufferBytes: UInt64? = nil) -> CalibrationBudget {
        CalibrationBudget(bytes: part(90, of: freeBytes), largestBufferBytes: largestBufferBytes)
    }

    /// Whether the device can hold all of it, in total and buffer by buffer.
    ///
    /// - Parameters:
    ///   - estimate: The memory in total.
    ///   - buffers: The sizes of allocations that cannot be divided.
    /// - Returns: Whether it fits.
    package func admits(_ estimate: LlamaContextMemoryEstimate, buffers: [UInt64] = []) -> Bool {
        guard estimate.fits(budget: bytes) else { return false }
        guard let largestBufferBytes else { return true }
        return buffers.allSatisfy { $0 <= largestBufferBytes }
    }

    /// Whole per cent, rounded down, of any number of bytes.
    private static func part(_ percent: UInt64, of bytes: UInt64) -> UInt64 {
        bytes / 100 * percent + bytes % 100 * percent / 100
    }
}

/// The memory of this process where the system sets it a limit, as iOS does.
package struct ProcessMemory: Sendable, Hashable {
    /// What it can still get, in bytes.
    package var availableBytes: UInt64
    /// What it has, in bytes.
    package var usedBytes: UInt64

    package init(availableBytes: UInt64, usedBytes: UInt64) {
        self.availableBytes = availableBytes
        self.usedBytes = usedBytes
    }

    var limitBytes: UInt64 { availableBytes.addingSaturated(usedBytes) }
}
