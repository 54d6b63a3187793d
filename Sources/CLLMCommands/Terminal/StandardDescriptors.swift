#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The descriptors 0, 1 and 2.
package enum StandardDescriptors {
    /// Occupies those that the parent closed.
    ///
    /// Otherwise a file that is opened later takes the place of one and is written to by mistake. Using one of them
    /// still fails.
    package static func occupyClosed() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // The lowest free number is taken, which is this one: those below are open.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
