public import Foundation

/// A LoRA adapter that changes what a model computes.
public struct LlamaAdapter: Sendable, Hashable {
    /// The adapter's GGUF file, made for the architecture and the sizes of the model.
    public var url: URL
    /// How strongly the adapter counts: 1 as it was trained, 0 not at all; a finite number.
    public var scale: Float

    /// Names the adapter in the file at `url`.
    public init(url: URL, scale: Float = 1) {
        self.url = url
        self.scale = scale
    }
}
