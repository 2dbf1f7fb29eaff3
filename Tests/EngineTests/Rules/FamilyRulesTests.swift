@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

/// The changes of a family: which accounts may make them, and the error for all others.
@Suite("family rules")
struct FamilyRulesTests {
    /// kai is the organizer, aoi an adult and nia a child; mo and zoe are in no family.
    private static let family: Family = {
        var family = Family(organizer: "kai")
        family.members.append(.init(account: "aoi"))
        family.members.append(.init(account: "nia", role: .child))
        return family
    }()

    private func bench(_ family: Family = family) -> Bench {
        var bench = Bench()
        for member in family.members { bench.snapshot.families[member.account] = family }
        return bench
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var action: FamilyAction
        /// The accounts that get an event, in order; nil if it is refused or changes nothing.
        var told: [AccountName]?
        var refused: StoreError.Code?

        init(
            _ sentence: String, _ action: FamilyAction, told: [AccountName]? = nil,
            refused: StoreError.Code? = nil
        ) {
            testDescription = sentence
            self.action = action
            self.told = told
            self.refused = refused
        }
    }

    static let cases = [
        Case("an account founds a family", .create(organizer: "mo"), told: ["mo"]),
        Case(
            "a member founds no other family", .create(organizer: "aoi"),
            refused: .alreadyInFamily),
        Case(
            "everybody is told who joins", .join("mo", organizer: "kai", role: .adult),
            told: ["kai", "aoi", "nia", "mo"]),
        Case("joining again changes nothing", .join("aoi", organizer: "kai", role: .adult)),
        Case(
            "joining in another role is refused", .join("aoi", organizer: "kai", role: .child),
            refused: .alreadyInFamily),
        Case(
            "only an organizer has a family to join", .join("mo", organizer: "aoi", role: .adult),
            refused: .notOrganizer),
        Case(
            "a stranger has no family to join", .join("mo", organizer: "zoe", role: .adult),
            refused: .notOrganizer),
        Case(
            "nobody joins twice", .join("kai", organizer: "zoe", role: .adult),
            refused: .alreadyInFamily),
        Case("the one who leaves is told too", .leave("nia"), told: ["kai", "aoi", "nia"]),
        Case("with the organizer all leave", .leave("kai"), told: ["kai", "aoi", "nia"]),
        Case("a stranger cannot leave", .leave("mo"), refused: .notInFamily),
        Case("a child becomes an adult", .setRole("nia", .adult), told: ["kai", "aoi", "nia"]),
        Case("a child stays a child", .setRole("nia", .child)),
        Case(
            "an organizer is no child", .setRole("kai", .child), refused: .notForOrganizer),
        Case("a stranger has no role", .setRole("mo", .child), refused: .notInFamily),
        Case("consent is withdrawn for a child", .rescindConsent("nia"), told: ["nia"]),
        Case("an adult needs no consent", .rescindConsent("aoi"), refused: .notAChild),
        Case("nor does an organizer", .rescindConsent("kai"), refused: .notAChild),
        Case("a stranger has no parent", .rescindConsent("mo"), refused: .notInFamily),
        Case(
            "a member stops sharing", .setSharing("aoi", nil, false),
            told: ["kai", "aoi", "nia"]),
        Case("a member who shares goes on", .setSharing("aoi", nil, true)),
        Case(
            "a member keeps a product back", .setSharing("aoi", SampleCatalog.monthly, false),
            told: ["kai", "aoi", "nia"]),
        Case(
            "what no family can share is not shared", .setSharing("aoi", SampleCatalog.theme, true),
            refused: .notShareable),
        Case(
            "a consumable is not shared", .setSharing("aoi", SampleCatalog.coins, true),
            refused: .notShareable),
        Case(
            "an unknown product is not shared", .setSharing("aoi", "test.nothing", true),
            refused: .notShareable),
        Case(
            "a stranger shares nothing", .setSharing("mo", nil, false), refused: .notInFamily),
    ]

