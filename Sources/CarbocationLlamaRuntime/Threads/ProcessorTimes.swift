import Foundation

/// What all processes together used of the cores, as the kernel counts it.
struct ProcessorTimes: Equatable, Sendable {
    /// Cores that are counted.
    var cores: Int
    /// Seconds in which they were busy since the system started, those taken by a hypervisor included.
    var busy: Double
}

extension ProcessorTimes {
    #if os(Linux)
        /// Reads the times of `processors`; nil where the kernel does not tell.
        static func current(of processors: Set<Int>) -> ProcessorTimes? {
            guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
            return ProcessorTimes(statistics: text, processors: processors, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)))
        }

        /// Tasks of all processes that run or want to run now; nil where the kernel does not tell.
        static func runnableTasks() -> Int? {
            (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)).flatMap(runnableTasks(in:))
        }
    #elseif canImport(Darwin)
        // Each call would count up the references of this port.
        private static let host = mach_host_self()

        /// Reads the times of all cores; nil where the kernel does not tell.
        static func current(of processors: Set<Int>) -> ProcessorTimes? {
            var load = host_cpu_load_info_data_t()
            var size = mach_msg_type_number_t(
                MemoryLayout<host_cpu_load_info_data_t>.stride / MemoryLayout<integer_t>.stride)
            let status = withUnsafeMutablePointer(to: &load) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(size)) { integers in
                    host_statistics(host, HOST_CPU_LOAD_INFO, integers, &size)
                }
            }
            guard status == KERN_SUCCESS else { return nil }
            // user, system, idle, nice; 100 ticks a second.
            let ticks = Double(load.cpu_ticks.0) + Double(load.cpu_ticks.1) + Double(load.cpu_ticks.3)
            return ProcessorTimes(cores: ProcessInfo.processInfo.activeProcessorCount, busy: ticks / 100)
        }

        static func runnableTasks() -> Int? { nil }
    #endif

    /// Reads lines such as `cpu3 user nice system idle iowait irq softirq steal guest guest_nice`.
    init?(statistics: String, processors: Set<Int>, ticksPerSecond: Int) {
        var cores = 0
        var ticks = 0
        for line in statistics.utf8.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " ")).map { Substring($0) }
            guard let name = fields.first, name.hasPrefix("cpu") else { break }
            guard let processor = Int(name.dropFirst(3)), processors.contains(processor) else { continue }
            // Guests are counted in user and nice already; idle and iowait are the fourth and fifth.
            let times = fields.dropFirst().prefix(8).map { Int($0) ?? 0 }
            guard times.count >= 4 else { continue }
            cores += 1
            ticks += times.enumerated().reduce(0) { $1.offset == 3 || $1.offset == 4 ? $0 : $0 + $1.element }
        }
        guard cores > 0, ticksPerSecond > 0 else { return nil }
        self.init(cores: cores, busy: Double(ticks) / Double(ticksPerSecond))
    }

    /// The fourth field of `0.25 0.65 1.38 3/94 3397`.
    static func runnableTasks(in loadAverage: String) -> Int? {
        let fields = loadAverage.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 4, let tasks = Int(fields[3].prefix { $0 != "/" }), tasks > 0 else { return nil }
        return tasks
    }
}
