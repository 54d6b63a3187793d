import CLlama

/// The RPC servers of a load, in the form that the native layer takes.
///
/// The texts live as long as this object.
final class NativeServers {
    let servers: [cl_server]
    let limits: cl_server_limits
    private let texts: [UnsafeMutablePointer<CChar>]

    init(_ addresses: [RPCServerAddress], limits: RPCTimeLimits) {
        let texts = addresses.flatMap { [Self.copy($0.name), Self.copy($0.host)] }
        self.texts = texts
        servers = addresses.enumerated().map { index, address in
            cl_server(name: texts[2 * index], host: texts[2 * index + 1], port: address.port)
        }
        self.limits = cl_server_limits(
            connecting: Self.milliseconds(limits.connecting), answering: Self.milliseconds(limits.answering),
            stopping: Self.milliseconds(limits.stopping))
    }

    deinit {
        texts.forEach { $0.deallocate() }
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let characters = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
        for (index, character) in characters.enumerated() { (copy + index).initialize(to: character) }
        return copy
    }

    /// 0, the default, for nil.
    private static func milliseconds(_ duration: Duration?) -> UInt32 {
        duration.map { UInt32(clamping: max(1, Int64($0 / .milliseconds(1)))) } ?? 0
    }
}

extension CancellationSignal {
    /// Asks a signal whether it is set; the context is the signal, which the caller keeps alive.
    static let isSetCallback: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
        guard let context else { return false }
        return Unmanaged<CancellationSignal>.fromOpaque(context).takeUnretainedValue().isSet
    }

    var callbackContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