    @Test("each change of a family is an event of every account it concerns", arguments: cases)
    func changes(_ example: Case) {
        let verdict = bench().perform(.family(example.action))
        #expect(verdict.refusal?.code == example.refused)
        #expect(verdict.decision?.entries.map(\.account) == example.told?.map { $0 })
        if example.told == nil, example.refused == nil { #expect(verdict.answer == []) }
        for entry in verdict.decision?.entries ?? [] {
            #expect(entry.contradiction == nil)
            guard case .familyChanged(let change) = entry.fact else { continue }
            let isMember = entry.account.flatMap { change.family?.member($0) } != nil
            #expect(isMember == (change.family != nil))
        }
        let streams = Set((example.told ?? []).map { StreamID.account($0) })
        #expect(verdict.decision.map { streams.isSubset(of: Set($0.reads.keys)) } ?? true)
    }

    @Test("a family has six accounts at most")
    func isFull() {
        var family = Self.family
        for name in ["b", "c", "d"] { family.members.append(.init(account: AccountName(name))) }
        let join = OperatorAction.family(.join("mo", organizer: "kai", role: .adult))
        let refusal = bench(family).perform(join).refusal
        #expect(refusal?.code == .familyFull && refusal?.found == "6")
        family.members.removeLast()
        #expect(bench(family).perform(join).refusal == nil)
    }

    /// Accounts, their actions, and the error if one is refused. The number is a request of nia's.
    static let rights: [(AccountName, OperatorAction, StoreError.Code?)] = {
        let request = TransactionID(7)
        let asks: [OperatorAction] = [.approve(request), .decline(request)]
        var rights: [(AccountName, OperatorAction, StoreError.Code?)] = asks.flatMap {
            [("kai", $0, nil), ("aoi", $0, .notOrganizer), ("nia", $0, .notOrganizer)]
                + [("mo", $0, .notOrganizer)]
        }
        rights += [
            ("kai", .family(.leave("nia")), nil), ("aoi", .family(.leave("aoi")), nil),
            // A child that could leave the family by itself could then buy without asking.
            ("nia", .family(.leave("nia")), .notOrganizer),
            ("nia", .family(.setSharing("nia", nil, false)), .notOrganizer),
            ("aoi", .family(.leave("nia")), .notOrganizer),
            ("kai", .family(.setRole("nia", .adult)), nil),
            ("nia", .family(.setRole("nia", .adult)), .notOrganizer),
            ("kai", .family(.rescindConsent("nia")), nil),
            ("aoi", .family(.rescindConsent("nia")), .notOrganizer),
            ("nia", .family(.rescindConsent("nia")), .notOrganizer),
            ("aoi", .family(.setSharing("aoi", nil, false)), nil),
            ("aoi", .family(.setSharing("kai", nil, false)), .notOrganizer),
            ("kai", .family(.join("mo", organizer: "kai", role: .adult)), nil),
            ("aoi", .family(.join("mo", organizer: "kai", role: .adult)), .operatorOnly),
            ("mo", .family(.create(organizer: "mo")), nil),
            ("mo", .family(.create(organizer: "zoe")), .operatorOnly),
            ("kai", .clearFaults, .operatorOnly), ("kai", .clock(.stop), .operatorOnly),
            ("kai", .revoke(TransactionID(3)), .operatorOnly),
            ("kai", .changeAccount(.init(account: "kai", askToBuy: true)), .operatorOnly),
            ("kai", .buyOutside(SampleCatalog.coins, account: "kai", quantity: 1), .operatorOnly),
        ]
        return rights
    }()

    @Test("an organizer answers for its own family, and nobody else does", arguments: rights)
    func authority(
        _ actor: AccountName, _ action: OperatorAction, _ refused: StoreError.Code?
    ) {
        var bench = bench()
        bench.sell(Bench.sold(SampleCatalog.theme, type: .nonConsumable))
        var row = bench.ask(.of(SampleCatalog.theme))
        row.account = "nia"
        bench.snapshot.pending[row.number] = row
        let request = OperatorRequest(action: action, homeTerritory: "USA", actor: actor)
        let refusal = bench.decide(request).refusal
        #expect(refusal?.code == refused)
        // The error names the organizer, who may answer.
        if refused == .notOrganizer { #expect(refusal?.expected == "kai") }
        // The store's operator has the rights of every account.
        if refused != nil {
            let anybody = OperatorRequest(action: action, homeTerritory: "USA")
            #expect(bench.decide(anybody).refusal?.code != refused)
        }
    }

    @Test("an organizer does not answer for the bank")
    func bankAnswersItself() {
        var bench = bench()
        var row = bench.ask(.of(SampleCatalog.theme), reason: .authentication)
        row.account = "nia"
        bench.snapshot.pending[row.number] = row
        let request = OperatorRequest(
            action: .approve(row.number), homeTerritory: "USA", actor: "kai")
        #expect(bench.decide(request).refusal?.code == .notAnswerable)
    }

    @Test("a child's purchases wait for the organizer, whatever its setting is [F8]")
    func childrenAsk() {
        var bench = bench()
        let nia = Customer(account: "nia", device: "phone", homeTerritory: "USA")
        bench.know(AccountSettings(name: "nia", territory: "USA", asksBank: true))
        guard
            case .deferred(_, let reason) = bench.buy(.of(SampleCatalog.coins), as: nia).facts.last
        else {
            Issue.record("not deferred")
            return
        }
        #expect(reason == .askToBuy)
        let off = OperatorAction.changeAccount(.init(account: "nia", askToBuy: false))
        let refusal = bench.perform(off).refusal
        #expect(refusal?.code == .childAlwaysAsks && refusal?.expected == "kai")
    }

    @Test(
        "a share by itself is neither refunded nor changed",
        arguments: [
            OperatorAction.refund(TransactionID(9), .rest, reason: .other),
            .revoke(TransactionID(9)), .reverseRefund(TransactionID(9)),
            .delete(TransactionID(9), wholeChain: false), .setAutoRenew(TransactionID(9), false),
        ])
    func sharesFollow(_ action: OperatorAction) {
        var bench = bench()
        var row = Bench.sold(SampleCatalog.otherTheme, id: 9, type: .nonConsumable)
        row.sale.cause = .familyShare(of: TransactionID(3))
        row.sale.share = SharedSale(owner: "kai")
        bench.sell(row)
        let refusal = bench.perform(action).refusal
        #expect(refusal?.code == .sharedPurchase)
        #expect(refusal?.found == "kai" && refusal?.expected == "3")
    }
}
