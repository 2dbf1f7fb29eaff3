@testable import Shop
@testable import StoreModel

extension SampleShop {
    /// One trial of each kind of evidence, of which the sample screens see some.
    static let trials = TrialList(
        areas: [
            area("buying", "Buying", "購入"), area("content", "Content", "コンテンツ"),
        ],
        trials: [
            trial(
                "sold", "buying", "A book is bought", "本が購入される", ["buy book.two"],
                ["kind:sold is:nonConsumable"], Trial.Place(product: "book.two")),
            trial(
                "refunded", "buying", "A purchase is refunded", "購入が返金される",
                ["buy book.two", "operator refund 1000001"], ["kind:sold", "kind:refunded"],
                Trial.Place(view: "console")),
            trial(
                "deferred", "buying", "A deferred purchase is approved", "保留された購入が承認される",
                ["operator ask-to-buy on", "buy theme.sepia", "operator approve --all"],
                ["kind:deferred is:askToBuy", "kind:sold"], Trial.Place(palette: "ask-to-buy")),
            trial(
                "downloaded", "content", "Content is downloaded", "コンテンツがダウンロードされる",
                ["buy book.two"], ["is:downloaded"], Trial.Place(view: "library")),
            trial(
                "restored", "content", "Purchases are restored", "購入が復元される", ["restore"],
                ["is:restored"], nil),
        ])

    private static func area(_ id: String, _ english: String, _ japanese: String) -> TrialList.Area
    {
        TrialList.Area(id: id, name: TrialText(["en": english, "ja": japanese]))
    }

    private static func trial(
        _ id: String, _ area: String, _ english: String, _ japanese: String, _ commands: [String],
        _ seen: [String], _ place: Trial.Place?
    ) -> Trial {
        Trial(
            id: id, area: area, title: TrialText(["en": english, "ja": japanese]),
            how: TrialText([
                "en": "Press b on its page, then confirm the payment sheet that opens.",
                "ja": "商品ページで b を押し、開いた支払い画面で確定します。",
            ]), commands: commands, seen: seen, place: place)
    }
}
