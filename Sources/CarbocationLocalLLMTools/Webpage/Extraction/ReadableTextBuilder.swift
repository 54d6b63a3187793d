/// Puts the title and the text of a page together from what its parser meets.
///
/// Used by one thread at a time.
final class ReadableTextBuilder {
    private(set) var title = TextCollapser()
    private(set) var text = TextCollapser()

    /// How many elements are open.
    private(set) var depth = 0

    /// The depths at which elements began that decide about what is in them.
    private var droppedDepth: Int?
    private var titleDepth: Int?
    private var preformattedDepth: Int?

    private var hasTitle = false

    /// How many scalars are enough; more are not collected.
    private let scalarLimit: Int

    init(scalarLimit: Int) {
        self.scalarLimit = scalarLimit
    }

    /// Whether nothing that follows could be given back.
    var isFull: Bool { text.scalarCount > scalarLimit }

    /// An element begins.
    ///
    /// - Parameters:
    ///   - name: In small letters.
    ///   - isHidden: Whether it is not to be seen, nor what is in it.
    func begin(_ name: String, isHidden: Bool) {
        depth += 1
        guard droppedDepth == nil else { return }
        separate(name)
        if isHidden || MarkupElement.dropped.contains(name) {
            droppedDepth = depth
        } else if name == "title", titleDepth == nil {
            if hasTitle { droppedDepth = depth } else { titleDepth = depth }
        } else if preformattedDepth == nil, MarkupElement.preformatted.contains(name) {
            preformattedDepth = depth
        }
    }

    /// The innermost element ends.
    func end(_ name: String) {
        if droppedDepth == depth { droppedDepth = nil }
        if titleDepth == depth {
            titleDepth = nil
            hasTitle = true
        }
        if preformattedDepth == depth { preformattedDepth = nil }
        depth = max(depth - 1, 0)
        if droppedDepth == nil { separate(name) }
    }

    /// Text within the innermost element.
    func append(_ characters: UnsafeBufferPointer<UInt8>) {
        guard droppedDepth == nil else { return }
        if titleDepth != nil {
            if title.scalarCount <= scalarLimit { title.append(characters) }
        } else if !isFull {
            text.append(characters, isPreformatted: preformattedDepth != nil)
        }
    }

    private func separate(_ name: String) {
        guard titleDepth == nil else { return }
        if name == "br" || MarkupElement.blocks.contains(name) {
            text.breakLine()
        } else if MarkupElement.cells.contains(name) {
            text.breakCell()
        } else if MarkupElement.boxes.contains(name) {
            text.breakWord()
        }
    }
}
