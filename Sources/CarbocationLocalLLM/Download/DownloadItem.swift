import Foundation

/// One file to download, with all that is known about it beforehand.
struct DownloadItem: Sendable {
    var url: URL
    var displayName: String
    var token: BearerToken?
    /// 64 lower-case digits, or whatever the caller expects.
    var expectedSHA256: String?
    /// The size, or nil when it is not known.
    var expectedBytes: Int64?
    /// The model that the file belongs to.
    var membership: Membership?

    struct Membership: Sendable {
        var resolution: HuggingFaceResolution
        var setID: String
        var artifact: HuggingFaceResolvedArtifact
    }

    /// A sidecar without anything that a server says.
    var sidecar: DownloadSidecar {
        var sidecar = DownloadSidecar(url: url)
        sidecar.displayName = displayName
        sidecar.sha256 = expectedSHA256
        guard let membership else { return sidecar }
        sidecar.repo = membership.resolution.reference.repo
        sidecar.revision = membership.resolution.reference.revision
        sidecar.commit = membership.resolution.commit
        sidecar.path = membership.artifact.path
        sidecar.role = membership.artifact.role
        sidecar.setID = membership.setID
        sidecar.resolution = membership.resolution
        return sidecar
    }

    /// A request for the bytes from `range.lowerBound` on, up to the upper bound if there is one.
    func request(
        from start: Int64? = nil, to end: Int64? = nil, ifRange: String? = nil, timeout: TimeInterval
    ) -> HTTPRequest {
        var headers: HTTPHeaders = ["User-Agent": PackageUserAgent.value, "Accept-Encoding": "identity"]
        if let token { headers["Authorization"] = token.headerValue }
        if let start {
            headers["Range"] = "bytes=\(start)-\(end.map { String($0 - 1) } ?? "")"
            headers["If-Range"] = ifRange
        }
        return HTTPRequest(url: url, headers: headers, timeout: timeout)
    }
}
