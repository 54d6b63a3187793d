/// How this package introduces itself to servers.
package enum PackageUserAgent {
    /// The value of the `User-Agent` header.
    package static let value = "CarbocationLocalLLM/1.0"
}
