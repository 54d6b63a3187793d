import Foundation

/// The name by which the system knows the model of this computer.
enum DeviceModel {
    /// For example `Mac14,2` or `iPhone16,1`; on Linux the product's name, else the processor's.
    static let current = name()

    #if os(Linux)
        private static func name() -> String {
            name(readFile: { try? String(contentsOfFile: $0, encoding: .utf8) }) ?? machine()
        }

        /// What the firmware says, else the processor; nil when neither is known.
        static func name(readFile: (String) -> String?) -> String? {
            let product = readFile("/sys/devices/virtual/dmi/id/product_name").flatMap(trimmed)
            return product ?? readFile("/proc/cpuinfo").flatMap(processorName)
        }

        private static func processorName(in cpuinfo: String) -> String? {
            let line = cpuinfo.split(whereSeparator: \.isNewline).first { $0.hasPrefix("model name") }
            return line?.split(separator: ":", maxSplits: 1).last.map(String.init).flatMap(trimmed)
        }

        private static func trimmed(_ text: String) -> String? {
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }
    #elseif os(macOS)
        private static func name() -> String { systemText("hw.model") ?? machine() }

        private static func systemText(_ key: String) -> String? {
            var size = 0
            guard sysctlbyname(key, nil, &size, nil, 0) == 0, size > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname(key, &bytes, &size, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    #else
        private static func name() -> String { machine() }
    #endif

    /// The hardware as `uname` names it.
    private static func machine() -> String {
        var system = utsname()
        guard uname(&system) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &system.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
