/// What can be made of generated content.
@available(macOS 26.0, iOS 26.0, *)
public protocol ConvertibleFromGeneratedContent: SendableMetatype {
    /// Creates the value of content.
    init(_ content: GeneratedContent) throws
}

/// What a session can generate.
@available(macOS 26.0, iOS 26.0, *)
public protocol Generable: ConvertibleFromGeneratedContent {
    /// The value while it is generated.
    associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self
}

@available(macOS 26.0, iOS 26.0, *)
extension String: Generable {
    /// The text of content.
    public init(_ content: GeneratedContent) {
        self = content.text
    }
}

@available(macOS 26.0, iOS 26.0, *)
extension Bool: Generable {
    /// The truth value of content.
    public init(_ content: GeneratedContent) {
        self = content.text == "true"
    }
}

@available(macOS 26.0, iOS 26.0, *)
extension Int: Generable {
    /// The number of content; 0 for others.
    public init(_ content: GeneratedContent) {
        self = Int(content.text) ?? 0
    }
}

@available(macOS 26.0, iOS 26.0, *)
extension Double: Generable {
    /// The number of content; 0 for others.
    public init(_ content: GeneratedContent) {
        self = Double(content.text) ?? 0
    }
}
