import Foundation
import SQLiteLedger
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PaymentQueueTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test("a payment is recorded in the queue before it is sent [A2]")
    func aPaymentIsWrittenBeforeItIsSent() async throws {
        let gate = Gate()
        let device = try await home.launch { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in await gate.pass() }
        }
        let payment = Payment.of(SampleCatalog.coins)
        async let outcome = device.buy(payment)
        await gate.reached()
        let queued = try await device.queuedPayments()
        #expect(queued.map(\.payment) == [payment])
        #expect(queued.map(\.state) == [.purchasing])
        gate.open()
        #expect(try await outcome.isPurchased)
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await device.balances().coins == 10)
    }

    @Test(
        "a payment whose answer was lost is sent again and sold once",
        arguments: [true, false])
    func afterALostAnswerTheSamePaymentIsSentAgainAndSoldOnce(_ arrived: Bool) async throws {
        let lost = StoreError(.outcomeUnknown, cause: "cut off")
        let fail = { @Sendable (_: Payment) async throws(StoreError) in throw lost }
        let first = try await home.open { script in
            if arrived { script.afterPurchase = fail } else { script.beforePurchase = fail }
        }
        let payment = Payment.of(SampleCatalog.coins, quantity: 2)
        let error = await #expect(throws: StoreError.self) { try await first.buy(payment) }
        #expect(error?.code == lost.code)
        #expect(error?.paymentID == payment.id)
        #expect(try await first.queuedPayments().map(\.payment) == [payment])
        #expect(try await home.salesCount() == (arrived ? 1 : 0))
        await first.close()

        let second = try await home.launch()
        try await home.untilDelivered(1, on: second)
        try await home.until(second) { try await second.queuedPayments().isEmpty }
        #expect(try await home.salesCount() == 1)
        #expect(try await second.balances().coins == 20)
    }

    @Test("a refused payment leaves the queue")
    func aRefusalLeavesNothingInTheQueue() async throws {
        let device = try await home.launch()
        let error = await #expect(throws: StoreError.self) {
            try await device.buy(.of("test.unheard"))
        }
        #expect(error?.code == .productUnavailable)
        #expect(try await device.queuedPayments().isEmpty)
    }

    @Test("a failed payment is reported and leaves the queue [A2]")
    func aFailureIsToldAndLeavesTheQueue() async throws {
        let device = try await home.launch()
        let updates = device.updates()
        try await home.store.console.failNext(.purchase, error: .paymentDeclined, count: 1)
        let outcome = try await device.buy(.of(SampleCatalog.coins))
        #expect(outcome.failure?.code == .paymentDeclined)
        #expect(await updates.first(\.failure)?.code == .paymentDeclined)
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await device.deliveries().isEmpty)
    }

    @Test("sending an answered payment again leaves nothing in the queue")
    func aPaymentAnsweredLongAgoDoesNotStayInTheQueue() async throws {
        let device = try await home.launch()
        let sold = Payment.of(SampleCatalog.coins)
        _ = try await device.buy(sold)
        try await home.untilFinished()
        try await home.store.console.failNext(.purchase, error: .unknown, count: 1)
        let failed = Payment.of(SampleCatalog.coins)
        _ = try await device.buy(failed)
        try await home.until(device) { try await device.queuedPayments().isEmpty }

        for payment in [sold, failed] { _ = try await device.buy(payment) }
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await device.balances().coins == 10)
    }

    @Test("buying an owned product records its delivery here without a charge")
    func whatIsOwnedIsRecordedHereFree() async throws {
        _ = try await home.session("tablet").purchase(.of(SampleCatalog.theme))
        let device = try await home.open()
        let outcome = try await device.buy(.of(SampleCatalog.theme))
        guard case .purchased(_, _, alreadyOwned: true) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try await device.deliveries().map(\.productID) == [SampleCatalog.theme])
        #expect(try await device.queuedPayments().isEmpty)
    }

    // MARK: - Ask to Buy

    private func askToBuy(_ store: TestStore) async throws {
        _ = try await store.console.changeAccount(
            "aoi", askToBuy: true, canMakePayments: nil, territory: nil)
    }

    @Test("a request approved in another process is delivered [A1]")
    func aRequestApprovedInAnotherProcessCompletes() async throws {
        let folder = try TemporaryFolder()
        let home = try await Home(ledger: SQLiteLedger(path: folder.path + "/store.sqlite"))
        let console = try await TestStore(
            ledger: SQLiteLedger(path: folder.path + "/store.sqlite"), digest: "one")
        try await askToBuy(home.store)
        let device = try await home.launch()
        let outcome = try await device.buy(.of(SampleCatalog.coins))
        let request = try #require(outcome.number)
        try await home.until(device) {
            try await device.queuedPayments().map(\.state) == [.deferred]
        }
        #expect(try await device.queuedPayments().map(\.request) == [request])
        #expect(try await device.deliveries().isEmpty)

        _ = try await console.console.approve(request)
        try await home.untilDelivered(1, on: device)
        #expect(try await device.queuedPayments().isEmpty)
        #expect(try await device.balances().coins == 10)
    }

    @Test("a declined request is reported and leaves the queue [A2]")
    func aDeclinedRequestLeavesTheQueueAndIsTold() async throws {
        try await askToBuy(home.store)
        let device = try await home.launch()
        let updates = device.updates()
        let request = try #require(try await device.buy(.of(SampleCatalog.theme)).number)
        try await home.store.console.decline(request)
        #expect(await updates.first(\.failure)?.code == .approvalDeclined)
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await device.deliveries().isEmpty)
    }

    @Test("a payment awaiting approval is not sent again at launch")
    func aRequestThatWaitsIsNotSentAgainAtLaunch() async throws {
        try await askToBuy(home.store)
        let first = try await home.launch()
        _ = try await first.buy(.of(SampleCatalog.theme))
        try await home.until(first) {
            try await first.queuedPayments().map(\.state) == [.deferred]
        }
        await first.close()
        let sent = Tally()
        let second = try await home.launch { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in sent.add() }
        }
        let request = try #require(try await second.queuedPayments().first?.request)
        _ = try await home.store.console.approve(request)
        try await home.untilDelivered(1, on: second)
        #expect(sent.count == 0)
    }

    @Test("a change of plan for later that was approved leaves the queue, and delivers nothing")
    func anApprovedChangeOfPlanLeavesTheQueue() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.yearly))
        try await home.untilDelivered(1, on: device)
        try await askToBuy(home.store)
        let updates = device.updates()
        let payment = Payment.of(SampleCatalog.monthly)
        let request = try #require(try await device.buy(payment).number)
        try await home.until(device) {
            try await device.queuedPayments().map(\.request) == [request]
        }
        _ = try await home.store.console.perform(.approve(request))
        let answered = await updates.first { update in
            if case .event(.subscriptionChanged(let change)) = update {
                change.answers
            } else {
                nil
            }
        }
        #expect(answered?.paymentID == payment.id && answered?.request == request)
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await device.deliveries().map(\.productID) == [SampleCatalog.yearly])
    }

    // MARK: - Errors

    @Test("a store that is busy at launch is reported and retried")
    func aBusyStoreAtLaunchIsToldAndTriedAgain() async throws {
        let tries = Tally()
        _ = try await home.session().purchase(.of(SampleCatalog.coins))
        let device = try await home.open { script in
            script.beforeUnfinished = { () async throws(StoreError) in
                if tries.add() == 1 { throw StoreError(.storeBusy) }
            }
        }
        let updates = device.updates()
        try await device.launch()
        #expect(await updates.first(\.trouble)?.code == .storeBusy)
        try await home.untilDelivered(1, on: device)
    }
}
