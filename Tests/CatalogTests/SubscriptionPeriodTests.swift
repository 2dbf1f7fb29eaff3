import StoreModel
import Testing

@Suite struct SubscriptionPeriodTests {
    @Test("a period is read as it is written", arguments: ["P7D", "P1W", "P3M", "P10Y"])
    func read(text: String) {
        #expect(SubscriptionPeriod(iso8601: text)?.iso8601 == text)
    }

    @Test(
        "a text that is no period of one unit is refused",
        arguments: [
            "", "P", "P1", "1M", "P+7D", "P-7D", "P07D", "P0D", "P1M1D", "PT1H", "P 7D", "p7d",
        ])
    func refused(text: String) {
        #expect(SubscriptionPeriod(iso8601: text) == nil)
    }
}
