import Foundation
@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The column "in the shop" of Documentation/outcomes.md, pressed key by key: each row's keys have
/// the effect of its last commands, or tell the customer the row's answer.
@Suite struct OutcomeKeyTests {
    /// What the last key of a step does.
    enum Reached: Sendable {
        case effect(ShopEffect)
        /// A payment for the product.
        case payment(ProductID)
        /// A payment that then waits for an answer.
        case pending(ProductID, RequestReason)
        /// A payment that then fails.
        case failed(ProductID, StoreError)
        case refusal(Refusal)
        case question(QuestionSheet.Subject)
        /// The screen shows these words.
        case words(String)
    }

    struct Step: Sendable {
        /// Keys by their names, "Enter", "Esc", "→" and "↓", or as what is typed, with "_" for a
        /// space.
        var keys: String
        var reached: Reached
        /// What the store and the device report before the keys; and which row is selected.
        var before: @Sendable (inout ShopProbe) -> Void = { _ in }
    }

    // MARK: - The table

    @Test("the keys that outcomes.md names in the shop have the outcome", arguments: rows)
    func keys(_ row: Row) throws {
        // A call that fails on purpose has two steps that need nothing of each other.
        var probe = ShopProbe(SampleShop.full())
        for step in try Self.steps(for: row) { try Self.drive(&probe, step, row) }
    }

