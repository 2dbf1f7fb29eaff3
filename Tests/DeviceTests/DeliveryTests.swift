import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test("a purchase is delivered and finished [A5]")
    func whatIsBoughtIsDeliveredAndFinished() async throws {
        let device = try await home.launch()
        let updates = device.updates()
        let id = try #require(
            try await device.buy(.of(SampleCatalog.coins, quantity: 3)).number)
        #expect(await updates.first(\.arrived) == id)
        #expect(await updates.first(\.finishedID) == id)
        let delivery = try #require(try await device.deliveries().first)
        #expect(delivery.transactionID == id)
        #expect(delivery.quantity == 3)
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 30)])
        #expect(try await home.store.ledger.unfinished(of: "aoi").isEmpty)
    }

    @Test("events that are read twice are granted once [A5]")
    func theSameEventsTwiceGrantOnce() async throws {
        let first = try await home.launch()
        for _ in 0..<3 { _ = try await first.buy(.of(SampleCatalog.coins)) }
        _ = try await first.buy(.of(SampleCatalog.theme))
        try await home.untilDelivered(4, on: first)
        await first.close()

        // The device gets the whole feed from its first entry, as if it had read none of it.
        let second = try await home.open { script in
            script.feedStart = FeedCursor(epoch: 1, position: 0)
        }
        let updates = second.updates()
        try await second.launch()
        _ = try await second.buy(.of(SampleCatalog.pass))
        #expect(
            await updates.first { update -> Bool? in
                guard case .transaction(.verified(let payload), _, let isNew) = update else {
                    return nil
                }
                return payload.productId == SampleCatalog.pass ? isNew : isNew ? false : nil
            } == true, "nothing old is new, and the pass is")
        #expect(try await second.deliveries().count == 5)
        #expect(try await second.balances().coins == 30)
    }

    @Test("a delivery grants what was sold, even after the account changed its territory")
    func whatIsGrantedIsWhatWasSoldWhereverTheAccountHasMovedSince() async throws {
        let first = try await home.open()
        _ = try await first.buy(.of(SampleCatalog.coins, quantity: 2))
        await first.close()
        // The new territory does not sell it, so the store cannot tell what it grants.
        _ = try await home.store.console.changeAccount(
            "aoi", askToBuy: nil, canMakePayments: nil, territory: "DEU")
        let second = try await home.launch()
        try await home.untilDelivered(1, on: second)
        #expect(try await second.balances().coins == 20)
    }

    @Test("a kill between sale and delivery loses nothing [A4]")
    func aKillBetweenSaleAndDeliveryLosesNothing() async throws {
        let first = try await home.open()
        _ = try await first.buy(.of(SampleCatalog.coins))
        #expect(try await first.deliveries().isEmpty, "no observer runs yet")
        await first.close()
        let second = try await home.launch()
        try await home.untilDelivered(1, on: second)
        try await home.untilFinished()
        #expect(try await second.balances().coins == 10)
    }

    @Test("a kill between delivery and finish does not grant twice")
    func aKillBetweenDeliveryAndFinishGrantsOnce() async throws {
        let first = try await home.launch { script in
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                throw StoreError(.storeBusy)
            }
        }
        _ = try await first.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(1, on: first)
        await first.close()
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)
        let second = try await home.launch()
        try await home.untilFinished()
        #expect(try await second.balances().coins == 10)
        #expect(try await second.deliveries().count == 1)
    }

    // MARK: - Unverified transactions

    enum Forgery: CaseIterable {
        case anotherStoresKeys, changedPayload

        func apply(_ signed: SignedTransaction) -> SignedTransaction {
            guard let payload = TransactionVerifier.unverifiedPayload(of: signed) else {
                return signed
            }
            switch self {
            case .anotherStoresKeys:
                let forged = try? Self.stranger.get().sign(payload)
                return forged ?? ""
            case .changedPayload:
                var parts = signed.rawValue.split(separator: ".").map(String.init)
                var richer = payload
                richer.quantity = 10
                let other = (try? Self.stranger.get().sign(richer))?.rawValue ?? ""
                parts[1] = other.split(separator: ".").map(String.init)[1]
                return SignedTransaction(parts.joined(separator: "."))
            }
        }

        private static let stranger = Result {
            TransactionSigner(keys: try StoreKeys.generate())
        }
    }

    @Test("an unverified transaction unlocks nothing and is reported", arguments: Forgery.allCases)
    func whatIsNotVerifiedUnlocksNothingAndIsTold(_ forgery: Forgery) async throws {
        let device = try await home.launch { $0.handOut = { forgery.apply($0) } }
        let updates = device.updates()
        for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.book] {
            _ = try await device.buy(.of(product))
            #expect(await updates.first(\.unverified) != nil)
        }
        #expect(try await device.deliveries().isEmpty)
        #expect(try await device.balances().isEmpty)
        #expect(try await device.downloads().isEmpty)
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 3)
        let summary = try await device.restore()
        #expect(summary.restored.isEmpty)
        #expect(summary.unverifiedCount == 2)
    }

    @Test("an unverified transaction is reported at launch")
    func whatIsNotVerifiedIsToldAtEveryLaunch() async throws {
        _ = try await home.session().purchase(.of(SampleCatalog.theme))
        let device = try await home.open {
            $0.handOut = { Forgery.anotherStoresKeys.apply($0) }
        }
        let updates = device.updates()
        try await device.launch()
        #expect(await updates.first(\.unverified) == .invalidCertificateChain)
        #expect(try await device.deliveries().isEmpty)
    }

    // MARK: - Readers

    @Test("an unfinished transaction comes back at every launch until it is finished [A4]")
    func anUnfinishedTransactionComesBackUntilItIsFinished() async throws {
        let stuck: @Sendable (inout ScriptedStore) -> Void = { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                throw StoreError(.contentUnavailable)
            }
        }
        var device = try await home.launch(script: stuck)
        let id = try #require(try await device.buy(.of(SampleCatalog.book)).number)
        for _ in 0..<3 {
            #expect(
                await device.updates().first(\.arrived) == id, "to the first reader")
            #expect(await device.updates().first(\.arrived) == id, "to a later reader")
            await device.close()
            device = try await home.launch(script: stuck)
        }
        let updates = device.updates()
        #expect(await updates.first(\.arrived) == id)
        _ = try await device.finish(id)
        #expect(await updates.first(\.finishedID) == id)

        let late = device.updates()
        let next = try #require(try await device.buy(.of(SampleCatalog.pass)).number)
        #expect(await late.first(\.arrived) == next, "the finished one is not reported again")
    }

    @Test("every reader of a device gets every update, in order [A2]")
    func everyReaderOfOneDeviceGetsEverything() async throws {
        let device = try await home.launch()
        let streams = (0..<3).map { _ in device.updates() }
        var bought: [TransactionID] = []
        for _ in 0..<5 {
            bought.append(try #require(try await device.buy(.of(SampleCatalog.coins)).number))
        }
        try await home.untilFinished()
        for stream in streams {
            var arrived: [TransactionID] = []
            var finished: Set<TransactionID> = []
            for await update in stream {
                if let id = update.arrived { arrived.append(id) }
                if let id = update.finishedID { finished.insert(id) }
                if finished.count == 5 { break }
            }
            // A purchase during the launch is reported once, by the launch or by the feed.
            #expect(arrived == bought)
            #expect(finished == Set(bought))
        }
    }

    @Test("the update streams end when the device is closed")
    func readersEndWithTheDevice() async throws {
        let device = try await home.launch()
        let stream = device.updates()
        await device.close()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 0)
    }

    @Test("a transaction is reported as finished once, even if it is refunded later")
    func finishedOnce() async throws {
        let device = try await home.launch()
        let updates = device.updates()
        let id = try #require(try await device.buy(.of(SampleCatalog.theme)).number)
        #expect(await updates.first(\.finishedID) == id)
        _ = try await home.store.console.perform(.refund(id, .percent(100), reason: .app))
        let last = try #require(try await device.buy(.of(SampleCatalog.coins)).number)
        #expect(await updates.first(\.finishedID) == last)
    }

    // MARK: - The pinned root

    @Test("a store with another root certificate is refused")
    func anotherRootThanTheFirstIsRefused() async throws {
        let device = try await home.open()
        await device.close()
        let other = try StoreKeys.generate().rootCertificateDER
        let error = await #expect(throws: StoreError.self) {
            try await home.open { $0.otherRoot = other }
        }
        #expect(error?.code == .rootChanged)
        await (try await home.open()).close()
    }
}
