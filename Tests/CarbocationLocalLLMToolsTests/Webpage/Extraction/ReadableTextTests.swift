import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Testing

@Suite("Readable text of a page")
struct ReadableTextTests {
    private func read(_ html: String, limit: Int = 20_000) -> (title: String, text: String, truncated: Bool) {
        LLMLoadWebpageTool.extractReadableText(fromHTML: html, maximumCharacters: limit)
    }

    @Test(
        "BT-8: text",
        arguments: [
            (
                "<title>Example Page</title><body>Hello <script>var a = '<b>';</script>Readable text.",
                "Hello Readable text."
            ),
            ("", ""), ("plain", "plain"), ("  a \n\t b\u{a0}\u{3000}c  ", "a b c"),
            ("a<br>b<BR/>c</br>d", "a\nb\nc\nd"),
            ("<p>one</p><p>two</p>", "one\ntwo"), ("<p>one<p>two<div>three", "one\ntwo\nthree"),
            ("one<p>two</p>three", "one\ntwo\nthree"), ("<h1>Head</h1>text", "Head\ntext"),
            ("<b>bo</b>ld <i>it</i>al", "bold ital"), ("a <b> b </b> c", "a b c"),
            ("a<span>b</span><a href=x>c</a>", "abc"),
            ("<ul><li>one<li>two <b>three</b></ul>after", "one\ntwo three\nafter"),
            ("<dl><dt>term<dd>what</dl>", "term\nwhat"), ("<table><tr><td>a<td>b<tr><th>c<th>d</table>", "a\tb\nc\td"),
            ("<button>a</button><button>b</button>", "a b"), ("a<img src=x alt=y>b", "a b"),
            ("<pre>\n  a\n    b  c\n\n\n\nd</pre>e", "  a\n    b  c\n\nd\ne".dropFirst(2).description),
            ("x<pre>a\tb</pre>", "x\na    b"), ("<style>p{}</style>a<STYLE>x</Style >b", "ab"),
            (
                "<noscript>turn <b>on</b></noscript>a<svg><text>s</text></svg>b<canvas>c</canvas><template><p>t</p></template>d",
                "abd"
            ),
            ("<nav><ul><li>Home</ul></nav>a<nav>x</nav>b", "a\nb"),
            ("<header>h</header><main>m</main><footer>f</footer>", "h\nm\nf"),
            ("a<script>b", "a"), ("a<script src='x'/>b", "ab"), ("a<script></scriptx>b</script>c", "ac"),
            ("a<!-- b -->c<!---->d<!-->e<!--->f<!--g--!>h", "acdefh"), ("a<!--b", "a"),
            ("a<!doctype html>b<?php c ?>d<![CDATA[e]]>f", "abdf"),
            ("a</>b</ x>c", "abc"), ("a < b <3 c<", "a < b <3 c<"), ("<textarea><b>x</b></textarea>", "<b>x</b>"),
            ("&lt;b&gt; &amp; &eacute;&#233;&#xE9;&nbsp;&hellip;", "<b> & ééé …"),
            ("AT&T a&b &unknown; &", "AT&T a&b &unknown; &"),
            ("&#146;&#x93;&#128;&#133;", "’“€…"), ("so\u{ad}ft ze\u{200b}ro &shy;x", "soft zero x"),
            ("a\u{0}b\u{1}c\u{c}d", "abc d"),
            ("<div/>a<p/>b", "a\nb"), ("<iframe src=x>fall</iframe>a", "fall a"),
            ("<x-card>a</x-card><my-y>b</my-y>", "ab"),
            ("<html><body>a</body></html>b<p>c", "ab\nc"), ("</div></p></b>a</body>b", "ab"),
            ("<select><option>a<option>b</select>", "a\nb"),
            ("<frameset><frame src=x></frameset><noframes>a</noframes>", "a"),
            ("<head><meta charset=gbk><link rel=x><base href=y></head>a", "a"), ("日本<wbr>語 👨‍👩‍👧", "日本語 👨‍👩‍👧"),
        ] as [(String, String)])
    func text(html: String, text: String) {
        let page = read(html)
        #expect(page.text == text.trimmingPrefix("\n"))
        #expect(!page.truncated)
    }

    @Test(
        "BT-8: what is dropped or hidden ends where its own end is, or that of what is around it",
        arguments: [
            ("<nav><div>Menu</nav><p>Article", "Article"), ("<template><tr><td>x</template><p>Article", "Article"),
            ("<noscript><div><img></noscript><p>Article", "Article"),
            ("<section hidden><div>x</section><p>Article", "Article"),
            ("<div><nav><div>a</nav><article>b</article></div>c", "b\nc"),
            ("<div><nav>menu</div><p>Article", "Article"), ("<div hidden></span>secret</div>b", "b"),
            ("<nav>a<nav>b</nav>c</nav>d", "d"), ("<b hidden><p>secret</p></b>c", "c"),
            ("<div hidden>a</div></div>b", "b"), ("<template></div>x</template>b", "b"), ("a<br hidden>b", "a\nb"),
            (String(repeating: "<div>", count: 300) + "<div hidden></span>secret</div>b", "b"),
        ] as [(String, String)])
    func unbalanced(html: String, text: String) {
        #expect(read(html).text == text)
    }

    @Test("letters that nobody sees are not passed to the model")
    func invisible() {
        #expect(read("Hi\u{E0049}\u{E0067}\u{E006E} a\u{202E}b\u{2066}c\u{200F}d").text == "Hi abcd")
        #expect(read("क्ष न\u{200C}म 👨‍👩‍👧").text == "क्ष न\u{200C}म 👨‍👩‍👧")
    }

