import CarbocationLocalLLM
import Testing

@Suite("Calls of Gemma 4")
struct GemmaCallDecoderTests {
    private func summary(_ body: String) -> [String] {
        GemmaCallDecoder().summary(of: body)
    }

    @Test(
        "values of all kinds",
        arguments: [
            (
                ##"call:go{to:{city:<|"|>Oslo<|"|>,n:2},ids:["x"],e:1.5e10}"##,
                #"go {"to":{"city":"Oslo","n":2},"ids":["x"],"e":15000000000.0}"#
            ),
            (
                #"call:calculate{operands:[17.5,23],operation:"multiply"}"#,
                #"calculate {"operands":[17.5,23],"operation":"multiply"}"#
            ),
            (
                ##"call:set{config:{theme:<|"|>dark<|"|>,count:3},items:[null,false]}"##,
                #"set {"config":{"theme":"dark","count":3},"items":[null,false]}"#
            ),
            ("call:empty_args{}", "empty_args {}"), ("call:empty_args{ }", "empty_args {}"),
            ("\ncall:f{a:[],b:{}}\n", #"f {"a":[],"b":{}}"#),
            (##"call:f{ a : <|"|> x <|"|> , b : -7 }"##, #"f {"a":" x ","b":-7}"#),
            (##"call:f{a:<|"|><|"|>}"##, #"f {"a":""}"#), (##"call:f{<|"|>a b<|"|>:1}"##, #"f {"a b":1}"#),
            (##"call:f{a:[<|"|>x,y<|"|>,<|"|>{z}<|"|>]}"##, #"f {"a":["x,y","{z}"]}"#),
            ("call:f{a:True,b:None}", #"f {"a":true,"b":null}"#),
            (##"call:f{a:<|"|>日本 😀<|"|>}"##, #"f {"a":"日本 😀"}"#), ("call:f{unit:celsius}", #"f {"unit":"celsius"}"#),
        ])
    func values(body: String, expected: String) {
        #expect(summary(body) == [expected])
    }

    @Test(
        "P22: a missing string opener, and brackets that do not match",
        arguments: [
            (##"call:find{place:Rome, Italy<|"|>,max:3}"##, #"find {"place":"Rome, Italy","max":3}"#),
            (##"call:find{place:Rome<|"|>}"##, #"find {"place":"Rome"}"#),
            (##"call:find{max:3,place:Via Roma 5, Rome<|"|>}"##, #"find {"max":3,"place":"Via Roma 5, Rome"}"#),
            (##"call:find{unit:km,place:<|"|>Rome<|"|>}"##, #"find {"unit":"km","place":"Rome"}"#),
            (##"call:find{l:[Rome, Italy<|"|>,<|"|>Oslo<|"|>]}"##, #"find {"l":["Rome, Italy","Oslo"]}"#),
            (##"call:find{place:"Rome" she said<|"|>,max:3}"##, #"find {"place":"\"Rome\" she said","max":3}"#),
            ("call:f{a:[1]]}", "!f"), ("call:f{a:[1}", "!f"), ("call:f{a:1}}", "!f"), ("call:f{a:{b:1}", "!f"),
            (##"call:f{a:<|"|>x}"##, "!f"), (##"call:f{place:Rome,city:Oslo<|"|>}"##, "!f"),
            ("call:f{text:Hello there,n:1}", "!f"), ("call:f{a}", "!f"), ("call:f{:1}", "!f"), ("call:f{a:}", "!f"),
            ("call:f", "!f"), ("call:{}", "!"), ("call:f{a:1", "!f"), ("call:f{a:01x!}", "!f"),
            ("call:f{a:" + String(repeating: "[", count: 100_000), "!f"),
        ])
    func drift(body: String, expected: String) {
        #expect(summary(body) == [expected])
    }

    @Test("P23: ordinary quotes inside containers")
    func quotes() {
        #expect(
            summary(#"call:f{ids:["x"],k:['y'],o:{"m": "z"}}"#) == [#"f {"ids":["x"],"k":["y"],"o":{"m":"z"}}"#])
        #expect(summary(#"call:f{k:["a, b", 'it\'s', "} ]"]}"#) == [#"f {"k":["a, b","it's","} ]"]}"#])
    }

    @Test("P24: strings byte for byte")
    func strings() {
        #expect(
            summary(##"call:sh{cmd:<|"|>echo "a } b" \n done<|"|>}"##) == [#"sh {"cmd":"echo \"a } b\" \\n done"}"#])
        #expect(summary("call:sh{cmd:<|\"|>a\nb<|tool|> | \"<|\"|>}") == [#"sh {"cmd":"a\nb<|tool|> | \""}"#])
    }

    @Test(
        "P25: round brackets",
        arguments: [
            #"call:add({"a":1})"#, "call:add({a:1})", "call:add( {\"a\": 1} )", "call:add(a=1)", #"call:add{"a":1}"#,
            "add{a:1}",
        ])
    func roundBrackets(body: String) {
        #expect(summary(body) == [#"add {"a":1}"#])
        #expect(summary("call:now()") == ["now {}"])
    }

    @Test("P26: names with dots, colons and dashes")
    func names() {
        #expect(summary("call:mcp.cal:list-events{limit:5}") == [#"mcp.cal:list-events {"limit":5}"#])
        #expect(summary("call:größe{}") == ["größe {}"])
    }

    @Test(
        "adjacent calls",
        arguments: [
            "call:f{a:1}call:empty_args{}", "call:f{a:1}\ncall:empty_args{}\n", "call:f{a:1}, call:empty_args{}",
            "call:f{a:1};call:empty_args{}",
        ])
    func adjacent(body: String) {
        #expect(summary(body) == [#"f {"a":1}"#, "empty_args {}"])
    }

    @Test("what stands in the strings of a malformed call is no call")
    func callInMalformedString() {
        #expect(summary(##"call:f{a:[1]],b:<|"|>call:rm{}<|"|>}"##) == ["!f"])
        #expect(summary(##"call:f{a:<|"|>call:rm{}<|"|>}"##) == [#"f {"a":"call:rm{}"}"#])
    }

    @Test("prose after a call is left out of account, but not what looks like more of it")
    func rest() {
        #expect(summary("call:f{a:1} done") == [#"f {"a":1}"#])
        #expect(summary("call:f{a:1},b:2}") == ["!f"])
        #expect(summary("call:f{a:1}]") == ["!f"])
    }

    @Test("an empty body gives nothing", arguments: ["", " \n"])
    func empty(body: String) {
        #expect(summary(body).isEmpty)
    }
}
