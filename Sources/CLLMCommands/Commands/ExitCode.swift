/// What the process tells its parent.
package struct ExitCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let success = ExitCode(rawValue: 0)
    package static let failure = ExitCode(rawValue: 1)
    package static let usage = ExitCode(rawValue: 2)
}
