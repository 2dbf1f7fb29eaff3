import StoreModel
import Testing

@Suite struct SubscriptionPeriodTests {
    @Test(
        "a length is a duration, in the largest unit that holds it",
        arguments: [
            ("P1D", "P1D"), ("P3D", "P3D"), ("P7D", "P1W"), ("P07D", "P1W"), ("P14D", "P2W"),
            ("P1W1D", "P8D"), ("P30D", "P30D"), ("P1W", "P1W"), ("P4W", "P4W"), ("P3M", "P3M"),
            ("P12M", "P1Y"), ("P24M", "P2Y"), ("P1Y6M", "P18M"), ("P0Y1M", "P1M"), ("P10Y", "P10Y"),
            ("P999999999Y", "P999999999Y"),
        ])
    func read(text: String, canonical: String) {
        #expect(SubscriptionPeriod(iso8601: text)?.iso8601 == canonical)
    }

    @Test(
        "a text that is no length of one unit is refused",
        arguments: [
            "", "P", "P1", "1M", "P+7D", "P-7D", "P0D", "P1M1D", "PT1H", "P1DT1H", "P 7D", "p7d",
            "P1D1W", "P9999999999D", "P1.5M", "P7D ",
        ])
    func refused(text: String) {
        #expect(SubscriptionPeriod(iso8601: text) == nil)
    }
}
