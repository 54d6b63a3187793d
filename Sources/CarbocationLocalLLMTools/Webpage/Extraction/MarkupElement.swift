/// What the names of elements mean for the text of a page.
enum MarkupElement {
    /// Elements whose contents are not the page's text.
    static let dropped: Set<String> = [
        "script", "style", "noscript", "svg", "canvas", "template", "nav", "datalist", "annotation",
    ]

    /// Elements that end where another begins, without an end tag.
    static let endless: Set<String> = [
        "colgroup", "dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "tbody", "td", "tfoot", "th",
        "thead",
        "tr",
    ]

    /// Elements that begin and end a line.
    static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "dialog", "dir", "div", "dl",
        "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6",
        "header", "hgroup", "hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p",
        "pre",
        "search", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul", "xmp",
    ]

    /// Elements within a line that stand apart from the words beside them.
    static let boxes: Set<String> = [
        "audio", "button", "embed", "iframe", "img", "input", "meter", "object", "progress", "select", "textarea",
        "video",
    ]

    /// Elements of which several stand in one line of a table.
    static let cells: Set<String> = ["td", "th"]

    /// Elements in which white space counts.
    static let preformatted: Set<String> = ["pre", "listing", "xmp"]

    /// Elements that hold nothing.
    static let void: Set<String> = [
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
        "meta", "param", "source", "track", "wbr",
    ]

    /// Elements whose tags say nothing about text, or which a page has once anyway.
    static let passedOver: Set<String> = ["html", "head", "body", "base", "link", "meta", "param", "source", "track"]
}
