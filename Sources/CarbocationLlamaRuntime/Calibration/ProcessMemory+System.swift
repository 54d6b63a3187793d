import CarbocationLocalLLM

#if os(iOS)
    // For the port of this task, a constant that C declares as a variable.
    @preconcurrency import Darwin
    import os
#endif

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
