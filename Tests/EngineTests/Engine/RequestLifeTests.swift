import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Requests, refund requests and prepared failures, from the call to the reads of a second process.
@Suite("requests and failures, end to end", .timeLimit(.minutes(10)))
struct RequestLifeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func kind(_ outcome: PurchaseOutcome) -> String {
        switch outcome {
        case .purchased(_, let id, _): "sold \(id)"
        case .pending(let request, let reason): "pending \(request) \(reason)"
        case .failed(let error): "failed \(error.code)"
        }
    }

    @Test(
        "two devices ask for the same thing: one request, one sale, one outcome for both",
        arguments: LedgerKind.allCases)
    func twoDevicesShareARequest(_ kind: LedgerKind) async throws {
        let handles = try kind.handles(in: folder)
        let store = try await TestStore(ledger: handles.ledger)
        let other = try await TestStore(ledger: handles.other)
        let phone = store.session()
        let tablet = other.session(device: "tablet")
        _ = try await store.console.perform(
            .changeAccount(.init(account: phone.account, interruptsPurchases: true)))
        let (first, second) = (Payment.of(SampleCatalog.theme), Payment.of(SampleCatalog.theme))
        guard case .pending(let request, .interrupted) = try await phone.purchase(first) else {
            Issue.record("not interrupted")
            return
        }
        let pending = "pending \(request) interrupted"
        #expect(Self.kind(try await tablet.purchase(second)) == pending)
        #expect(Self.kind(try await tablet.purchase(second)) == pending, "asked again")
        #expect(try await phone.requests().map(\.number) == [request])
        #expect(try await store.console.pendingRequests().map(\.reason) == [.interrupted])
        for requests in [
            try await store.console.pendingRequests(), try await phone.requests(),
        ] { #expect(requests.map(\.devices) == [["phone", "tablet"]]) }
        #expect(
            try await store.console.refusal(of: .approve(request))?.code == .notAnswerable)

        try await tablet.resolve(request)
        for (session, payment) in [(phone, first), (tablet, second)] {
            #expect(Self.kind(try await session.purchase(payment)) == "sold \(request)")
        }
        #expect(try await store.console.takings().map(\.sales) == [1], "one charge")
        await #expect(throws: StoreError.self) { try await phone.withdraw(request) }
    }

    @Test(
        "of two operators who approve at once one sells, and the other is told that nothing was done",
        arguments: LedgerKind.allCases)
    func approvedTwice(_ kind: LedgerKind) async throws {
        let handles = try kind.handles(in: folder)
        let store = try await TestStore(ledger: handles.ledger)
        let other = try await TestStore(ledger: handles.other)
        let session = store.session()
        _ = try await store.console.perform(
            .changeAccount(.init(account: session.account, askToBuy: true)))
        let outcome = try await session.purchase(.of(SampleCatalog.theme))
        guard case .pending(let request, _) = outcome else {
            Issue.record("not asked")
            return
        }
        async let one = store.console.perform(.approve(request))
        async let two = other.console.perform(.approve(request))
        let counts = [try await one.isEmpty, try await two.isEmpty]
        #expect(Set(counts) == [true, false])
        #expect(try await store.console.takings().map(\.sales) == [1])
    }

    @Test("a withdrawn request fails both payments, and approving it later says why not")
    func aWithdrawnRequestFails() async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        let session = store.session()
        _ = try await store.console.perform(
            .changeAccount(.init(account: session.account, askToBuy: true)))
        let (first, second) = (Payment.of(SampleCatalog.theme), Payment.of(SampleCatalog.theme))
        guard case .pending(let request, _) = try await session.purchase(first) else {
            Issue.record("not asked")
            return
        }
        _ = try await session.purchase(second)
        try await session.withdraw(request)
        for payment in [first, second] {
            #expect(
                Self.kind(try await session.purchase(payment)) == "failed requestWithdrawn",
                "asking again with the id asks for nothing new")
        }
        #expect(
            try await store.console.refusal(of: .approve(request))?.code == .requestNotPending)
        #expect(try await session.requests().isEmpty)
    }

    @Test("of two processes at the last count one fails, the other reads", arguments: [1, 2, 3])
    func atTheLastCountOneFails(_ count: Int) async throws {
        let handles = try LedgerKind.sqlite.handles(in: folder)
        let stores = [
            try await TestStore(ledger: handles.ledger), try await TestStore(ledger: handles.other),
        ]
        _ = try await stores[0].console.perform(
            .failNext(.loadProducts, error: .networkError, count: count))
        let failures = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<6 {
                let session = stores[number % 2].session()
                group.addTask {
                    do {
                        _ = try await session.products(nil)
                        return 0
                    } catch let error as StoreError {
                        #expect(error.code == .networkError)
                        return 1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(failures == count)
        #expect(try await stores[1].console.faults().isEmpty)
    }

    @Test("a fault for every call fails each, until it is taken back, and records nothing more")
    func aFaultForEveryCallFailsEach() async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        let session = store.session()
        _ = try await store.console.perform(
            .failNext(.appStoreSync, error: .userCancelled, count: nil))
        let head = try await session.head()
        for _ in 0..<3 {
            let error = await #expect(throws: StoreError.self) {
                try await session.restorable(before: nil, limit: 10)
            }
            #expect(error?.code == .userCancelled)
        }
        #expect(try await session.head() == head)
        let fault = try #require(try await store.console.faults().first)
        _ = try await store.console.perform(.clearFault(fault.id))
        _ = try await session.restorable(before: nil, limit: 10)
    }

    @Test("a restore fails half-way, and brings everything when it is repeated [A3]")
    func aRestoreFailsHalfWay() async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        let session = store.session()
        for product in [SampleCatalog.theme, SampleCatalog.otherTheme, SampleCatalog.book] {
            _ = try await session.purchase(.of(product))
        }
        _ = try await store.console.perform(
            .failNext(.appStoreSync, error: .networkError, count: 1, after: 2))
        let page = try await session.restorable(before: nil, limit: 10)
        #expect(page.transactions.count == 2 && !page.isLast)
        let error = await #expect(throws: StoreError.self) {
            try await session.restorable(before: page.transactions.last?.id, limit: 10)
        }
        #expect(error?.code == .networkError)
        let whole = try await session.restorable(before: nil, limit: 10)
        #expect(whole.transactions.count == 3 && whole.isLast)
        for (call, after) in [(Fault.Call.purchase, 1), (.appStoreSync, 0)] {
            let refused = await #expect(throws: StoreError.self) {
                try await store.console.perform(
                    .failNext(call, error: .networkError, count: 1, after: after))
            }
            #expect(refused?.code == .invalidName)
        }
    }

    // MARK: - Verification

    private static func verifier(_ session: some Store, _ store: TestStore) async throws
        -> TransactionVerifier
    {
        try TransactionVerifier(
            rootCertificate: session.rootCertificate, bundleID: session.identity.bundleID,
            environment: session.identity.environment)
    }

    @Test(
        "a sale is delivered with a text that fails as asked; the next launch gets a good one [C4]",
        arguments: [
            StoreError.Code.invalidSignature, .invalidCertificateChain, .invalidEncoding,
            .missingRequiredProperties,
        ])
    func aSaleIsDeliveredBroken(_ code: StoreError.Code) async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        let session = store.session()
        let verifier = try await Self.verifier(session, store)
        _ = try await store.console.perform(.failNext(.verification, error: code, count: 1))
        let start = try await session.head()
        guard
            case .purchased(let text, let id, _) = try await session.purchase(
                .of(SampleCatalog.theme))
        else {
            Issue.record("not sold")
            return
        }
        guard case .unverified(_, let reason) = await verifier.verify(text) else {
            Issue.record("verified")
            return
        }
        #expect(reason.rawValue == code.rawValue)
        for try await batch in session.updates(after: start) {
            let sold = batch.events.compactMap { event -> SignedTransaction? in
                event.kind == .sold ? event.issued?.signed : nil
            }
            guard let signed = sold.first else { continue }
            #expect(signed == text, "answer and event carry the same text")
            break
        }
        for again in try await session.unfinished(allDevices: false) {
            #expect(again.transaction.signed == text, "broken as long as it was bought here")
        }
        for later in try await store.session().unfinished(allDevices: false) {
            guard
                case .verified(let transaction) = await verifier.verify(
                    later.transaction.signed)
            else {
                Issue.record("the next delivery is broken too")
                return
            }
            #expect(transaction.payload.transactionId == id)
        }
        guard
            case .purchased(let next, _, _) = try await session.purchase(
                .of(SampleCatalog.coins)), case .verified = await verifier.verify(next)
        else {
            Issue.record("the fault was not used up")
            return
        }
    }

    @Test("a fault for every verification breaks all that is signed for devices while it lasts")
    func everyVerificationFails() async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        let session = store.session()
        let verifier = try await Self.verifier(session, store)
        _ = try await session.purchase(.of(SampleCatalog.theme))
        func texts() async throws -> [SignedTransaction] {
            try await session.unfinished(allDevices: true).map(\.transaction.signed)
                + session.entitlements().map(\.transaction)
                + session.restorable(before: nil, limit: 10).transactions.map(\.signed)
                + session.history(before: nil, limit: 10)
        }
        _ = try await store.console.perform(
            .failNext(.verification, error: .invalidSignature, count: nil))
        for text in try await texts() {
            guard case .unverified(_, .invalidSignature) = await verifier.verify(text) else {
                Issue.record("verified while every verification fails")
                return
            }
        }
        _ = try await store.console.perform(.clearFaults)
        for text in try await texts() {
            guard case .verified = await verifier.verify(text) else {
                Issue.record("broken after the fault was taken back")
                return
            }
        }
    }
}
