import Basics
import Testing

@Suite("suggestions for mistyped words")
struct SpellingSuggestionTests {
    @Test(
        "the known word nearest to a misspelt one is suggested",
        arguments: [
            ("consumible", "consumable"), ("nonconsumable", "nonConsumable"), ("tpye", "type"),
            ("zzz", nil), ("", nil),
        ])
    func nearestWord(wrong: String, right: String?) {
        let words = ["consumable", "nonConsumable", "type"]
        #expect(SpellingSuggestion.nearest(to: wrong, among: words) == right)
    }
}
