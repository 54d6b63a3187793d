/// The memory of a KV cache, from the shape of the model.
///
/// Every layer keeps a row of keys and a row of values for each cell, that is, for each token of context.
package struct KVCacheSize: Sendable, Hashable {
    /// Layers with attention.
    package var layers: UInt64
    /// Elements of a row of keys.
    package var keyWidth: UInt64
    /// Elements of a row of values.
    package var valueWidth: UInt64
    /// How keys are stored.
    package var keyFormat: KVElementFormat
    /// How values are stored.
    package var valueFormat: KVElementFormat
    /// Tokens of context, of all sequences.
    package var cells: UInt64

    package init(
        layers: UInt64, keyWidth: UInt64, valueWidth: UInt64, keyFormat: KVElementFormat = .f16,
        valueFormat: KVElementFormat = .f16, cells: UInt64
    ) {
        self.layers = layers
        self.keyWidth = keyWidth
        self.valueWidth = valueWidth
        self.keyFormat = keyFormat
        self.valueFormat = valueFormat
        self.cells = cells
    }

    /// The whole cache in bytes; the largest number when it does not fit.
    package var totalBytes: UInt64 {
        keyTensorBytes.addingSaturated(valueTensorBytes).multipliedSaturated(by: layers)
    }

    /// The larger of a layer's keys and values in bytes: what no allocation can divide.
    package var largestTensorBytes: UInt64 {
        layers == 0 ? 0 : max(keyTensorBytes, valueTensorBytes)
    }

    private var keyTensorBytes: UInt64 { keyFormat.rowBytes(width: keyWidth).multipliedSaturated(by: cells) }

    private var valueTensorBytes: UInt64 { valueFormat.rowBytes(width: valueWidth).multipliedSaturated(by: cells) }
}

/// How the numbers of a KV cache are stored: one by one, or in blocks with a common scale.
package struct KVElementFormat: Sendable, Hashable {
    /// Elements of a block; at least 1.
    package let blockElements: UInt64
    /// Bytes of a block.
    package let blockBytes: UInt64

    private init(blockElements: UInt64, blockBytes: UInt64) {
        self.blockElements = blockElements
        self.blockBytes = blockBytes
    }

    /// 16-bit floats of either kind.
    package static let f16 = KVElementFormat(blockElements: 1, blockBytes: 2)
    /// 8-bit numbers in blocks of 32.
    package static let q8 = KVElementFormat(blockElements: 32, blockBytes: 34)
    /// 4-bit numbers in blocks of 32.
    package static let q4 = KVElementFormat(blockElements: 32, blockBytes: 18)

    /// The bytes of a row; its last block may be filled in part only.
    func rowBytes(width: UInt64) -> UInt64 {
        let blocks = width / blockElements + (width % blockElements == 0 ? 0 : 1)
        return blocks.multipliedSaturated(by: blockBytes)
    }
}
