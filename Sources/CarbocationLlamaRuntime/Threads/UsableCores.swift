import Foundation

/// How many cores this process may compute on.
struct UsableCores: Equatable, Sendable {
    /// Logical cores allowed by affinity and quota.
    var logical: Int
    /// Physical cores among them, where the system tells; otherwise equal to `logical`.
    var physical: Int
    /// The logical cores allowed by affinity, by the kernel's numbers; those of the whole machine where there is none.
    var processors: Set<Int> = []

    /// The faster cores, where the machine has two kinds and both are in `physical`.
    var fast: Int?

    /// As many threads as can compute at full speed while no other program needs a core.
    var mostThreads: Int {
        max(1, min(physical, logical))
    }

    /// Threads that leave room for other programs.
    ///
    /// llama.cpp's threads spin at barriers: with as many threads as cores, any other program that takes a core
    /// stalls every step. So one core stays free, unless hyper-threading leaves spare logical cores anyway.
    var recommendedThreadCount: Int {
        max(1, physical < logical ? physical : logical - 1)
    }
}

extension UsableCores {
    #if os(Linux)
        /// Reads affinity, control group quota and topology.
        static func current() -> UsableCores {
            let allowed = allowedProcessors()
            let quota = ControlGroup.quota(readFile: readFile)
            let logical = max(1, min(allowed.count, quota ?? allowed.count))
            let cores = Set(
                allowed.map { processor in
                    readFile(topologyPath(of: processor)) ?? "\(processor)"
                })
            return UsableCores(
                logical: logical, physical: max(1, min(logical, cores.count)), processors: Set(allowed),
                fast: fastCores(among: allowed, readFile: readFile))
        }

        /// Counts the cores of the faster kind, by what the kernel knows about their speeds; nil when all are alike.
        static func fastCores(among processors: [Int], readFile: (String) -> String?) -> Int? {
            if let list = readFile("/sys/devices/cpu_core/cpus"), readFile("/sys/devices/cpu_atom/cpus") != nil {
                let fast = Set(ProcessorList.numbers(in: list)).intersection(processors)
                let siblings = fast.map { readFile(topologyPath(of: $0)) ?? "\($0)" }
                return Set(siblings).count
            }
            let capacities = processors.compactMap { processor in
                readFile("/sys/devices/system/cpu/cpu\(processor)/cpu_capacity")
                    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            }
            guard let most = capacities.max(), let least = capacities.min(), least * 4 < most * 3 else { return nil }
            return capacities.filter { $0 * 4 >= most * 3 }.count
        }

        private static func topologyPath(of processor: Int) -> String {
            "/sys/devices/system/cpu/cpu\(processor)/topology/thread_siblings_list"
        }

        private static func allowedProcessors() -> [Int] {
            let status = readFile("/proc/self/status") ?? ""
            let list = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
            let allowed = ProcessorList.numbers(in: list?.split(separator: ":").last ?? "")
            return allowed.isEmpty ? Array(0..<ProcessInfo.processInfo.activeProcessorCount) : allowed
        }

        private static func readFile(_ path: String) -> String? {
            try? String(contentsOfFile: path, encoding: .utf8)
        }
    #else
        /// Counts performance cores.
        static func current() -> UsableCores {
            let logical = ProcessInfo.processInfo.activeProcessorCount
            let fast = systemCount("hw.perflevel0.physicalcpu") ?? systemCount("hw.physicalcpu") ?? logical
            return UsableCores(logical: logical, physical: min(logical, fast))
        }

        private static func systemCount(_ name: String) -> Int? {
            var value: Int32 = 0
            var size = MemoryLayout<Int32>.size
            return sysctlbyname(name, &value, &size, nil, 0) == 0 && value > 0 ? Int(value) : nil
        }
    #endif
}

/// The kernel's notation for sets of processors.
enum ProcessorList {
    /// The processors of a list such as `0-2,5`; malformed parts are skipped, and so is what no machine has.
    static func numbers(in list: some StringProtocol) -> [Int] {
        list.split(separator: ",").flatMap { part in
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, first >= 0, first <= last,
                last < maximum
            else { return [Int]() }
            return Array(first...last)
        }
    }

    private static let maximum = 1 << 16
}

/// The CPU quota of the process's control group.
enum ControlGroup {
    /// Whole cores that the quota allows, rounded up; nil without a quota.
    static func quota(readFile: (String) -> String?) -> Int? {
        quotaVersion2(readFile) ?? quotaVersion1(readFile)
    }

    /// `cpu.max` holds `quota period` or `max period`, in microseconds; every ancestor's limit counts.
    private static func quotaVersion2(_ readFile: (String) -> String?) -> Int? {
        let membership = readFile("/proc/self/cgroup") ?? ""
        let line = membership.split(separator: "\n").first { $0.hasPrefix("0::") }
        var folders = (line?.dropFirst(3) ?? "/").split(separator: "/")
        var limits: [Int] = []
        while true {
            let path = (["/sys/fs/cgroup"] + folders.map(String.init)).joined(separator: "/")
            if let limit = readFile("\(path)/cpu.max").flatMap({ cores($0.split(whereSeparator: \.isWhitespace)) }) {
                limits.append(limit)
            }
            if folders.popLast() == nil { break }
        }
        return limits.min()
    }

    private static func quotaVersion1(_ readFile: (String) -> String?) -> Int? {
        guard let quota = readFile("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
            let period = readFile("/sys/fs/cgroup/cpu/cpu.cfs_period_us")
        else { return nil }
        return cores([quota, period].map { $0.trimmingCharacters(in: .whitespacesAndNewlines)[...] })
    }

    private static func cores(_ fields: [Substring]) -> Int? {
        guard fields.count == 2, let quota = Int(fields[0]), let period = Int(fields[1]), quota > 0, period > 0
        else { return nil }
        return max(1, (quota - 1) / period + 1)
    }
}
