import ShopText
import StoreModel
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
        #expect(Strings.english.roughly(seconds: seconds) == text)
    }

    @Test(
        "a short time is in the language of the words",
        arguments: [(20, "20秒"), (300, "5分"), (10_800, "3時間"), (2_332_800, "27日")])
    func roughlyInJapanese(seconds: Int64, text: String) {
        #expect(Strings(locale: "ja_JP").roughly(seconds: seconds) == text)
    }

    @Test("a day and a time, and a territory, are joined as the language does it")
    func joined() {
        let formatters = LocalizedFormatters(timeZone: "UTC")
        let now = Timestamp(milliseconds: 1_797_840_000_000)
        for (locale, wanted, territory) in [
            ("en_US", "Dec 21, 00:00:00", "Japan, JPY"), ("ja_JP", "12月21日 00:00:00", "日本、JPY"),
        ] {
            var strings = Strings(locale: locale, formatters: formatters)
            strings.now = now
            #expect(strings.instant(now).hasPrefix(wanted.prefix(6)))
            #expect(strings.instant(now).contains(", ") == (locale == "en_US"))
            #expect(strings.territory("JPN", currency: nil) == territory)
        }
    }

    @Test(
        "an offer that is paid up front says for how long, without a one before the unit",
        arguments: [
            ("en_US", 1, "$9.99 for the first year"), ("en_US", 2, "$9.99 for the first 2 years"),
            ("ja_JP", 1, "最初の1年は"), ("ja_JP", 2, "最初の2年は"),
        ])
    func paidUpFront(locale: String, count: Int, text: String) {
        let offer = Offer(
            kind: .introductory, mode: .payUpFront,
            period: SubscriptionPeriod(unit: .year, value: count),
            price: Money(milliunits: 9_990, currency: "USD"))
        let written = Strings(locale: locale).first(of: offer, locale: "en_US")
        #expect(written.hasPrefix(text), "\(written)")
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

    @Test("a rate; one that rounds to nothing is not shown")
    func rates() {
        #expect(Measures.rate(210_000) == "210 kB/s" && Measures.rate(1) == "1 B/s")
        #expect(Measures.rate(0.4) == nil && Measures.rate(0) == nil && Measures.rate(.nan) == nil)
        #expect(Measures.rate(.infinity) == Measures.rate(1e18))
    }

    @Test(
        "a share in percent, with one decimal below ten",
        arguments: [
            (0, "0%"), (0.041, "4.1%"), (0.0999, "9.9%"), (0.41, "41%"), (1, "100%"), (7, "100%"),
        ])
    func percent(share: Double, text: String) { #expect(Measures.percent(share) == text) }
}
