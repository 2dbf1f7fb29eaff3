import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct SeveralDevicesTests {
    private let home: Home

    init() async throws { home = try await Home() }

    /// A device that delivers, but whose every `finish` fails.
    private func launchWithFailingFinish(_ name: DeviceName = "phone") async throws -> Device {
        try await home.launch(name) { script in
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                throw StoreError(.storeBusy)
            }
        }
    }

    // MARK: - One device, several processes

    @Test("one process delivers, and another takes over when it ends")
    func oneProcessDeliversAndAnotherTakesOverWhenItEnds() async throws {
        let first = try await home.launch()
        let second = try await home.launch()
        #expect(await first.holdsLease)
        #expect(await !second.holdsLease)
        let watched = second.updates()
        let id = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        #expect(await watched.first(\.arrived) == id, "the process that only watches sees it too")
        try await home.untilFinished()
        #expect(try await second.balances().coins == 10, "delivered by the first")

        await first.close()
        let next = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        #expect(await watched.first { $0.arrived == next ? next : nil } == next)
        try await home.untilDelivered(2, on: second)
        try await home.untilFinished()
        #expect(await second.holdsLease)
        #expect(try await second.balances().coins == 20)
    }

    @Test("a suspended process lets another deliver, and misses no update")
    func aSuspendedProcessLetsAnotherDeliver() async throws {
        let first = try await home.launch()
        let second = try await home.launch()
        let watched = first.updates()
        await first.suspend()
        let delivered = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        try await home.untilFinished()
        #expect(await second.holdsLease)
        #expect(await !first.holdsLease)

        try await first.launch()
        #expect(await !first.holdsLease, "the other delivers now")
        let seen = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        #expect(await watched.first(\.arrived) == delivered)
        #expect(await watched.first { $0.arrived == seen ? seen : nil } == seen)
        await second.close()
        let last = try #require(try await first.buy(.of(SampleCatalog.coins)).number)
        #expect(await watched.first { $0.arrived == last ? last : nil } == last)
        try await home.untilFinished()
        #expect(await first.holdsLease)
        #expect(try await first.balances().coins == 30)
    }

    @Test("a suspended process never takes the lease")
    func aSuspendedProcessNeverTakesTheLease() async throws {
        let first = try await home.launch()
        let second = try await home.launch()
        await second.suspend()
        await first.suspend()
        try await second.launch()
        _ = try await first.buy(.of(SampleCatalog.coins))
        try await home.untilFinished()
        #expect(await second.holdsLease)
        await second.suspend()
        try await first.launch()
        _ = try await second.buy(.of(SampleCatalog.coins))
        try await home.untilFinished()
        #expect(await first.holdsLease)
        #expect(await !second.holdsLease)
    }

    @Test("a closed process never takes the lease")
    func aClosedProcessNeverTakesTheLease() async throws {
        let first = try await home.launch()
        let second = try await home.launch()
        await second.close()
        await first.close()
        let third = try await home.launch()
        _ = try await third.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(1, on: third)
        try await home.untilFinished()
        #expect(await !second.holdsLease)
    }

    @Test("every update is reported once across a takeover")
    func whatWasTakenOverIsToldOnce() async throws {
        let first = try await home.launch()
        let second = try await home.launch()
        let watched = second.updates()
        var bought: [TransactionID] = []
        for round in 0..<3 {
            bought.append(try #require(try await second.buy(.of(SampleCatalog.coins)).number))
            if round == 1 {
                try await home.untilFinished()
                await first.close()
            }
        }
        try await home.untilFinished()
        // One more purchase marks the end: a repeated report would come before its own.
        let last = try #require(try await second.buy(.of(SampleCatalog.theme)).number)
        bought.append(last)
        var arrived: [TransactionID] = []
        var finished: [TransactionID] = []
        for await update in watched {
            if let id = update.arrived { arrived.append(id) }
            if let id = update.finishedID { finished.append(id) }
            if finished.contains(last) { break }
        }
        #expect(arrived == bought)
        #expect(finished == bought)
        #expect(try await second.balances().coins == 30)
    }

    @Test("an unfinished sale found at launch and its feed event are reported once")
    func aLaunchAndTheEventOfASale() async throws {
        let first = try await launchWithFailingFinish()
        let gate = Gate()
        let second = try await home.launch { script in
            script.beforeUnfinished = { () async throws(StoreError) in await gate.pass() }
        }
        await gate.reached()
        // After the second process's cursor, and before it reads the unfinished transactions.
        let watched = second.updates()
        let sold = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        gate.open()
        #expect(await watched.first(\.arrived) == sold)
        let last = try #require(try await second.buy(.of(SampleCatalog.theme)).number)
        #expect(await watched.first(\.arrived) == last, "and not the first once more")
        await first.close()
    }

    @Test("updates reported before a takeover are not reported again after it")
    func takingOverInTheMiddle() async throws {
        let first = try await home.launch()
        let gate = Gate()
        let reads = Tally()
        let second = try await home.launch { script in
            script.beforeUnfinished = { () async throws(StoreError) in
                if reads.add() > 1 { await gate.pass() }
            }
        }
        let watched = second.updates()
        let reported = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        #expect(await watched.first(\.finishedID) == reported)
        await first.close()
        await gate.reached()
        // One batch holds the first sale's finish, the next sale, and that sale's finish.
        let next = try #require(try await second.buy(.of(SampleCatalog.coins)).number)
        gate.open()
        #expect(await watched.first(\.finishedID) == next)
        let last = try #require(try await second.buy(.of(SampleCatalog.theme)).number)
        #expect(await watched.first(\.finishedID) == last)
    }

    // MARK: - One account, several devices

    @Test("a consumable is delivered to its own device, other products to every device [F3]")
    func aConsumableBelongsToItsDeviceAndTheRestToAll() async throws {
        let phone = try await home.launch("phone")
        let tablet = try await home.launch("tablet")
        _ = try await phone.buy(.of(SampleCatalog.coins))
        _ = try await phone.buy(.of(SampleCatalog.theme))
        try await home.untilDelivered(1, on: tablet)
        try await home.untilDelivered(2, on: phone)
        #expect(try await tablet.deliveries().map(\.productID) == [SampleCatalog.theme])
        #expect(try await tablet.balances().isEmpty)
        #expect(try await phone.balances().coins == 10)
    }

    @Test("the accounts of one device are kept apart")
    func accountsOfOneDeviceAreKeptApart() async throws {
        let aoi = try await home.launch(of: "aoi")
        let kai = try await home.launch(of: "kai")
        _ = try await aoi.buy(.of(SampleCatalog.theme))
        _ = try await kai.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(1, on: kai)
        try await home.untilDelivered(1, on: aoi)
        #expect(try await kai.deliveries().map(\.productID) == [SampleCatalog.coins])
    }

    @Test("a claim moves an undelivered consumable to another device")
    func aClaimMovesWhatWasNeverDelivered() async throws {
        let phone = try await home.open("phone")
        let id = try #require(try await phone.buy(.of(SampleCatalog.coins)).number)
        await phone.close()
        let tablet = try await home.launch("tablet")
        try await tablet.claim(id)
        try await home.untilDelivered(1, on: tablet)
        try await home.untilFinished()

        let again = try await home.launch("phone")
        _ = try await again.buy(.of(SampleCatalog.pass))
        try await home.until(again) {
            try await again.deliveries().contains { $0.productID == SampleCatalog.pass }
        }
        try await expectCoins(10, tablet, again)
    }

    @Test(
        "a consumable sold outside the app arrives on the account's only device, as new [C5]",
        arguments: [false, true])
    func outside(isLaunchedBefore: Bool) async throws {
        var phone = try await home.open("phone")
        if isLaunchedBefore { try await phone.launch() }
        let watched = phone.updates()
        _ = try await home.store.console.perform(
            .buyOutside(SampleCatalog.coins, account: "aoi", quantity: 2))
        if !isLaunchedBefore {
            #expect(try await phone.undelivered().map(\.isUnclaimed) == [false])
            try await phone.launch()
        }
        let isNew = await watched.first { update -> Bool? in
            if case .transaction(.verified, _, let isNew) = update { isNew } else { nil }
        }
        #expect(isNew == true)
        try await home.untilFinished()
        try await expectCoins(20, phone)
        await phone.close()
        phone = try await home.launch("phone")
        try await expectCoins(20, phone)
        #expect(try await phone.undelivered().isEmpty)
    }

    @Test("where several devices could take a sale made outside the app, a person says which [C5]")
    func outsideOfSeveral() async throws {
        let phone = try await home.open("phone")
        let tablet = try await home.launch("tablet")
        let events = try await home.store.console.perform(
            .buyOutside(SampleCatalog.coins, account: "aoi", quantity: 1))
        let id = try #require(events.compactMap(\.sale).first?.id)
        _ = try await tablet.buy(.of(SampleCatalog.theme))
        try await home.untilDelivered(1, on: tablet)
        let waiting = try await phone.undelivered()
        #expect(waiting.filter(\.isUnclaimed).map(\.id) == [id], "said by each of them")
        try await phone.launch()
        try await phone.claim(id)
        try await home.until(phone) { try await phone.balances().coins == 10 }
        try await home.untilFinished()
        try await expectCoins(10, phone, tablet)
    }

    @Test("a claim takes back what the first device had granted")
    func aClaimTakesBackWhatTheFirstHadGranted() async throws {
        let phone = try await launchWithFailingFinish()
        let id = try #require(try await phone.buy(.of(SampleCatalog.coins)).number)
        try await home.untilDelivered(1, on: phone)
        let tablet = try await home.launch("tablet")
        try await tablet.claim(id)
        try await home.untilDelivered(1, on: tablet)
        await phone.close()
        let again = try await home.launch("phone")
        try await home.until(again) { try await again.deliveries().map(\.isVoid) == [true] }
        try await expectCoins(10, tablet, again)
    }

    @Test("a consumable that is claimed back is granted again")
    func whatIsClaimedBackIsGrantedAgain() async throws {
        var phone = try await launchWithFailingFinish("phone")
        let id = try #require(try await phone.buy(.of(SampleCatalog.coins)).number)
        try await home.untilDelivered(1, on: phone)
        await phone.close()
        var tablet = try await launchWithFailingFinish("tablet")
        try await tablet.claim(id)
        try await home.untilDelivered(1, on: tablet)
        await tablet.close()
        phone = try await home.launch("phone")
        try await home.until(phone) { try await phone.deliveries().map(\.isVoid) == [true] }
        try await phone.claim(id)
        try await home.untilFinished()
        tablet = try await home.launch("tablet")
        try await home.until(tablet) { try await tablet.deliveries().map(\.isVoid) == [true] }
        try await expectCoins(10, phone, tablet)
    }

    @Test("a claim reversed before the device reads it takes nothing back")
    func aClaimTakenBackBeforeItWasReadTakesNothing() async throws {
        let id = Mutex<TransactionID?>(nil)
        let tablet = home.session("tablet")
        let own = home.session("phone")
        // The tablet claims the sale and the phone claims it back, just before its own finish.
        let phone = try await home.launch("phone") { script in
            script.beforeFinish = { (finished: TransactionID) async throws(StoreError) in
                guard id.withLock({ $0 }) == nil else { return }
                id.withLock { $0 = finished }
                _ = try await tablet.claim(finished)
                _ = try await own.claim(finished)
            }
        }
        _ = try await phone.buy(.of(SampleCatalog.coins))
        try await home.untilFinished()
        _ = try await phone.buy(.of(SampleCatalog.pass))
        try await home.until(phone) {
            try await phone.deliveries().contains { $0.productID == SampleCatalog.pass }
        }
        try await expectCoins(10, phone)
    }

    private func expectCoins(_ amount: Int64, _ devices: Device...) async throws {
        var sum: Int64 = 0
        for device in devices { sum += try await device.balances().coins }
        #expect(sum == amount)
    }

    // MARK: - Restoring

    @Test("a restore records each purchase once and downloads nothing [A3, E4]")
    func aRestoreRecordsEverythingOnceAndDownloadsNothing() async throws {
        let phone = try await home.launch("phone")
        for product in [SampleCatalog.theme, SampleCatalog.book, SampleCatalog.coins] {
            _ = try await phone.buy(.of(product))
        }
        try await home.untilFinished()
        let tablet = try await home.launch("tablet")
        let summary = try await tablet.restore()
        #expect(
            Set(summary.restored.map(\.productId)) == [SampleCatalog.theme, SampleCatalog.book])
        #expect(summary.alreadyHere.isEmpty)
        let again = try await tablet.restore()
        #expect(again.restored.isEmpty)
        #expect(again.alreadyHere.count == 2)
        #expect(try await tablet.deliveries().count == 2)
        #expect(try await tablet.downloads().isEmpty)
        #expect(try await tablet.balances().isEmpty)

        try await tablet.resumeDownloads(of: SampleCatalog.book)
        try await home.until(tablet) { try await tablet.downloads().map(\.state) == [.finished] }
    }

    @Test("a restore of more than one page misses nothing")
    func aRestoreOfManyPagesMissesNothing() async throws {
        let session = home.session()
        let count = DeviceLimits.restorePage + 5
        for _ in 0..<count { _ = try await session.purchase(.of(SampleCatalog.pass)) }
        let tablet = try await home.open("tablet")
        #expect(try await tablet.restore().restored.count == count)
    }
}
