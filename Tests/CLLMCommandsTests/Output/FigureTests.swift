import Testing

@testable import CLLMCommands

@Suite struct FigureTests {
    @Test(
        "sizes have two or three figures",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9950, "10 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (3_500_000_000, "3.5 GB"), (16_900_000_000, "17 GB"), (.max, "9.2 EB"),
        ] as [(Int64, String)])
    func bytes(count: Int64, text: String) {
        #expect(Figure.bytes(count) == text)
    }

    @Test(
        "times are minutes and seconds, with hours where there are some",
        arguments: [(0, "0:00"), (5, "0:05"), (65, "1:05"), (3599, "59:59"), (3600, "1:00:00"), (360_061, "100:01:01")])
    func clock(seconds: Int, text: String) {
        #expect(Figure.clock(seconds) == text)
    }
}
