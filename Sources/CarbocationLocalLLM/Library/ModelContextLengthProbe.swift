public import Foundation

/// Finds the training context of a model file whose header does not state it; nil when it cannot be found.
///
/// Called on a thread of the library's own, where it may block.
public typealias ModelContextLengthProbe = @Sendable (URL) -> Int?
