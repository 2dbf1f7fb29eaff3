@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite("an account's small values: what is recorded and what is refused")
struct ValueRulesTests {
    private static let keys = Dictionary(
        uniqueKeysWithValues: (1...AccountValue.countMax).map { ("\($0)", "x") })
    private static let full = ["whole": String(repeating: "x", count: AccountValue.bytesMax)]

    private static func decide(
        _ key: String, _ value: String?, in values: [String: String]
    ) -> Decided<Void> {
        var bench = Bench()
        bench.snapshot.values["aoi"] = values
        return bench.decide(
            SetValue(change: AccountValue(key: key, value: value), customer: Bench.aoi))
    }

    @Test(
        "limits of the account and of a key; a removal always fits [A16]",
        arguments: [
            ("theme", "sepia", [:], nil),
            ("theme", "", [:], nil),
            (String(repeating: "k", count: 64), "x", [:], nil),
            (String(repeating: "k", count: 65), "x", [:], .invalidName),
            // Three bytes each.
            (String(repeating: "鍵", count: 22), "x", [:], .invalidName),
            ("", "x", [:], .invalidName),
            ("", nil, [:], .invalidName),
            ("1", "y", keys, nil),
            ("one more", "y", keys, .valuesFull),
            ("1", nil, keys, nil),
            ("whole", "short", full, nil),
            ("more", "", full, nil),
            ("more", "x", full, .valuesFull),
            ("whole", nil, full, nil),
        ] as [(String, String?, [String: String], StoreError.Code?)])
    func limits(
        key: String, value: String?, values: [String: String], refusal: StoreError.Code?
    ) {
        let decided = Self.decide(key, value, in: values)
        #expect(decided.refusal?.code == refusal)
        guard refusal == nil else { return }
        #expect(decided.facts == [.valueChanged(AccountValue(key: key, value: value))])
    }

    @Test("a value that is the same already is not recorded again")
    func same() {
        #expect(Self.decide("theme", "sepia", in: ["theme": "sepia"]).facts.isEmpty)
        #expect(Self.decide("theme", nil, in: [:]).facts.isEmpty)
        #expect(Self.decide("theme", nil, in: [:]).refusal == nil)
    }
}
