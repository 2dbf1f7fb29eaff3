import Foundation
import StoreKitTest
import StoreModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionSubscriptionTests {
    typealias Fixture = SessionFixture

    @Test("a forced renewal cannot be charged while a session lets renewals fail")
    func unpaidRenewal() async throws {
        try await Fixture.with { session in
            session.billingGracePeriodIsEnabled = true
            session.shouldEnterBillingRetryOnRenewal = true
            try await Fixture.buy(Fixture.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Fixture.monthly)
            #expect(try await Fixture.state() == .inGracePeriod)
            #expect(await Fixture.list(Transaction.currentEntitlements).count == 1)
        }
    }

    @Test("a subscription renews and expires when it is told to [H3]")
    func renewAndExpire() async throws {
        try await Fixture.with { session in
            var updates = Transaction.updates.makeAsyncIterator()
            let bought = try await Fixture.buy(Fixture.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Fixture.monthly)
            let renewed = try #require(await updates.next()).payloadValue
            // The end of the first period has moved, which is told first.
            let renewal =
                renewed.id == bought.id
                ? try #require(await updates.next()).payloadValue : renewed
            #expect(renewal.originalID == bought.id && renewal.reason == .renewal)
            #expect(session.allTransactions().map(\.originalTransactionIdentifier).count == 2)
            try session.expireSubscription(productIdentifier: Fixture.monthly)
            #expect(try await Fixture.state() == .expired)
            #expect(await Fixture.list(Transaction.currentEntitlements) == [])
            #expect(throws: SKTestError.self) {
                try session.expireSubscription(productIdentifier: Fixture.monthly)
            }
        }
    }

    @Test("auto-renew is turned off and on")
    func autoRenew() async throws {
        try await Fixture.with { session in
            let id = UInt(try await Fixture.buy(Fixture.monthly).id)
            #expect(session.allTransactions().first?.autoRenewingEnabled == true)
            try session.disableAutoRenewForTransaction(identifier: id)
            #expect(session.allTransactions().first?.autoRenewingEnabled == false)
            try session.enableAutoRenewForTransaction(identifier: id)
            #expect(session.allTransactions().first?.autoRenewingEnabled == true)
        }
    }

    @Test("a price increase is asked for, consented to and declined")
    func priceIncrease() async throws {
        try await Fixture.with { session in
            let id = UInt(try await Fixture.buy(Fixture.monthly).id)
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            #expect(session.allTransactions().first?.isPendingPriceIncreaseConsent == true)
            try session.consentToPriceIncreaseForTransaction(identifier: id)
            #expect(session.allTransactions().first?.isPendingPriceIncreaseConsent == false)
            #expect(throws: SKTestError.self) {
                try session.declinePriceIncreaseForTransaction(identifier: id)
            }
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            try session.declinePriceIncreaseForTransaction(identifier: id)
            #expect(session.allTransactions().first?.autoRenewingEnabled == false)
        }
    }

    @Test("a renewal that is not paid has grace, then retries, until it is resolved")
    func billing() async throws {
        try await Fixture.with { session in
            try session.clock.stop()
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            let bought = try await Fixture.buy(Fixture.monthly)
            try session.clock.advance(byAdding: .month, value: 1)
            #expect(try await Fixture.state() == .inGracePeriod)
            #expect(await Fixture.list(Transaction.currentEntitlements) == [Fixture.monthly])
            try session.clock.advance(byAdding: .day, value: 17)
            #expect(try await Fixture.state() == .inBillingRetryPeriod)
            #expect(session.allTransactions().last?.hasPurchaseIssue == true)
            try session.resolveIssueForTransaction(identifier: UInt(bought.id))
            #expect(try await Fixture.state() == .subscribed)
            #expect(session.allTransactions().last?.hasPurchaseIssue == false)
            // Nothing is left to resolve.
            try session.resolveIssueForTransaction(identifier: UInt(bought.id))
        }
    }

    @Test("a year of a subscription is one call [H3]")
    func year() async throws {
        try await Fixture.with { session in
            try session.clock.stop()
            var updates = Transaction.updates.makeAsyncIterator()
            let bought = try await Fixture.buy(Fixture.monthly)
            try session.clock.advance(byAdding: .year, value: 1)
            for _ in 0..<12 {
                let renewal = try #require(await updates.next()).payloadValue
                #expect(renewal.originalID == bought.id && renewal.reason == .renewal)
            }
            #expect(try await Fixture.state() == .subscribed)
            let present = try #require(await Transaction.latest(for: Fixture.monthly))
            #expect(try #require(present.payloadValue.expirationDate) > session.clock.now)
        }
    }

    @Test("the clock stops, goes on, and moves to the next event, never back")
    func clock() async throws {
        try await Fixture.with { session in
            #expect(!session.clock.isStopped && session.clock.nextEvent == nil)
            #expect(abs(session.clock.now.timeIntervalSinceNow) < 3_600)
            #expect(try session.clock.advanceToNextEvent() == nil)
            try session.clock.stop()
            let stopped = session.clock.now
            let bought = try await Fixture.buy(Fixture.monthly)
            #expect(bought.purchaseDate == stopped && session.clock.now == stopped)
            let next = try #require(session.clock.nextEvent)
            #expect(try session.clock.advanceToNextEvent() == next)
            #expect(session.clock.now == next && session.clock.isStopped)
            #expect(throws: SKTestError.self) { try session.clock.advance(to: stopped) }
            #expect(throws: SKTestError.self) {
                try session.clock.advance(byAdding: .era, value: 1)
            }
            try session.clock.advance(byAdding: .hour, value: 2)
            #expect(session.clock.now == next.addingTimeInterval(7_200))
            try session.clock.resume()
            #expect(!session.clock.isStopped)
        }
    }

    @Test("a rate is the length of periods")
    func rate() async throws {
        try await Fixture.with { session in
            try session.clock.stop()
            session.timeRate = .monthlyRenewalEveryThirtySeconds
            let bought = try await Fixture.buy(Fixture.monthly)
            let end = try #require(bought.expirationDate)
            #expect(end.timeIntervalSince(bought.purchaseDate) == 30)
        }
    }

    /// 10,000 with `STOREKIT_UPDATES=10000`.
    @Test("ten readers get every update in order, each once, before the call returns")
    func manyUpdates() async throws {
        let count = Int(ProcessInfo.processInfo.environment["STOREKIT_UPDATES"] ?? "") ?? 500
        try await Fixture.with { session in
            try session.clock.stop()
            session.timeRate = .oneRenewalEveryTwoSeconds
            try await session.store.perform(.setRenewals(.init(limit: .endless)))
            try await Fixture.buy(Fixture.monthly)
            var readers = (0..<10).map { _ in Transaction.updates.makeAsyncIterator() }
            try session.clock.advance(byAdding: .second, value: count * 2)
            for index in readers.indices {
                var ids: [UInt64] = []
                while ids.count < count, let update = await readers[index].next() {
                    ids.append(update.unsafePayloadValue.id)
                }
                #expect(ids.count == count && Set(ids).count == count && ids == ids.sorted())
            }
        }
    }
}
