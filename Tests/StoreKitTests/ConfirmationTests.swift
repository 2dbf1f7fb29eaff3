import StoreDevice
import StoreHost
import StoreKit
import StoreModel
import Testing

// The policy is the process's: with `ProcessTests`, one after the other.
extension ProcessTests {
    /// Who confirms a purchase: here a shop on the app's device, which is another process in earnest.
    @Suite struct ConfirmationTests {
        private func openShop(of test: TestSession) async throws -> Device {
            let shop = try await test.session.host.device(
                account: test.session.device.account, name: test.session.device.device,
                locale: "en_US")
            try await shop.launch()
            shop.openShop()
            return shop
        }

        private func asked(in shop: Device) async throws -> Payment {
            for await _ in shop.downloadWakes() {
                if let payment = try await shop.askedPayments().first { return payment }
            }
            throw CancellationError()
        }

        private func product(_ id: String) async throws -> Product {
            try #require(try await Product.products(for: [id]).first)
        }

        @Test("an app's purchase is confirmed in the shop that is open on its device [H4]")
        func confirmed() async throws {
            try await TestSession.with { test in
                let shop = try await openShop(of: test)
                let coins = try await product(TestSession.coins)
                async let result = coins.purchase(options: [.quantity(2)])
                let payment = try await asked(in: shop)
                #expect(payment.productID.rawValue == TestSession.coins && payment.quantity == 2)
                try await shop.answer(payment.id, .confirmed)
                guard case .success(let transaction) = try await result else {
                    return #expect(Bool(false))
                }
                #expect(try transaction.payloadValue.purchasedQuantity == 2)
                await shop.close()
            }
        }

        @Test(
            "a purchase that is cancelled there is cancelled for the app, and nothing is sold [H4]")
        func cancelled() async throws {
            try await TestSession.with { test in
                let shop = try await openShop(of: test)
                let theme = try await product(TestSession.theme)
                async let result = theme.purchase()
                try await shop.answer(try await asked(in: shop).id, .cancelled)
                guard case .userCancelled = try await result else { return #expect(Bool(false)) }
                #expect(await Transaction.latest(for: TestSession.theme) == nil)
                await shop.close()
            }
        }

        @Test("a payment that the person cancels in the shop fails with paymentCancelled")
        func cancelledPayment() async throws {
            try await QueueTest.run { test, recorder in
                let shop = try await openShop(of: test)
                SKPaymentQueue.default().add(try await test.payment(TestSession.theme))
                #expect(await recorder.next().text == "updated test.theme purchasing")
                try await shop.answer(try await asked(in: shop).id, .cancelled)
                let failed = await recorder.next()
                #expect(failed.text == "updated test.theme failed")
                #expect((failed.transactions[0].error as? SKError)?.code == .paymentCancelled)
                // The store has a line of it.
                let noted = try await test.session.store.events(
                    before: nil, filter: HistoryFilter(kinds: [.purchaseCancelled]), limit: 2)
                #expect(noted.events.count == 1)
                await shop.close()
            }
        }

        @Test("a shop that is closed meanwhile is not waited for")
        func closed() async throws {
            try await TestSession.with { test in
                let shop = try await openShop(of: test)
                let theme = try await product(TestSession.theme)
                async let result = theme.purchase()
                _ = try await asked(in: shop)
                await shop.close()
                // A test runs: the purchase is made without a question.
                guard case .success = try await result else { return #expect(Bool(false)) }
            }
        }

        @Test("the app, or its test, may decide by itself, and a shop is not asked then")
        func decided() async throws {
            try await TestSession.with { test in
                let shop = try await openShop(of: test)
                defer { StoreKitHost.confirmation = .automatic }
                // Other suites buy at the same time.
                StoreKitHost.confirmation = .decided {
                    $0.quantity != 7 || $0.displayPrice != "$6.93"
                }
                let coins = try await product(TestSession.coins)
                guard case .userCancelled = try await coins.purchase(options: [.quantity(7)]) else {
                    return #expect(Bool(false))
                }
                guard case .success = try await coins.purchase(options: [.quantity(6)]) else {
                    return #expect(Bool(false))
                }
                #expect(try await shop.askedPayments().isEmpty)
                await shop.close()
            }
        }

        @Test("a purchase that is cancelled without a network is cancelled, and no failure")
        func cancelledWithoutNetwork() async throws {
            try await TestSession.with { test in
                let coins = try await product(TestSession.coins)
                defer { StoreKitHost.confirmation = .automatic }
                // Other suites buy at the same time.
                StoreKitHost.confirmation = .decided {
                    $0.quantity != 8 || $0.displayPrice != "$7.92"
                }
                try await test.session.device.setNetwork(.off(milliseconds: nil))
                guard case .userCancelled = try await coins.purchase(options: [.quantity(8)]) else {
                    return #expect(Bool(false))
                }
            }
        }
    }
}
