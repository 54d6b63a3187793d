import CLlama
import Foundation

/// Owner of one `cl_outline`.
final class Outline {
    let raw: OpaquePointer

    init(_ url: URL, _ change: (inout cl_model_params) -> Void = { _ in }) throws {
        var params = cl_model_params()
        change(&params)
        var loaded: OpaquePointer?
        try withUnsafePointer(to: params) { try check(cl_outline_load(url.path, $0, &loaded)) }
        raw = loaded!
    }

    var trainingContext: Int32 { cl_outline_training_context(raw) }

    func measure(_ params: cl_context_params) throws -> [cl_device_memory] {
        try DeviceList.filled { devices, capacity, count in
            try withUnsafePointer(to: params) { try check(cl_outline_measure(raw, $0, devices, capacity, &count)) }
        }
    }

    deinit {
        cl_outline_free(raw)
    }
}

extension Context {
    /// What it did take.
    func measure() throws -> [cl_device_memory] {
        try DeviceList.filled { try check(cl_context_measure(raw, $0, $1, &$2)) }
    }
}

/// Receives the devices of a measurement.
enum DeviceList {
    static func filled(
        _ write: (UnsafeMutablePointer<cl_device_memory>, Int, inout Int) throws -> Void
    ) throws -> [cl_device_memory] {
        try withUnsafeTemporaryAllocation(of: cl_device_memory.self, capacity: 16) { buffer in
            var count = 0
            try write(buffer.baseAddress!, buffer.count, &count)
            return Array(buffer.prefix(count))
        }
    }
}
