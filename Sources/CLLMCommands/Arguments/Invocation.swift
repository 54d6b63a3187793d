/// What a command line asks for.
enum Invocation: Sendable {
    case help(String)
    case version
    case command(any Command, GlobalOptions)
}
