import ShopText
import Testing

@Suite("times and sizes in numbers")
struct MeasuresTests {
    @Test(
        "a time in minutes and seconds, rounded up",
        arguments: [(0, "0:00"), (6.2, "0:07"), (67, "1:07"), (3723, "1:02:03"), (-1, "0:00")])
    func clock(seconds: Double, text: String) { #expect(Measures.clock(seconds: seconds) == text) }

    @Test(
        "a time in its largest unit",
        arguments: [(20, "20 s"), (300, "5 min"), (10_800, "3 h"), (172_800, "2 d"), (-5, "0 s")])
    func roughly(seconds: Int64, text: String) {
        #expect(Measures.roughly(seconds: seconds) == text)
    }

    @Test(
        "a size in thousands",
        arguments: [
            (999, "999 B"), (1_900, "1.9 kB"), (1_960, "2.0 kB"), (9_949, "9.9 kB"),
            (9_950, "10 kB"),
            (19_400, "19 kB"), (19_500, "20 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
            (3_240_000, "3.2 MB"), (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"),
            (2_000_000_000, "2.0 GB"), (.max, "9223372036.8 GB"),
        ])
    func bytes(count: Int64, text: String) { #expect(Measures.bytes(count) == text) }

    @Test(
        "a share in percent, with one decimal below ten",
        arguments: [
            (0, "0%"), (0.041, "4.1%"), (0.0999, "9.9%"), (0.41, "41%"), (1, "100%"), (7, "100%"),
        ])
    func percent(share: Double, text: String) { #expect(Measures.percent(share) == text) }
}
