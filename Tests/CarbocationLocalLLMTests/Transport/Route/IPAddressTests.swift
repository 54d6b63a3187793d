import CarbocationLocalLLM
import Testing

@Suite("IPAddress")
struct IPAddressTests {
    @Test(
        "addresses are read and written",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("1.2.3.4", "1.2.3.4"), ("::", "::"),
            ("::1", "::1"),
            ("1::", "1::"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("0:1:0:0:0:1:0:0", "0:1::1:0:0"),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("::ffff:1.2.3.4", "::ffff:102:304"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("fe80::a:0", "fe80::a:0"),
        ])
    func text(given: String, written: String) {
        #expect(IPAddress(given)?.text == written)
        #expect(IPAddress(written) == IPAddress(given))
    }

    @Test(
        "other spellings are none",
        arguments: [
            "", "1", "127.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.04", "0x1.2.3.4", "256.1.1.1", "1.2.3.-4",
            "1.2.3.+4", "1.2.3.4 ", " 1.2.3.4",
            "1..2.3", "1.2.3.", "a", ":", ":::", "1::2::3", "fe80::1%eth0", "[::1]", "1.2.3.٤", "::g", "12345::",
            "::1.2.3", "1:2:3:4:5:6:7:8:9",
        ])
    func invalid(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "BT-6: blocks of the internet and others",
        arguments: [
            ("8.8.8.8", true), ("172.15.255.255", true), ("172.32.0.1", true), ("100.63.255.255", true),
            ("100.128.0.0", true), ("11.0.0.0", true),
            ("9.255.255.255", true), ("126.255.255.255", true), ("128.0.0.0", true), ("169.253.255.255", true),
            ("169.255.0.0", true), ("192.167.255.255", true),
            ("192.169.0.0", true), ("223.255.255.255", true), ("198.17.255.255", true), ("198.20.0.0", true),
            ("1.0.0.0", true),
            ("10.0.0.0", false), ("10.255.255.255", false), ("172.16.0.0", false), ("172.31.255.255", false),
            ("192.168.0.0", false), ("127.0.0.1", false),
            ("100.64.0.0", false), ("100.127.255.255", false), ("169.254.0.0", false), ("168.63.129.16", false),
            ("168.63.129.17", true), ("0.0.0.0", false),
            ("0.255.255.255", false), ("224.0.0.0", false),
            ("255.255.255.255", false), ("240.0.0.0", false), ("192.0.0.1", false), ("192.0.2.9", false),
            ("198.19.255.255", false), ("203.0.113.9", false),
            ("2606:4700::1", true), ("2a00::1", true), ("::ffff:8.8.8.8", true), ("64:ff9b::808:808", true),
            ("2002:808:808::1", true),
            ("::", false), ("::1", false), ("::8.8.8.8", false), ("::ffff:10.0.0.1", false),
            ("::ffff:0:10.0.0.1", false), ("64:ff9b::a00:1", false),
            ("64:ff9b:1::1", false), ("2002:a00:1::", false), ("2001::1", false), ("2001:1ff:ffff::", false),
            ("2001:200::", true), ("2001:db8::1", false),
            ("3fff:fff::1", false), ("3fff:1000::1", true), ("fc00::1", false), ("fdff::1", false), ("fe80::1", false),
            ("fec0::1", false), ("ff02::1", false),
            ("4000::", false), ("1fff::", false), ("100::1", false), ("5f00::1", false),
        ])
    func reach(text: String, isPublic: Bool) {
        #expect(IPAddress(text)?.isPublic == isPublic)
    }
}
