package import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// Computes a SHA-256 piece by piece, with the processor's own instructions where it has them.
///
/// Digests are 64 lower-case hexadecimal digits.
///
/// ```swift
/// var hasher = SHA256Hasher()
/// hasher.update(header)
/// hasher.update(body)
/// let digest = hasher.finish()
/// ```
// `@unchecked` because of the pointer to libcrypto's context: this value is its only owner and cannot be copied, so
// whoever holds the value is alone with the context.
package struct SHA256Hasher: ~Copyable, @unchecked Sendable {
    #if canImport(CryptoKit)
        private var function = SHA256()
    #else
        private let context: OpaquePointer
    #endif

    package init() {
        #if !canImport(CryptoKit)
            guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
                preconditionFailure("libcrypto without SHA-256")
            }
            self.context = context
        #endif
    }

    #if !canImport(CryptoKit)
        deinit {
            EVP_MD_CTX_free(context)
        }
    #endif

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            function.update(bufferPointer: bytes)
        #else
            EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Ends the input and gives its digest.
    package consuming func finish() -> String {
        #if canImport(CryptoKit)
            return Self.hexadecimal(Array(function.finalize()))
        #else
            var digest = [UInt8](repeating: 0, count: 32)
            EVP_DigestFinal_ex(context, &digest, nil)
            return Self.hexadecimal(digest)
        #endif
    }

    /// The digest of bytes that are all in memory.
    package static func hash(_ bytes: some ContiguousBytes) -> String {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finish()
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
