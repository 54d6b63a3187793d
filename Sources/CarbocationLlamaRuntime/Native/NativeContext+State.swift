import CLlama

extension NativeContext {
    func saveState(of sequence: Int32) -> [UInt8]? {
        let size = cl_state_size(raw, sequence)
        guard size > 0 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = buffer.baseAddress.map { cl_state_save(raw, sequence, $0, size) } ?? 0
        }
        return bytes.count == size ? bytes : nil
    }

    func restoreState(_ bytes: [UInt8], of sequence: Int32, count: Int) -> Bool {
        guard let count = Int32(exactly: count) else { return false }
        return bytes.withUnsafeBytes { buffer in
            guard let address = buffer.baseAddress else { return false }
            return cl_state_restore(raw, sequence, address, buffer.count, count)
        }
    }
}
