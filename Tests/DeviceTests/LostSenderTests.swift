import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Payments whose process ended after it queued them and before the store answered.
@Suite("payments whose sending process ended", .timeLimit(.minutes(10))) struct LostSenderTests {
    private let home: Home

    init() async throws { home = try await Home() }

    /// Leaves a payment in the queue without a process that sends it, as after SIGKILL.
    private func leave(_ quantity: Int = 1) async throws -> Payment {
        let device = try await home.open { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in
                throw StoreError(.outcomeUnknown)
            }
        }
        let payment = Payment.of(SampleCatalog.coins, quantity: quantity)
        let error = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(error?.code == .outcomeUnknown)
        #expect(error?.paymentID == payment.id)
        await device.close()
        return payment
    }

    private var price: Money {
        get async throws {
            try #require(
                try await home.session().products([SampleCatalog.coins]).products.first
            ).price
        }
    }

    @Test("the delivering process reports a lost payment, then sends it")
    func takenOver() async throws {
        let delivering = try await home.launch()
        let updates = delivering.updates()
        let payment = try await leave(3)
        #expect(await updates.first(\.resent) == payment)
        let outcome = await updates.first { update in
            if case .resent(let queued, let outcome) = update, queued.payment == payment {
                outcome
            } else {
                nil
            }
        }
        #expect(outcome?.isPurchased == true)
        try await home.untilDelivered(1, on: delivering)
        try await home.until(delivering) { try await delivering.queuedPayments().isEmpty }
        #expect(try await home.salesCount() == 1)
        #expect(try await delivering.balances().coins == 30)
    }

    @Test("a payment is not sent again while the process that sends it still runs")
    func stillSent() async throws {
        let gate = Gate()
        let sender = try await home.open { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in await gate.pass() }
        }
        let sent = Tally()
        let delivering = try await home.launch { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in sent.add() }
        }
        let payment = Payment.of(SampleCatalog.coins)
        async let outcome = sender.buy(payment)
        await gate.reached()
        #expect(try await delivering.paymentsBeingSent().map(\.payment) == [payment])
        // The delivering process checks the queue after every commit, so also after this one.
        let other = Payment.of(SampleCatalog.coins)
        #expect(try await delivering.buy(other).isPurchased)
        try await home.untilDelivered(1, on: delivering)
        #expect(sent.count == 1)
        gate.open()
        #expect(try await outcome.isPurchased)
        try await home.untilDelivered(2, on: delivering)
        #expect(sent.count == 1)
    }

    @Test("a lost payment that costs more than the current purchase is held and reported")
    func large() async throws {
        let payment = try await leave(10)
        let device = try await home.open()
        let updates = device.updates()
        try await device.launch(resendingAtMost: price)
        #expect(await updates.first(\.held) == payment)
        try await home.until(device) { try await device.queuedPayments().map(\.state) == [.held] }
        #expect(try await device.paymentsBeingSent().isEmpty, "a held payment is not being sent")
        #expect(try await device.buy(.of(SampleCatalog.coins)).isPurchased)
        try await home.untilDelivered(1, on: device)
        #expect(try await home.salesCount() == 1)
        await device.close()

        // The payment stays held and is reported again. Buying with its id sends it.
        let next = try await home.open()
        let again = next.updates()
        try await next.launch()
        #expect(await again.first(\.held) == payment)
        #expect(try await next.buy(payment).isPurchased)
        try await home.until(next) { try await next.queuedPayments().isEmpty }
        #expect(try await home.salesCount() == 2)
        #expect(try await next.balances().coins == 110)
    }

    @Test("a lost payment that costs no more than the current purchase is reported and sent")
    func small() async throws {
        let payment = try await leave()
        let device = try await home.open()
        let updates = device.updates()
        try await device.launch(resendingAtMost: price)
        #expect(await updates.first(\.resent) == payment)
        try await home.untilDelivered(1, on: device)
    }

    @Test("beside a delivering process that leaves payments alone, another process sends it")
    func leftAlone() async throws {
        let unattended = try await home.open()
        try await unattended.launchToDeliver(leavingPayments: true)
        let payment = try await leave()
        #expect(try await unattended.queuedPayments().map(\.state) == [.purchasing])

        let shop = try await home.open()
        let updates = shop.updates()
        try await shop.launch()
        #expect(await updates.first(\.resent) == payment)
        try await home.untilDelivered(1, on: unattended)
        try await home.until(shop) { try await shop.queuedPayments().isEmpty }
        #expect(await unattended.holdsLease)
        #expect(try await home.salesCount() == 1)
        try await home.until(shop) {
            try await shop.logEntries(before: nil, limit: 10).map(\.what)
                == [.paymentResent(payment.id, SampleCatalog.coins)]
        }
    }

    @Test("a process without the lease leaves a payment that it may not send to one that may")
    func notHeldByWatcher() async throws {
        let unattended = try await home.open()
        try await unattended.launchToDeliver(leavingPayments: true)
        _ = try await leave(10)
        let buyer = try await home.open()
        try await buyer.launch(resendingAtMost: price)
        #expect(try await buyer.buy(.of(SampleCatalog.coins)).isPurchased)
        try await home.untilDelivered(1, on: unattended)
        #expect(try await buyer.queuedPayments().map(\.state) == [.purchasing])
        await buyer.close()

        let shop = try await home.launch()
        try await home.untilDelivered(2, on: unattended)
        try await home.until(shop) { try await shop.queuedPayments().isEmpty }
        #expect(try await shop.balances().coins == 110)
        #expect(try await home.salesCount() == 2)
    }

    @Test("an old lost payment is held for a person to decide")
    func old() async throws {
        let payment = try await leave()
        home.store.clock.advance(byMilliseconds: DeviceLimits.resendMillisecondsMax + 1)
        let device = try await home.open()
        let updates = device.updates()
        try await device.launch()
        #expect(await updates.first(\.held) == payment)
        #expect(try await home.salesCount() == 0)
    }

    @Test("an old lost payment that was sold gets its result and is not held")
    func oldAndSold() async throws {
        let payment = try await leave()
        _ = try await home.session().purchase(payment)
        home.store.clock.advance(byMilliseconds: DeviceLimits.resendMillisecondsMax + 1)
        let device = try await home.launch()
        try await home.untilDelivered(1, on: device)
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await home.salesCount() == 1)
    }

    @Test("a dropped payment is never sent, and dropping a sold one reports the sale")
    func dropped() async throws {
        let payment = try await leave()
        let device = try await home.open()
        #expect(try await device.drop(payment.id) == nil)
        #expect(try await device.queuedPayments().isEmpty)
        let error = await #expect(throws: StoreError.self) { try await device.drop(payment.id) }
        #expect(error?.code == .paymentNotQueued)
        await device.close()

        let sold = try await leave()
        _ = try await home.session().purchase(sold)
        let next = try await home.open()
        #expect(try await next.drop(sold.id)?.isPurchased == true)
        #expect(try await home.salesCount() == 1)
    }
}

extension DeviceUpdate {
    fileprivate var resent: Payment? {
        if case .resending(let queued) = self { queued.payment } else { nil }
    }

    fileprivate var held: Payment? {
        if case .held(let queued) = self { queued.payment } else { nil }
    }
}
