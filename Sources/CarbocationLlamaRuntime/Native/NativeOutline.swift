import CLlama
import CarbocationLocalLLM

/// Sole owner of a model without memory for its weights, which says what contexts would take.
// `@unchecked` because one piece of native work at a time uses it, as its owner sees to.
final class NativeOutline: @unchecked Sendable {
    private let raw: OpaquePointer
    /// Tokens the model was trained on; 0 when the file does not say.
    let trainingContext: Int
    /// Set once it is freed.
    let freed = OneShot<Void>()

    /// Reads the GGUF file at `path` as a ``NativeModel`` does with the same arguments, without its weights.
    ///
    /// Blocks, but not for long: a header and a vocabulary are read.
    init(path: String, gpuLayers: Int32, usesMemoryMap: Bool, predicts: Bool) throws {
        NativeLog.install
        var params = cl_model_params()
        params.gpu_layers = gpuLayers
        params.use_mmap = usesMemoryMap
        params.predicts = predicts
        var opened: OpaquePointer?
        try check(cl_outline_load(path, &params, &opened)) { .modelLoadFailed($0) }
        guard let opened else { throw LLMEngineError.modelLoadFailed("llama.cpp returned no model.") }
        raw = opened
        trainingContext = Int(cl_outline_training_context(opened))
    }

    deinit {
        nonisolated(unsafe) let raw = raw
        NativeRelease.begin(freed) { cl_outline_free(raw) }
    }

    /// What the weights and a context with these settings would take on each device, the host first.
    ///
    /// Throws as the initialiser of ``NativeContext`` does.
    func memory(for settings: ContextSettings) throws -> [DeviceMemory] {
        var params = cl_context_params(settings)
        return try DeviceMemory.list { devices, capacity, count in
            try NativeContext.requireContext(cl_outline_measure(raw, &params, devices, capacity, &count))
        }
    }
}

extension NativeContext {
    /// What the weights and this context do take on each device, the host first.
    ///
    /// The weights of a mapped file count as its mapping, with the parts that were copied into another layout.
    func memory() throws -> [DeviceMemory] {
        try DeviceMemory.list { devices, capacity, count in
            try check(cl_context_measure(raw, devices, capacity, &count)) { .contextInitFailed($0) }
        }
    }
}

extension DeviceMemory {
    /// Most devices of one machine; what is beyond is not looked at.
    private static let mostDevices = 64

    fileprivate static func list(
        _ write: (UnsafeMutablePointer<cl_device_memory>?, Int, inout Int) throws -> Void
    ) throws -> [DeviceMemory] {
        var count = 0
        return try withUnsafeTemporaryAllocation(of: cl_device_memory.self, capacity: mostDevices) { buffer in
            try write(buffer.baseAddress, buffer.count, &count)
            return buffer.prefix(count).map(DeviceMemory.init)
        }
    }

    private init(_ native: cl_device_memory) {
        let kind: Kind =
            switch native.kind {
            case CL_DEVICE_HOST: .host
            case CL_DEVICE_GPU: .gpu
            default: .other
            }
        self.init(
            name: String(cString: native.name), kind: kind, totalBytes: native.total, freeBytes: native.free,
            modelBytes: native.model, contextBytes: native.context, computeBytes: native.compute,
            largestTensorBytes: native.largest_tensor,
            maximumBufferBytes: native.maximum_buffer > 0 ? native.maximum_buffer : nil)
    }
}
