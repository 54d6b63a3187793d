/// A tag in the body of a call, by its text alone: whether it is one or part of a value is for the reader to say.
struct CallTag {
    enum Kind {
        case functionOpening, functionClosing, parameterOpening, valueClosing
    }

    let kind: Kind
    /// Where the tag stands; what opens a value is part of it.
    let range: Range<Int>
    /// The name in an opening tag.
    var name = ""
    /// What the tag's attributes say about the value.
    var notation = TaggedArgument.Notation.unspecified
    /// Whether only blanks stand before it in its line.
    let startsLine: Bool
    /// Whether nothing but white space stands between it and a tag that can follow it, or the end.
    var isFollowed = false
    /// Whether it can be a tag where no value is open; else it is part of a value.
    var isStructural = false
}
