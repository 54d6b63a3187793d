/// What a line in a chat asks for.
enum ChatInstruction: Sendable, Hashable {
    /// A turn for the model.
    case say(String)
    case nothing
    case reset, stats, help, quit
    case save(path: String)
    case load(path: String)
    case system(String)
    case think(Bool)
    /// A command that cannot be followed, and why.
    case mistake(String)

    private enum Name: String, CaseIterable {
        case reset, save, load, system, think, stats, help, quit
    }

    init(_ line: String) {
        if line.allSatisfy(\.isWhitespace) {
            self = .nothing
        } else if line.hasPrefix("//") {
            self = .say(String(line.dropFirst()))
        } else if line.hasPrefix("/") {
            self = Self.command(line.dropFirst())
        } else {
            self = .say(line)
        }
    }

    private static func command(_ text: Substring) -> ChatInstruction {
        let name = text.prefix { !$0.isWhitespace }
        let argument = Self.trimmed(text.dropFirst(name.count))
        guard let command = Name(rawValue: String(name)) else { return unknown(String(name)) }
        switch command {
        case .reset: return argument.isEmpty ? .reset : needless(command)
        case .stats: return argument.isEmpty ? .stats : needless(command)
        case .help: return argument.isEmpty ? .help : needless(command)
        case .quit: return argument.isEmpty ? .quit : needless(command)
        case .save: return argument.isEmpty ? .mistake("/save needs the name of a file") : .save(path: argument)
        case .load: return argument.isEmpty ? .mistake("/load needs the name of a file") : .load(path: argument)
        case .system: return argument.isEmpty ? .mistake("/system needs a text") : .system(argument)
        case .think: return think(argument)
        }
    }

    private static func think(_ argument: String) -> ChatInstruction {
        switch argument {
        case "on": .think(true)
        case "off": .think(false)
        default: .mistake("/think needs 'on' or 'off'")
        }
    }

    private static func needless(_ name: Name) -> ChatInstruction {
        .mistake("/\(name.rawValue) takes nothing behind it")
    }

    private static func unknown(_ name: String) -> ChatInstruction {
        let shown = PlainText.clean(String(name.prefix(40)))
        let nearest = NearestName.of(name.count > 40 ? shown : name, among: Name.allCases.map(\.rawValue))
        let guess = nearest.map { ", did you mean /\($0)?" } ?? ";"
        return .mistake(
            "there is no command /\(shown)\(guess) /help lists them, and // sends a line that begins with /")
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// The text of `/help`.
    static let helpText = """
        /reset        forget all turns
        /save FILE    save the conversation
        /load FILE    go on with a saved conversation
        /system TEXT  begin a new conversation with this system text
        /think on     let the model think first, if it can; /think off ends that
        /stats        figures of the last turn
        /quit         leave, as Ctrl-D does
        //TEXT        send a line that begins with /
        Ctrl-C stops an answer, and leaves when none is being given.

        """
}
