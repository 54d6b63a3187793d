/// What a model and its context take on one device, in bytes.
package struct DeviceMemory: Sendable, Hashable {
    /// What kind of memory it is.
    package enum Kind: String, Sendable, Hashable {
        /// The main memory, where processors compute.
        case host
        case gpu
        case other
    }

    /// llama.cpp's name of the device.
    package var name: String
    package var kind: Kind
    /// What the device says about itself; 0 when it says nothing.
    package var totalBytes: UInt64
    package var freeBytes: UInt64
    /// The weights, as they lie in memory.
    package var modelBytes: UInt64
    /// The KV cache and other state.
    package var contextBytes: UInt64
    /// Buffers to compute in.
    package var computeBytes: UInt64
    /// The largest tensor of weights and KV cache, which lies in one piece; 0 when it is not known.
    package var largestTensorBytes: UInt64
    /// The largest piece that the device gives; nil for any size.
    package var maximumBufferBytes: UInt64?

    package init(
        name: String, kind: Kind, totalBytes: UInt64 = 0, freeBytes: UInt64 = 0, modelBytes: UInt64 = 0,
        contextBytes: UInt64 = 0, computeBytes: UInt64 = 0, largestTensorBytes: UInt64 = 0,
        maximumBufferBytes: UInt64? = nil
    ) {
        self.name = name
        self.kind = kind
        self.totalBytes = totalBytes
        self.freeBytes = freeBytes
        self.modelBytes = modelBytes
        self.contextBytes = contextBytes
        self.computeBytes = computeBytes
        self.largestTensorBytes = largestTensorBytes
        self.maximumBufferBytes = maximumBufferBytes
    }
}

extension DeviceMemory {
    /// Adds what another model and its context take on the same device.
    mutating func add(_ other: DeviceMemory) {
        modelBytes += other.modelBytes
        contextBytes += other.contextBytes
        computeBytes += other.computeBytes
        largestTensorBytes = max(largestTensorBytes, other.largestTensorBytes)
    }
}

extension [DeviceMemory] {
    /// Adds what another model and its context take, device by device.
    mutating func add(_ others: [DeviceMemory]) {
        for other in others {
            if let index = firstIndex(where: { $0.name == other.name }) {
                self[index].add(other)
            } else {
                append(other)
            }
        }
    }
}