    @Test(
        "BT-8: hidden parts",
        arguments: [
            ("a<p hidden>b</p>c", "a\nc"), ("a<span HIDDEN='hidden'>b<i>x</i></span>c", "ac"),
            ("a<i hidden=''>b</i>", "a"),
            ("<p hidden=until-found>a</p>", "a"), ("a<i aria-hidden=true>b</i>", "a"),
            ("a<i aria-hidden=false>b</i>", "ab"),
            ("a<i style='display:none'>b</i>", "a"), ("a<i style='color:red; DISPLAY : None !important'>b</i>", "a"),
            ("a<i style='display:block'>b</i>", "ab"), ("a<i style='x-display:none'>b</i>", "ab"),
            ("<body hidden style='display:none'>a", "a"), ("<div hidden><div>a</div>b</div>c", "c"),
            ("<p hidden>a<p>b", "b"), ("<li hidden>a<li>b", "b"), ("<img hidden>a<br hidden>b", "a\nb"),
            ("<i data-hidden=x>a</i>", "a"), ("<nav hidden><nav>a</nav>b</nav>c", "c"),
        ] as [(String, String)])
    func hidden(html: String, text: String) {
        #expect(read(html).text == text)
    }

    @Test(
        "BT-8: titles",
        arguments: [
            ("<title>Example  Page\n</title>x", "Example Page"), ("<TITLE>a &amp; b</TITLE>", "a & b"), ("x", ""),
            ("<title></title>", ""),
            ("<title>The <b> element</title>", "The <b> element"), ("<title>one</title><title>two</title>", "one"),
            ("<svg><title>icon</title></svg><title>page</title>", "page"), ("<title>no end", "no end"),
            ("<html><head><meta name=x content=y><title lang=en>t</title></head><body>b", "t"),
        ] as [(String, String)])
    func titles(html: String, title: String) {
        #expect(read(html).title == title)
    }

    @Test("BT-8: the title is not part of the text, and is cut if it is long")
    func titleApart() {
        let page = read("<title>" + String(repeating: "t", count: 10_000) + "</title><p>text")
        #expect(page.title.count == 500)
        #expect(page.text == "text")
        #expect(!page.truncated)
    }

    @Test(
        "BT-8: the text is cut at a number of characters",
        arguments: [(-1, ""), (0, ""), (1, "a"), (3, "a b"), (4, "a b\n")])
    func cut(limit: Int, text: String) {
        let page = read("a  b<p>e\u{301}", limit: limit)
        #expect(page.text == text)
        #expect(page.truncated)
        #expect(read("a  b<p>e\u{301}", limit: 5).truncated == false)
        #expect(read("", limit: limit).truncated == false)
    }

    @Test("BT-8: a character of any length does not make the text long")
    func longCharacters() {
        let page = read("a" + String(repeating: "\u{301}", count: 100_000) + "b", limit: 1000)
        #expect(page.text.unicodeScalars.count <= 8000)
        #expect(page.truncated)
    }

    @Test(
        "W09: deep nesting, on a thread of the pool",
        arguments: [
            "div", "i", "p", "table", "span", "ul><li", "x-y", "nav></nav><b", "pre", "title", "select", "font",
        ], [300, 12_000])
    func nesting(element: String, depth: Int) async {
        let name = element.split(separator: "<").last.map(String.init) ?? element
        let html = String(repeating: "<\(element)>", count: depth) + "x" + String(repeating: "</\(name)>", count: depth)
        let page = await Task.detached {
            LLMLoadWebpageTool.extractReadableText(fromHTML: html + "y", maximumCharacters: 1000)
        }.value
        if element != "title" { #expect(page.text.contains("x")) }
        #expect(page.text.contains("y") || element == "title")
        #expect(page.text.count < 10 || element == "title")
    }

    @Test("W09: what is hidden deep within stays hidden", arguments: [10, 255, 256, 300, 5000])
    func deepHidden(depth: Int) {
        let open = String(repeating: "<div>", count: depth)
        let close = String(repeating: "</div>", count: depth)
        let page = read("\(open)a<div hidden>b<p>c</p></div>d<noscript>e</noscript>f<p>g</p>\(close)<p>h")
        #expect(page.text == "a\ndf\ng\nh")
    }

    @Test(
        "W11: odd markup",
        arguments: [
            ("<iframe src=\"x\"\n =\"0\">text", "text"), ("<iframe src=\\\"x\\\"\\n height=\\\"0\\\">text", "text"),
            ("a &", "a &"),
            ("a &#", "a &#"), ("a &#x", "a &#x"), ("a &am", "a &am"), ("<p =>a", "a"), ("<p = = =>a", "a"),
            ("<p a=>b", "b"),
            ("<p a= b=c>d", "d"), ("<p a='b>c' d>e", "e"), ("<p a='b>c", ""), ("<p", ""), ("a<", "a<"), ("a</", "a"),
            ("<", "<"),
            ("<p/=/ a>b", "b"), ("<p\u{0}x>a", "a"), ("<\u{e9}>a", "<é>a"), ("<p é=\u{1F600}>a", "a"),
            ("&#0;&#xD800;&#x110000;&#99999999999;a", "a"),
            ("<p <b>a", "a"), ("<<p>>a", "<\n>a"), ("<a/b/c>d", "d"), ("<p a=\"b\"c=\"d\">e", "e"), ("\u{FEFF}a", "a"),
            ("]]>a", "]]>a"),
        ] as [(String, String)])
    func odd(html: String, text: String) {
        #expect(read(html).text == text)
    }
}
