import StoreDevice
import StoreModel
import Testing

@Suite struct NameRuleTests {
    @Test(
        "a plain name is accepted",
        arguments: ["aoi", "phone-2", "kai@example.com", "A.b_c+d", "_x", "7"])
    func aPlainNameIsPossible(_ name: String) throws {
        try NameRule.check(name, for: "device")
    }

    @Test(
        "a name that is not a plain file name is refused",
        arguments: [
            "", ".", "..", "a/b", "-x", ".hidden", "a b", "\u{1B}[2J", "é", "+x", "@x", "x.",
        ])
    func anotherNameIsRefusedNamingIt(_ name: String) {
        #expect(throws: StoreError.self) { try NameRule.check(name, for: "device") }
    }
}
