import Foundation
@testable import StoreDevice
import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// A device whose network was cut by the operator.
@Suite("a device without a network", .timeLimit(.minutes(10))) struct OfflineTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private func untilEmpty(_ device: Device) async throws {
        try await home.until(device) { try await device.queuedPayments().isEmpty }
    }

    // MARK: - Paying

    @Test("a payment without a network fails with networkError, and nothing is queued or sold")
    func cutBefore() async throws {
        let device = try await home.launch()
        let tablet = try await home.launch("tablet")
        try await device.setNetwork(.off(milliseconds: nil))
        let payment = Payment.of(SampleCatalog.coins)
        let error = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(error?.code == .networkError && error?.isNetworkOff == true)
        #expect(error?.paymentID == payment.id)
        #expect(try await device.queuedPayments().isEmpty)
        #expect(try await home.salesCount() == 0)
        #expect(try await tablet.buy(.of(SampleCatalog.coins)).isPurchased)
        // The same payment is sold once the network is back.
        try await device.setNetwork(.on)
        #expect(try await device.buy(payment).isPurchased)
        try await home.untilDelivered(1, on: device)
        #expect(try await home.salesCount() == 2)
        #expect(try await device.balances().coins == 10)
    }

    @Test(
        "a payment cut before its answer stays queued, and its outcome arrives on return, once [A4]"
    )
    func cutAfter() async throws {
        let device = try await home.launch()
        try await device.setNetwork(.offAfterPayment(milliseconds: nil))
        #expect(device.network() == .offAfterPayment(milliseconds: nil))
        let payment = Payment.of(SampleCatalog.coins)
        for _ in 0..<3 {
            let error = await #expect(throws: StoreError.self) { try await device.buy(payment) }
            #expect(error?.code == .outcomeUnknown && error?.paymentID == payment.id)
            #expect(device.network().isOff)
            let queued = try await device.queuedPayments()
            #expect(queued.map(\.payment) == [payment])
            #expect(queued.map(\.state) == [.purchasing])
        }
        #expect(try await home.salesCount() == 1)
        #expect(try await device.deliveries().isEmpty)
        try await device.setNetwork(.on)
        try await home.untilDelivered(1, on: device)
        try await untilEmpty(device)
        try await home.untilFinished()
        #expect(try await device.buy(payment).isPurchased)
        #expect(try await home.salesCount() == 1)
        #expect(try await device.balances().coins == 10)
    }

    @Test("a payment that waits for approval, cut before its answer, is deferred on return")
    func cutAfterDeferred() async throws {
        _ = try await home.store.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: true)))
        let device = try await home.launch()
        try await device.setNetwork(.offAfterPayment(milliseconds: nil))
        let error = await #expect(throws: StoreError.self) {
            try await device.buy(.of(SampleCatalog.theme))
        }
        #expect(error?.code == .outcomeUnknown)
        try await device.setNetwork(.on)
        try await home.until(device) {
            try await device.queuedPayments().map(\.state) == [.deferred]
        }
    }

    @Test(
        "a payment cut before its answer outlives its process, and is delivered once on return [A4]"
    )
    func cutAfterAndRestarted() async throws {
        let first = try await home.launch()
        try await first.setNetwork(.offAfterPayment(milliseconds: nil))
        await #expect(throws: StoreError.self) { try await first.buy(.of(SampleCatalog.coins)) }
        await first.close()
        // The network is still off for the next process, which launches nevertheless.
        let next = try await home.launch()
        #expect(next.network().isOff)
        #expect(try await next.queuedPayments().map(\.state) == [.purchasing])
        try await next.setNetwork(.on)
        try await home.untilDelivered(1, on: next)
        try await untilEmpty(next)
        #expect(try await home.salesCount() == 1)
        #expect(try await next.balances().coins == 10)
    }

    // MARK: - Answers from the device's own records

    @Test("entitlements come from the device, with their age, until what was missed arrives [F4]")
    func entitlements() async throws {
        let device = try await home.launch()
        let sale = try await home.session("tablet").purchase(.of(SampleCatalog.theme))
        let theme = try #require(sale.number)
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilDelivered(2, on: device)
        let fresh = try await device.entitlements()
        #expect(fresh.isFresh && fresh.value.count == 2)

        let cutAt = home.store.engine.clock.now()
        try await device.setNetwork(.off(milliseconds: nil))
        home.store.clock.advance(byMilliseconds: 60_000)
        _ = try await home.store.console.perform(.refund(theme, .rest, reason: .other))
        let known = try await device.entitlements()
        #expect(!known.isFresh)
        #expect(known.asOf == cutAt)
        #expect(
            known.value.map(\.productID).sorted() == [SampleCatalog.monthly, SampleCatalog.theme])
        #expect(known.value.first { $0.type == .autoRenewable }?.renews == true)
        for entitlement in known.value {
            guard case .verified = await device.verify(entitlement.transaction) else {
                Issue.record("not verified")
                continue
            }
        }

        let updates = device.updates()
        try await device.setNetwork(.on)
        #expect(await updates.first(\.revisedID) == theme)
        let back = try await device.entitlements()
        #expect(back.isFresh && back.value.map(\.productID) == [SampleCatalog.monthly])
    }

    @Test("without a network a period that was charged ahead does not hide the present one")
    func chargedAhead() async throws {
        let device = try await home.launch()
        let present = try await device.buy(.of(SampleCatalog.monthly)).number
        _ = try await home.store.console.perform(.clock(.next))
        try await home.untilDelivered(2, on: device)
        let fresh = try await device.entitlements().value.map(\.transactionID)
        try await device.setNetwork(.off(milliseconds: nil))
        #expect(fresh == [present])
        #expect(try await device.entitlements().value.map(\.transactionID) == fresh)
    }

    @Test("without a network the device goes on from the clock it read last [F4]")
    func clock() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilDelivered(1, on: device)
        try await device.setNetwork(.off(milliseconds: nil))
        let before = device.storeClock.now()
        // The store cannot tell the device that the operator moves the clock.
        _ = try await home.store.console.perform(.clock(.advance(.seconds(90 * 86_400))))
        #expect(device.storeClock.now() == before)
        #expect(try await device.entitlements().value.count == 1)
        // A process that starts now has the same records.
        await device.close()
        let next = try await home.open()
        #expect(next.storeClock.now() == before)
        #expect(try await next.entitlements().value.count == 1)
        // The device's clock runs on, and the subscription ends by it.
        home.store.clock.advance(byMilliseconds: 32 * 86_400_000)
        #expect(next.storeClock.now() == before.advanced(byMilliseconds: 32 * 86_400_000))
        #expect(try await next.entitlements().value.isEmpty)
        try await next.setNetwork(.on)
        #expect(next.storeClock.now() == home.store.engine.clock.now())
    }

    @Test("products and settings come from the device's last answer, also after a restart")
    func products() async throws {
        let device = try await home.open()
        let fresh = try await device.products(nil)
        let settings = try await device.accountSettings()
        #expect(fresh.isFresh && settings.isFresh)
        try await device.setNetwork(.off(milliseconds: nil))
        let next = try await home.open()
        let known = try await next.products(nil)
        #expect(!known.isFresh)
        #expect(known.value == fresh.value)
        #expect(known.asOf == fresh.asOf)
        let some = try await next.products([SampleCatalog.theme, "no.such"]).value
        #expect(some.products.map(\.id) == [SampleCatalog.theme])
        #expect(some.invalidProductIDs == ["no.such"])
        #expect(try await next.accountSettings().value == settings.value)
    }

    @Test("products are kept anew when the account's part of any product has changed")
    func productsOfTheAccount() throws {
        let product = { (id: ProductID, isEligible: Bool, owned: [Bool]) in
            Product(
                id: id, type: .autoRenewable, displayName: "",
                price: Money(milliunits: 990, currency: "USD"), priceLocale: "en_US",
                subscription: SubscriptionInfo(
                    groupID: "club", groupName: "Club", level: 1, period: nil,
                    isEligibleForIntroOffer: isEligible),
                issues: owned.enumerated().map {
                    PublishedIssue(
                        id: "\($0.offset)", title: "", date: .earliest, isOwned: $0.element)
                })
        }
        func kept(_ isEligible: Bool, _ owned: Bool...) -> KeptCatalog {
            let products = [product("a", false, []), product("b", isEligible, owned)]
            return KeptCatalog(
                ProductsResponse(products: products, invalidProductIDs: [], catalogRevision: 1),
                asOf: .earliest)
        }
        let before = kept(true, false)
        #expect(before.isSame(as: kept(true, false)))
        #expect(!before.isSame(as: kept(false, false)) && !before.isSame(as: kept(true, true)))
    }

    @Test("a device that was never told what is for sale says networkError")
    func nothingKnown() async throws {
        let device = try await home.open()
        try await device.setNetwork(.off(milliseconds: nil))
        for ask in [
            { _ = try await device.products(nil) }, { _ = try await device.accountSettings() },
            { _ = try await device.restore() }, { try await device.claim(TransactionID(1)) },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: StoreError.self) { try await ask() }
            #expect(error?.isNetworkOff == true)
        }
        // A new device cannot be registered without its store.
        let folder = try home.deviceFolder("tablet").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try DeviceNetwork(folder: folder).set(.off(milliseconds: nil))
        let error = await #expect(throws: StoreError.self) { try await home.open("tablet") }
        #expect(error?.isNetworkOff == true)
    }

    // MARK: - Work that waits for the network

    @Test("answers that say the same are written once")
    func writtenOnce() async throws {
        for action: FamilyAction in [
            .create(organizer: "kai"), .join("aoi", organizer: "kai", role: .adult),
        ] { _ = try await home.store.console.perform(.family(action)) }
        let device = try await home.launch()
        for product in [SampleCatalog.monthly, SampleCatalog.theme] {
            _ = try await device.buy(.of(product))
        }
        try await home.untilDelivered(2, on: device)
        await device.keepAnswers()
        let database = try home.deviceFolder().databasePath
        func written() throws -> [Data?] {
            ["", "-wal"].map { FileManager.default.contents(atPath: database + $0) }
        }
        let before = try written()
        try #require(before[0] != nil)
        for _ in 0..<3 {
            home.store.clock.advance(byMilliseconds: 1_000)
            await device.keepAnswers()
            #expect(try written() == before)
        }
        await device.close()
    }

    @Test("after only a purchase the device answers for all that a shop shows, with its age")
    func afterOnlyAPurchase() async throws {
        for action: FamilyAction in [
            .create(organizer: "kai"), .join("aoi", organizer: "kai", role: .adult),
        ] { _ = try await home.store.console.perform(.family(action)) }
        let buyer = try await home.launch()
        let outcome = try await buyer.buy(.of(SampleCatalog.monthly))
        let sold = try #require(outcome.number)
        try await home.untilDelivered(1, on: buyer)
        await buyer.keepAnswers()
        await buyer.close()

        let device = try await home.open()
        try await device.setNetwork(.off(milliseconds: nil))
        #expect(try await device.products(nil).value.products.isEmpty == false)
        #expect(try await device.entitlements().value.map(\.transactionID) == [sold])
        let family = try await device.familyStatus()
        #expect(!family.isFresh && family.value.family?.organizer == "kai")
        let subscriptions = try await device.subscriptions()
        #expect(!subscriptions.isFresh)
        let subscription = try #require(subscriptions.value.first)
        #expect(subscription.status.state == .subscribed)
        #expect(try subscription.renewalInfo.get().originalTransactionId == sold)
        let history = try await device.events(before: nil, filter: HistoryFilter(), limit: 10)
        #expect(!history.isFresh && history.value.next == nil)
        #expect(history.value.events.contains { $0.transactionID == sold && $0.kind == .sold })
        let filter = HistoryFilter(kinds: [.familyChanged])
        let changes = try await device.events(before: nil, filter: filter, limit: 10).value.events
        #expect(!changes.isEmpty && changes.allSatisfy { $0.kind == .familyChanged })
        let signed = try await device.transaction(sold)
        guard case .verified = await device.verify(signed) else {
            Issue.record("the kept text is not verified")
            return
        }
        #expect(
            try await device.unlockRecord().products.map(\.productID) == [SampleCatalog.monthly])
        #expect(try await device.receipt() != nil)
        _ = try await device.appTransaction()
        // A device without a network cannot tell whether an unknown transaction exists.
        await #expect(throws: StoreError.networkIsOff(on: "phone")) {
            try await device.transaction(TransactionID(9_999_999))
        }
        await device.close()
    }

    @Test("finish is queued without a network, and sent on return")
    func finish() async throws {
        let id = try #require(
            try await home.session().purchase(.of(SampleCatalog.coins)).number)
        let device = try await home.open()
        _ = try await device.knownUnfinished()
        try await device.setNetwork(.off(milliseconds: nil))
        #expect(try await device.finish(id) == .queued)
        #expect(try await device.finish(id) == .queued)
        // A number that the device never had is refused with the store's error.
        await #expect(throws: StoreError(.transactionNotFound, transactionID: TransactionID(999))) {
            try await device.finish(TransactionID(999))
        }
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)
        try await device.launch()
        try await device.setNetwork(.on)
        try await home.untilFinished()
    }

    @Test("a finish sent on return is told once, and after what was missed before it")
    func finishInOrder() async throws {
        let id = try #require(
            try await home.session().purchase(.of(SampleCatalog.coins)).number)
        let device = try await home.open()
        _ = try await device.knownUnfinished()
        try await device.setNetwork(.off(milliseconds: nil))
        #expect(try await device.finish(id) == .queued)
        let updates = device.updates()
        try await device.launch()
        let tablet = home.session("tablet")
        let missed = try #require(try await tablet.purchase(.of(SampleCatalog.theme)).number)
        _ = try await tablet.finish(missed)
        try await device.setNetwork(.on)
        try await home.untilFinished()
        // Its end comes after all that was finished before.
        let last = try #require(try await tablet.purchase(.of(SampleCatalog.otherTheme)).number)
        _ = try await tablet.finish(last)
        var arrived: [TransactionID] = []
        var finished: [TransactionID] = []
        for await update in updates {
            if let id = update.arrived { arrived.append(id) }
            guard let id = update.finishedID else { continue }
            finished.append(id)
            if id == last { break }
        }
        #expect(arrived == [missed, last])
        #expect(finished == [missed, id, last])
    }

    @Test("what a device delivers is finished on return if the network was cut before")
    func finishOfDelivery() async throws {
        let folder = try home.deviceFolder().path
        let device = try await home.launch { script in
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                try DeviceNetwork(folder: folder).set(.off(milliseconds: nil))
                throw StoreError.networkIsOff
            }
        }
        let updates = device.updates()
        let wakes = device.downloadWakes()
        // If the answer is lost, the device learns of the sale when the network is back.
        _ = try? await device.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(1, on: device)
        for await _ in wakes where device.network().isOff { break }
        await device.close()
        #expect(await updates.first(\.trouble) == nil, "being offline is no trouble")
        let next = try await home.launch()
        try await next.setNetwork(.on)
        try await home.untilFinished()
        #expect(try await next.balances().coins == 10)
    }

    @Test("a download waits while the network is off, and goes on by itself")
    func downloads() async throws {
        let folder = try home.deviceFolder().path
        let tally = Tally()
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                if tally.add() == 2 {
                    try DeviceNetwork(folder: folder).set(.off(milliseconds: nil))
                }
            }
        }
        let wakes = device.downloadWakes()
        _ = try await device.buy(.of(SampleCatalog.book))
        var row: Download?
        for await _ in wakes {
            row = try await device.downloads().first
            if row?.error != nil { break }
        }
        #expect(row?.state == .waiting)
        #expect(row?.error?.isNetworkOff == true)
        #expect((row?.bytesReceived ?? 0) > 0)
        try await device.setNetwork(.on)
        try await home.untilFinished()
        #expect(try await device.downloads().map(\.state) == [.finished])
    }

    @Test("a download that goes on after the network was off is under way as soon as bytes arrive")
    func downloadsMoveAgain() async throws {
        let names = ["a", "b", "c", "d", "e", "f"]
        let home = try await Home(
            book: Dictionary(
                uniqueKeysWithValues: names.map { ("book/\($0).txt", "It went out.") }))
        let folder = try home.deviceFolder().path
        let tally = Tally()
        let gate = Gate()
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                switch tally.add() {
                case 2: try DeviceNetwork(folder: folder).set(.off(milliseconds: nil))
                // At least one file has arrived since the network came back.
                case 5: await gate.pass()
                default: break
                }
            }
        }
        let wakes = device.downloadWakes()
        _ = try await device.buy(.of(SampleCatalog.book))
        for await _ in wakes {
            if try await device.downloads().first?.error != nil { break }
        }
        try await device.setNetwork(.on)
        await gate.reached()
        let row = try #require(try await device.downloads().first)
        #expect(row.state == .active && row.error == nil)
        #expect(row.bytesReceived > 0)
        gate.open()
        try await home.untilFinished()
    }

    @Test("what was missed arrives in order when the network is back [F4]")
    func missed() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilFinished()
        try await device.setNetwork(.off(milliseconds: nil))
        var expected: [TransactionID] = []
        for product in [
            SampleCatalog.theme, SampleCatalog.otherTheme, SampleCatalog.free,
            SampleCatalog.monthly,
        ] {
            let outcome = try await home.session("tablet").purchase(.of(product))
            expected.append(try #require(outcome.number))
        }
        let updates = device.updates()
        try await device.setNetwork(.on)
        var arrived: [TransactionID] = []
        for await update in updates {
            if let id = update.arrived, expected.contains(id) { arrived.append(id) }
            if arrived.count == expected.count { break }
        }
        #expect(arrived == expected)
        try await home.untilDelivered(5, on: device)
    }

    @Test("sales, refunds and revocations that were missed arrive in the store's order")
    func missedChanges() async throws {
        let device = try await home.launch()
        let sepia = try #require(try await device.buy(.of(SampleCatalog.theme)).number)
        try await home.untilFinished()
        try await device.setNetwork(.off(milliseconds: nil))
        let console = home.store.console
        func sell(_ product: ProductID) async throws -> TransactionID {
            try #require(try await home.session("tablet").purchase(.of(product)).number)
        }
        _ = try await console.perform(.refund(sepia, .rest, reason: .other))
        let second = try await sell(SampleCatalog.otherTheme)
        _ = try await console.perform(.reverseRefund(sepia))
        let third = try await sell(SampleCatalog.free)
        _ = try await console.perform(.revoke(second))
        let updates = device.updates()
        try await device.setNetwork(.on)
        var seen: [String] = []
        for await update in updates {
            if let id = update.arrived { seen.append("sold \(id)") }
            if case .revised(let payload, _, _) = update {
                seen.append("revised \(payload.transactionId)")
            }
            if seen.count == 5 { break }
        }
        #expect(
            seen == [
                "revised \(sepia)", "sold \(second)", "revised \(sepia)", "sold \(third)",
                "revised \(second)",
            ])
    }

    // MARK: - The switch

    @Test("every process of the device sees the change at once, and only its own device's")
    func everyProcess() async throws {
        let one = try await home.launch()
        let two = try await home.open()
        let tablet = try await home.open("tablet")
        let other = try await home.open(of: "kai")
        for change in [NetworkChange.off(milliseconds: nil), .on, .off(milliseconds: 60_000)] {
            try await one.setNetwork(change)
            #expect(two.network().isOff == (change != .on))
            #expect(one.network().isOff == (change != .on))
            #expect(!tablet.network().isOff && !other.network().isOff)
        }
        let wakes = one.downloadWakes()
        try await two.setNetwork(.on)
        for await _ in wakes where !one.network().isOff { break }
    }

    @Test(
        "a cut for a time ends by elapsed time, whatever the clocks say, and outlives its process")
    func deadline() async throws {
        let time = SetTime()
        let folder = home.folder.path
        let network = DeviceNetwork(folder: folder, time: { time.value })
        try network.set(.off(milliseconds: 30_000))
        time.pass(29_000)
        #expect(network.state() == .off(remaining: 1_000))
        // Another process computes the same, also after the system's clock was set.
        let next = DeviceNetwork(folder: folder, time: { time.value })
        time.set { $0.system = $0.system.advanced(byMilliseconds: 86_400_000) }
        #expect(next.state() == .off(remaining: 1_000))
        time.set { $0.system = $0.system.advanced(byMilliseconds: -172_800_000) }
        #expect(next.state() == .off(remaining: 1_000))
        time.pass(1_000)
        #expect(next.state() == .on)

        // After a restart only the system's clock tells the time left, at most the time set.
        try network.set(.off(milliseconds: 30_000))
        time.set {
            $0.bootID = "another"
            $0.uptime = 5
            $0.system = $0.system.advanced(byMilliseconds: 20_000)
        }
        #expect(next.state() == .off(remaining: 10_000))
        time.set { $0.system = $0.system.advanced(byMilliseconds: -86_400_000) }
        #expect(next.state() == .off(remaining: 30_000))
        time.set { $0.system = $0.system.advanced(byMilliseconds: 86_410_000) }
        #expect(next.state() == .on)

        // A network that is cut after a payment: its duration begins with the cut.
        try network.set(.offAfterPayment(milliseconds: 500))
        time.pass(90_000)
        #expect(next.state() == .offAfterPayment(milliseconds: 500))
        for wrong in [0, -1, NetworkChange.millisecondsMax + 1, .max] {
            #expect(throws: StoreError.self) { try network.set(.off(milliseconds: wrong)) }
        }
    }

    @Test("with a slow network each thing that a customer waits for takes the delay longer [C9]")
    func slow() async throws {
        let hand = HandClock()
        let device = try await home.open(elapsed: hand, networkTime: SetTime())
        try await device.launch()
        #expect(try await device.products(nil).isFresh)
        try await device.setNetwork(.slow(milliseconds: 5_000))
        #expect(device.network() == .slow(milliseconds: 5_000))
        let payment = Payment.of(SampleCatalog.theme)
        async let bought = device.buy(payment)
        await hand.untilSleeping()
        #expect(try await home.salesCount() == 0)
        #expect(try await device.queuedPayments().map(\.state) == [.purchasing])
        hand.pass(.milliseconds(4_999))
        #expect(try await home.salesCount() == 0)
        hand.pass(.milliseconds(1))
        #expect(try await bought.isPurchased)
        #expect(try await home.salesCount() == 1)

        async let products = device.products(nil)
        await hand.untilSleeping()
        // Cut meanwhile: it did not answer, and the device tells what it knows.
        try await device.setNetwork(.off(milliseconds: nil))
        hand.pass(.seconds(5))
        #expect(try await products.isFresh == false)
        for wrong in [0, -1, NetworkChange.delayMax + 1] {
            let error = await #expect(throws: StoreError.self) {
                try await device.setNetwork(.slow(milliseconds: wrong))
            }
            #expect(error?.code == .invalidName)
        }
    }

    @Test("a launched device is back by itself when the time is over")
    func backByItself() async throws {
        let time = SetTime()
        let hand = HandClock()
        let device = try await home.open(elapsed: hand, networkTime: time)
        try await device.launch()
        try await device.setNetwork(.off(milliseconds: 500))
        _ = try await home.session("tablet").purchase(.of(SampleCatalog.theme))
        await hand.untilSleeping()
        time.pass(500)
        hand.pass(.milliseconds(500))
        try await home.until(device) { try await device.deliveries().count == 1 }
    }
}

/// The system's times, set by a test.
final class SetTime: Sendable {
    private let time = Mutex(
        NetworkTime(
            bootID: "one", uptime: 1_000, system: Timestamp(milliseconds: 1_800_000_000_000)))

    var value: NetworkTime { time.withLock { $0 } }
    func set(_ change: (inout NetworkTime) -> Void) { time.withLock { change(&$0) } }

    func pass(_ milliseconds: Int64) {
        set {
            $0.uptime += milliseconds
            $0.system = $0.system.advanced(byMilliseconds: milliseconds)
        }
    }
}