    @Test("each row of outcomes.md that names keys is pressed, and no other")
    func complete() throws {
        let names = Set(Self.rows.map(\.name))
        #expect(names.count == Self.rows.count && Self.rows.count > 90)
        let unknown = Set(Self.steps.keys).subtracting(names)
        #expect(unknown.isEmpty, "no row of outcomes.md has these steps")
        for row in Self.rows where row.failure == nil {
            let pressed = (Self.steps[row.name] ?? []).flatMap { $0.keys.split(separator: " ") }
            for match in row.keys.matches(of: /`([^`]+)`/) {
                #expect(
                    pressed.contains { $0 == match.1 || match.1 == ":" && $0.hasPrefix(":") },
                    "\(row.name): \(match.1) is not pressed")
            }
        }
    }

    /// A row of outcomes.md.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var commands: [String]
        var keys: String
        /// The call and the error that the console's sheet of failures sets; nil for another row.
        var failure: (call: Fault.Call, error: StoreError.Code)?
        var testDescription: String { name }
    }

    /// Those with a way in the shop.
    static let rows: [Row] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text =
            (try? String(
                contentsOf: root.appending(path: "Documentation/outcomes.md"), encoding: .utf8))
            ?? ""
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let cells: [[String]] = lines.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return cells.filter { $0.count > 2 && !$0[2].hasPrefix("none") }.map { row($0) }
    }()

    private static func row(_ cells: [String]) -> Row {
        let commands = cells[1].matches(of: /`([^`]+)`/).map { String($0.1) }
        var row = Row(name: cells[0], commands: commands, keys: cells[2])
        for command in commands {
            let set = command.wholeMatch(of: /operator fail-next (\w+)(?: --call (\w+))?/)
            guard let set else { continue }
            let call = set.2.flatMap { Fault.Call(rawValue: String($0)) } ?? .purchase
            row.failure = (call, StoreError.Code(rawValue: String(set.1)))
        }
        return row
    }

    private static func steps(for row: Row) throws -> [Step] {
        guard let failure = row.failure else { return try #require(steps[row.name], "no steps") }
        let calls = FailureSheet.calls
        let call = try #require(calls.firstIndex(of: failure.call))
        let error = try #require(
            FailureSheet.choices(of: failure.call).firstIndex(of: failure.error))
        let keys =
            ["4", "f"] + Array(repeating: "→", count: call)
            + Array(repeating: "↓", count: error) + ["Enter"]
        let set = OperatorAction.failNext(failure.call, error: failure.error, count: 1)
        let last = try #require(row.commands.last)
        let calling = failing[last] ?? failing[String(last.prefix { $0 != " " })]
        return [Step(keys: keys.joined(separator: " "), reached: .effect(.perform(set)))]
            + (try #require(calling, "\(last)"))
    }

    // MARK: - Pressing

    private static func drive(_ probe: inout ShopProbe, _ step: Step, _ row: Row) throws {
        step.before(&probe)
        var effects: [ShopEffect] = []
        for key in keys(step.keys) {
            let action = try #require(
                KeyMap.action(for: key, in: probe.state), "\(row.name): \(key) does nothing")
            probe.viewport = Screens.viewport(Screens.usual, in: probe.state)
            effects = probe.happen(action)
        }
        try expect(step.reached, effects, &probe, "\(row.name): \(step.keys)")
    }

    private static func expect(
        _ reached: Reached, _ effects: [ShopEffect], _ probe: inout ShopProbe, _ place: String
    ) throws {
        switch reached {
        case .effect(let effect): #expect(effects.contains(effect), "\(place): \(effects)")
        case .payment(let product), .pending(let product, _), .failed(let product, _):
            let payment = try #require(effects.payments.first, "\(place): \(effects)")
            #expect(payment.productID == product, "\(place)")
            let name = probe.state.name(of: product)
            if case .pending(_, let reason) = reached {
                let answer = PurchaseOutcome.pending(request: TransactionID(9), reason: reason)
                probe.happen(.purchaseAnswered(payment, answer))
                let message = StatusText.pending(name: .init(name), reason)
                #expect(probe.state.statusMessage?.what == message, "\(place)")
            }
            if case .failed(_, let error) = reached {
                probe.happen(.purchaseFailed(payment, error))
                let message: StatusText =
                    error.code == .outcomeUnknown
                    ? .outcomeUnknown(name: .init(name), error) : .failed(name: .init(name), error)
                #expect(probe.state.statusMessage?.what == message, "\(place)")
            }
        case .refusal(let refusal):
            #expect(probe.state.statusMessage?.what == .refused(refusal), "\(place)")
            #expect(effects.isEmpty && probe.state.sheet == nil, "\(place): \(effects)")
        case .question(let subject):
            #expect(probe.state.sheet == .question(QuestionSheet(subject)), "\(place)")
        case .words(let words):
            let text = Screens.draw(probe.state, Screens.usual).text
            #expect(text.contains(words), "\(place): \(text)")
        }
    }

    private static func keys(_ names: String) -> [Key] {
        names.split(separator: " ").flatMap { name -> [Key] in
            switch name {
            case "Enter": [.enter]
            case "Esc": [.escape]
            case "→": [.right]
            case "↓": [.down]
            default: name.map { .character($0 == "_" ? " " : $0) }
            }
        }
    }

    // MARK: - What comes before

    private static func selecting(_ product: ProductID) -> @Sendable (inout ShopProbe) -> Void {
        { probe in
            probe.happen(.viewChosen(.shop))
            probe.happen(.viewChosen(.shop))
            let row = probe.state.productList.row(of: product)
            if let row, row != probe.state.list.selectedRow {
                probe.happen(.list(.pointed(row: row)))
            }
        }
    }

    private static func settings(
        of product: ProductID, _ change: @escaping @Sendable (inout AccountSettings) -> Void
    ) -> @Sendable (inout ShopProbe) -> Void {
        { probe in
            var settings = SampleShop.settings()
            change(&settings)
            probe.happen(.updateArrived(.event(.accountChanged(settings))))
            selecting(product)(&probe)
        }
    }

    private static func refreshing(
        _ product: ProductID, _ change: @escaping @Sendable (inout AccountSnapshot) -> Void
    ) -> @Sendable (inout ShopProbe) -> Void {
        { probe in
            probe.refresh(change)
            selecting(product)(&probe)
        }
    }

    @Sendable private static func requested(_ probe: inout ShopProbe) {
        probe.consoleArrives([8])
    }

    @Sendable private static func promoted(_ probe: inout ShopProbe) {
        probe.happen(.updateArrived(.event(.promoted("theme.contrast"))))
    }

    /// The console's events have this sale, which is selected.
    private static func selling(
        _ product: ProductID, _ number: Int64, _ type: ProductType
    ) -> @Sendable (inout ShopProbe) -> Void {
        { probe in
            let sale = PastSale(
                id: TransactionID(number), productID: product, type: type,
                price: Money(milliunits: 990, currency: "USD"), payment: SampleShop.payment(3),
                device: "phone", purchasedAt: SampleShop.now, storefront: "USA")
            probe.consoleArrives()
            probe.happen(LogTests.page(.store, [LogTests.event(7, .sold(sale))]))
        }
    }

    /// A member of the family shares the book, or, without a number, shares nothing more.
    private static func shared(_ number: Int64?) -> @Sendable (inout ShopProbe) -> Void {
        { probe in
            var family = Family(organizer: "kai")
            family.members.append(.init(account: "aoi"))
            var snapshot = AccountSnapshot()
            snapshot.family = FamilyStatus(family: family)
            if let number {
                let delivery = DeliveryRecord(
                    transactionID: TransactionID(number), productID: "book.three",
                    type: .nonConsumable, quantity: 1, deliveredAt: SampleShop.now, isVoid: false)
                snapshot = AccountSnapshot(
                    queued: [], deliveries: [delivery], balances: [], downloads: [],
                    entitlements: [
                        Entitlement(
                            transaction: "a.b.c", transactionID: TransactionID(number),
                            productID: "book.three", type: .nonConsumable)
                    ], at: .zero)
                snapshot.family = FamilyStatus(
                    family: family,
                    shares: [
                        .init(
                            transactionID: TransactionID(number), productID: "book.three",
                            owner: "kai")
                    ])
            }
            probe.happen(.accountArrived(snapshot))
            selecting("book.three")(&probe)
        }
    }

    /// An open book, whose second chapter costs coins.
    private static let book: OpenedContent = {
        var content = SampleShop.opened("book.one", text: SampleShop.story(paragraphs: 9))
        content.files[1].cost = Grant(unit: "coins", amount: 5)
        content.files[1].title = "The anchorage"
        return content
    }()

    private static func reading(coins: Int64) -> @Sendable (inout ShopProbe) -> Void {
        { probe in
            probe.refresh { $0.balances = [Balance(unit: "coins", amount: coins)] }
            selecting("book.one")(&probe)
            probe.happen(.confirmed)
            probe.happen(.confirmed)
            probe.happen(.reader(.opened(book)))
        }
    }

    // MARK: - The rows

    private static let sale = TransactionID(1_000_001)
    private static let request = TransactionID(1_000_008)
    private static let plan = TransactionID(1_000_020)
    private static let refund = RefundRequest(
        transactionID: sale, account: "aoi", device: "phone", productID: "book.one",
        reason: .unintended, askedAt: SampleShop.now)

    private static func switching(_ setting: AccountSwitch, to isOn: Bool) -> Reached {
        .effect(.perform(.changeAccount(AccountChange(of: "aoi", setting, isOn))))
    }

    private static let buying = Step(
        keys: "b → Enter", reached: .payment("coins.10"), before: selecting("coins.10"))
    private static let cutting = Step(
        keys: "4 N → Enter", reached: .effect(.setNetwork(.off(milliseconds: nil))))
    private static let askingForRefund = [
        Step(
            keys: "Enter → → → → → → Enter",
            reached: .question(.requestRefund("book.one", sale, .unintended)),
            before: selecting("book.one")),
        Step(keys: "→ Enter", reached: .effect(.requestRefund(sale, .unintended))),
    ]

    /// By the names of the rows.
    private static let steps = purchases.merging(pending) { first, _ in first }
        .merging(afterwards) { first, _ in first }.merging(around) { first, _ in first }

    private static let purchases: [String: [Step]] = [
        "purchased": [buying],
        "owned already": [
            Step(
                keys: "b", reached: .refusal(.alreadyOwned(name: "The Lighthouse, part one")),
                before: selecting("book.one"))
        ],
        "sold outside the app": [
            Step(
                keys: ":buy-outside Enter",
                reached: .effect(.perform(.buyOutside("coins.10", account: "aoi", quantity: 1))),
                before: selecting("coins.10"))
        ],
        "begun outside the app": [
            Step(
                keys: ":promote Enter",
                reached: .effect(.perform(.promote("theme.contrast", account: "aoi"))),
                before: selecting("theme.contrast")),
            Step(keys: "→ Enter", reached: .payment("theme.contrast"), before: promoted),
        ],
        "held: begun outside the app": [
            Step(keys: "→ Enter", reached: .payment("theme.contrast"), before: promoted)
        ],
        "dropped: begun outside the app": [
            Step(
                keys: "Esc", reached: .effect(.log(.purchaseCancelled("theme.contrast"))),
                before: promoted)
        ],
        "payments are not allowed": [
            Step(keys: "4 p", reached: switching(.canMakePayments, to: false)),
            Step(
                keys: "b", reached: .refusal(.paymentsNotAllowed),
                before: settings(of: "coins.10") { $0.canMakePayments = false }),
        ],
        "signed out": [
            Step(keys: "I → Enter", reached: .effect(.setSignedIn(false))),
            Step(
                keys: "b", reached: .question(.signIn(for: "coins.10")),
                before: refreshing("coins.10") { $0.isSignedIn = false }),
        ],
        "cancelled at the payment sheet": [
            Step(
                keys: "b Esc", reached: .effect(.log(.purchaseCancelled("coins.10"))),
                before: selecting("coins.10"))
        ],
        "bought while the app's backend is away": [buying],
        "shared by a family member": [
            Step(keys: "b", reached: .words("kai shares this with you"), before: shared(77))
        ],
        "no longer shared by a family member": [
            Step(keys: "b → Enter", reached: .payment("book.three"), before: shared(nil))
        ],
    ]

    private static let pending: [String: [Step]] = [
        "pending: Ask to Buy": [
            Step(keys: "4 t", reached: switching(.askToBuy, to: true)),
            Step(
                keys: "b → Enter", reached: .pending("coins.10", .askToBuy),
                before: settings(of: "coins.10") { $0.askToBuy = true }),
        ],
        "pending: the bank asks": [
            Step(keys: "4 A", reached: switching(.asksBank, to: true)),
            Step(
                keys: "b → Enter", reached: .pending("coins.10", .authentication),
                before: settings(of: "coins.10") { $0.asksBank = true }),
        ],
        "pending: interrupted": [
            Step(keys: "4 i", reached: switching(.interruptsPurchases, to: true)),
            Step(
                keys: "b → Enter", reached: .pending("coins.10", .interrupted),
                before: settings(of: "coins.10") { $0.interruptsPurchases = true }),
        ],
        "approved": [
            Step(
                keys: "4 a", reached: .effect(.perform(.approve(TransactionID(8)))),
                before: requested)
        ],
        "declined": [
            Step(
                keys: "4 d", reached: .effect(.perform(.decline(TransactionID(8)))),
                before: requested)
        ],
        "resolved": [
            Step(
                keys: "Enter Enter", reached: .effect(.resolve(request)),
                before: refreshing("theme.sepia") {
                    $0.queued["theme.sepia"]?.reason = .interrupted
                })
        ],
        "withdrawn": [
            Step(
                keys: "Enter → Enter", reached: .question(.withdraw("theme.sepia", request)),
                before: selecting("theme.sepia")),
            Step(keys: "→ Enter", reached: .effect(.withdraw(request))),
        ],
        // The request is listed until the console was read again.
        "approved after it was withdrawn": [
            Step(
                keys: "4 :approve Enter", reached: .effect(.perform(.approve(TransactionID(8)))),
                before: requested)
        ],
        "asked twice for what can be owned once": [
            Step(
                keys: "b", reached: .refusal(.alreadyWaiting(name: "Sepia")),
                before: selecting("theme.sepia"))
        ],
    ]

    private static let afterwards: [String: [Step]] = [
        "refund asked for": askingForRefund,
        "refund declined": [
            Step(
                keys: ":decline-refund Enter", reached: .effect(.perform(.declineRefund(sale))),
                before: selecting("book.one"))
        ],
        "refund approved": [
            Step(
                keys: "4 a", reached: .effect(.perform(.refund(sale, .rest, reason: .other))),
                before: { $0.happen(.console(.refundsArrived([refund]))) })
        ],
        "refunded": [
            Step(keys: "4", reached: .effect(.refreshConsole)),
            Step(
                keys: "$ → Enter",
                reached: .effect(.perform(.refund(TransactionID(7), .rest, reason: .other))),
                before: selling("theme.sepia", 7, .nonConsumable)),
        ],
        "refunded in part": [
            Step(
                keys: ":refund_50 Enter Enter",
                reached: .effect(.perform(.refund(sale, .percent(50), reason: .other))),
                before: selecting("book.one"))
        ],
        "refund reversed": [
            Step(
                keys: ":reverse-refund Enter", reached: .effect(.perform(.reverseRefund(sale))),
                before: selecting("book.one"))
        ],
        "revoked": [
            Step(
                keys: ":revoke Enter Enter", reached: .effect(.perform(.revoke(sale))),
                before: selecting("book.one"))
        ],
        "deleted": [
            Step(keys: "4", reached: .effect(.refreshConsole)),
            Step(
                keys: "D → Enter",
                reached: .effect(.perform(.delete(TransactionID(7), wholeChain: false))),
                before: selling("theme.sepia", 7, .nonConsumable)),
        ],
        "subscription ended by the operator": [
            Step(keys: "4", reached: .effect(.refreshConsole)),
            Step(
                keys: "E → Enter", reached: .effect(.perform(.expire(plan))),
                before: selling("plus.month", 1_000_020, .autoRenewable)),
        ],
    ]

    private static let around: [String: [Step]] = [
        "a chapter opened for coins": [
            Step(
                keys: "Enter ↓ Enter", reached: .question(.openPackage("book.one", book.files[1])),
                before: reading(coins: 30)),
            Step(keys: "→ Enter", reached: .effect(.openPackage("book.one", book.files[1]))),
        ],
        // Another process of the device was quicker: the device spends nothing.
        "a chapter opened again": [
            Step(
                keys: "Enter ↓ Enter → Enter",
                reached: .effect(.openPackage("book.one", book.files[1])),
                before: reading(coins: 30)),
            Step(
                keys: "", reached: .words("was open already. Nothing was spent."),
                before: { $0.happen(.reader(.packageOpened(book.files[1], nil))) }),
        ],
        "too few coins for a chapter": [
            Step(
                keys: "Enter ↓ Enter", reached: .words("You need 2 coins more."),
                before: reading(coins: 3))
        ],
        "a restore that fails half-way": [
            Step(
                keys: ":after_1_purchase Enter",
                reached: .effect(
                    .perform(.failNext(.appStoreSync, error: .networkError, count: 1, after: 1)))),
            Step(keys: "r", reached: .effect(.restore), before: selecting("book.one")),
        ],
        "no network before the store is reached": [
            cutting,
            Step(
                keys: "b → Enter", reached: .failed("coins.10", StoreError(.networkError)),
                before: refreshing("coins.10") { $0.whyOffline = .networkIsOff }),
        ],
        "no network before the answer comes": [
            Step(
                keys: ":when_the_store_has Enter",
                reached: .effect(.setNetwork(.offAfterPayment(milliseconds: nil)))),
            Step(
                keys: "b → Enter", reached: .failed("coins.10", StoreError(.outcomeUnknown)),
                before: selecting("coins.10")),
        ],
        "a restore without network": [
            cutting,
            Step(
                keys: "r", reached: .effect(.restore),
                before: refreshing("coins.10") { $0.whyOffline = .networkIsOff }),
        ],
    ]

    /// What makes the call that fails, by its command, or else by the command's first word.
    private static let failing: [String: [Step]] = [
        "buy": [buying],
        "products": [Step(keys: "1", reached: .effect(.loadProducts))],
        "restore": [
            Step(keys: "r", reached: .effect(.restore), before: selecting("book.one"))
        ],
        "subscriptions": [Step(keys: "2", reached: .effect(.refreshAccount))],
        "subscriptions --manage": [
            Step(
                keys: "s", reached: .effect(.manageSubscriptions(plan)),
                before: selecting("plus.month"))
        ],
        "receipt": [
            Step(keys: "2 R", reached: .effect(.readReceipt(refreshes: false))),
            Step(
                keys: "r", reached: .effect(.readReceipt(refreshes: true)),
                before: {
                    $0.happen(.receipt(.arrived(SampleShop.receipt, SampleShop.appTransaction)))
                }),
        ],
        "request-refund": askingForRefund,
        "redeem": [
            Step(
                keys: "C SPRING26 Enter", reached: .effect(.findRedemption(code: "SPRING26")),
                before: selecting("book.one"))
        ],
        "operator": [
            Step(
                keys: ":buy-outside Enter",
                reached: .effect(.perform(.buyOutside("coins.10", account: "aoi", quantity: 1))),
                before: selecting("coins.10"))
        ],
    ]
}
