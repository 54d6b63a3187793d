public import Foundation

extension LLMLoadWebpageTool {
    /// The limits of the tool.
    ///
    /// Limits that are too small to be of use are raised to the least ones.
    public struct Configuration: Sendable, Hashable {
        /// Seconds that a page may take from the first request to its last byte, with all redirects; at least 1.
        public var timeout: TimeInterval {
            didSet { timeout = Self.bounded(timeout) }
        }

        /// How many bytes of a page are read, counted after decompression; at least 1024.
        public var maximumBytes: Int {
            didSet { maximumBytes = max(maximumBytes, Self.leastBytes) }
        }

        /// How many characters of a page's text are given back; at least 1000.
        public var maximumOutputCharacters: Int {
            didSet { maximumOutputCharacters = max(maximumOutputCharacters, Self.leastCharacters) }
        }

        /// How many redirects are followed; at least 0.
        public var maximumRedirects: Int {
            didSet { maximumRedirects = max(maximumRedirects, 0) }
        }

        /// The ports that may be asked, nil for all.
        public var allowedPorts: Set<Int>?

        /// Whether hosts of this machine and of private networks may be asked, which only tests should need.
        public var allowsPrivateAddresses: Bool

        private static let leastTimeout: TimeInterval = 1
        private static let greatestTimeout: TimeInterval = 86_400
        private static let leastBytes = 1_024
        private static let leastCharacters = 1_000

        /// Makes limits.
        ///
        /// - Parameters:
        ///   - timeout: Seconds that a page may take, from 1 to a day.
        ///   - maximumBytes: How many bytes of a page are read, at least 1024.
        ///   - maximumOutputCharacters: How many characters of text are given back, at least 1000.
        ///   - maximumRedirects: How many redirects are followed.
        ///   - allowedPorts: The ports that may be asked, nil for all.
        ///   - allowsPrivateAddresses: Whether hosts of this machine and of private networks may be asked.
        public init(
            timeout: TimeInterval = 15, maximumBytes: Int = 1_000_000, maximumOutputCharacters: Int = 20_000,
            maximumRedirects: Int = 5, allowedPorts: Set<Int>? = [80, 443, 8080, 8443],
            allowsPrivateAddresses: Bool = false
        ) {
            self.timeout = Self.bounded(timeout)
            self.maximumBytes = max(maximumBytes, Self.leastBytes)
            self.maximumOutputCharacters = max(maximumOutputCharacters, Self.leastCharacters)
            self.maximumRedirects = max(maximumRedirects, 0)
            self.allowedPorts = allowedPorts
            self.allowsPrivateAddresses = allowsPrivateAddresses
        }

        private static func bounded(_ timeout: TimeInterval) -> TimeInterval {
            timeout > leastTimeout ? min(timeout, greatestTimeout) : leastTimeout
        }
    }
}
