import Foundation
import StoreDevice
import StoreKit
import StoreModel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SKRequestTests {
    @Test("a products request finds products, and names the identifiers that are none [H2]")
    func products() async throws {
        try await TestSession.with { _ in
            let ids: Set = [TestSession.coins, TestSession.monthly, "test.unknown"]
            let response = try await ProductsAnswer().products(ids)
            #expect(response.invalidProductIdentifiers == ["test.unknown"])
            #expect(
                response.products.map(\.productIdentifier)
                    == [TestSession.coins, TestSession.monthly])
            let coins = response.products[0]
            #expect(coins.localizedTitle == "Coins" && coins.localizedDescription == "Ten")
            #expect(coins.price == NSDecimalNumber(string: "0.99"))
            #expect(coins.priceLocale.currency?.identifier == "USD")
            #expect(coins.subscriptionPeriod == nil && coins.introductoryPrice == nil)
            #expect(!coins.isDownloadable && coins.downloadContentLengths.isEmpty)
            let monthly = response.products[1]
            #expect(monthly.subscriptionPeriod?.unit == .month)
            #expect(monthly.subscriptionPeriod?.numberOfUnits == 1)
            #expect(monthly.subscriptionGroupIdentifier == TestSession.group)
            let offer = try #require(monthly.introductoryPrice)
            #expect(offer.paymentMode == .freeTrial && offer.type == .introductory)
            #expect(offer.price == 0 && offer.identifier == nil && offer.numberOfPeriods == 1)
            #expect(offer.subscriptionPeriod.unit == .week && monthly.discounts.isEmpty)
        }
    }

    @Test("the locale of a price has the price's currency, whatever its territory's is")
    func priceLocale() async throws {
        try await TestSession.with { test in
            try await test.session.perform(
                .changeAccount(AccountChange(account: "me", territory: "DEU")))
            let coins = try await ProductsAnswer().product(TestSession.coins)
            let formatter = NumberFormatter()
            formatter.numberStyle = .currency
            formatter.locale = coins.priceLocale
            let product = try #require(try await Product.products(for: [TestSession.coins]).first)
            #expect(coins.priceLocale.currency?.identifier == product.priceFormatStyle.currencyCode)
            #expect(formatter.currencyCode == product.priceFormatStyle.currencyCode)
        }
    }

    @Test("a request that fails says so, by either type of its delegate")
    func failed() async throws {
        try await TestSession.with { test in
            try await test.session.perform(.failNext(.loadProducts, error: .systemError, count: 1))
            await #expect(throws: SKError.self) {
                try await ProductsAnswer().products([TestSession.coins])
            }
            let delegate = ProductsAnswer()
            let request = SKProductsRequest(productIdentifiers: [])
            (request as SKRequest).delegate = delegate
            #expect(request.delegate === delegate && (request as SKRequest).delegate === delegate)
        }
    }

    @Test("a receipt request writes a new receipt [H2]")
    func receipt() async throws {
        try await TestSession.with { test in
            let delegate = FinishedRequests()
            let request = SKReceiptRefreshRequest(receiptProperties: [
                SKReceiptPropertyIsExpired: true
            ])
            request.delegate = delegate
            request.start()
            #expect(await delegate.next() == "finished")
            let receipt = try await test.device.receipt()
            #expect(receipt != nil)
        }
    }

    @Test("the receipt's file tells of a purchase that was just made")
    func receiptOfPurchase() async throws {
        try await TestSession.with { test in
            for count in 1...3 {
                try await test.outside(TestSession.coins)
                let url = try #require(StoreKitHost.receiptURL)
                let receipt = try #require(try await test.device.receipt())
                #expect(receipt.path == url.path)
                #expect(try receipt.verified.get().inApp.count == count)
            }
        }
    }

    @Test("a receipt that was asked for stays until something happens in the store")
    func askedReceipt() async throws {
        try await TestSession.with { test in
            let delegate = FinishedRequests()
            let request = SKReceiptRefreshRequest(receiptProperties: [
                SKReceiptPropertyIsExpired: true
            ])
            request.delegate = delegate
            request.start()
            #expect(await delegate.next() == "finished")
            // The launch's own receipt would come now.
            await test.session.device.writeReceipt()
            #expect(StoreKitHost.receiptURL != nil)
            let receipt = try #require(try await test.device.receipt())
            #expect(try receipt.verified.get().isExpired(at: .latest))
        }
    }

    @Test("a cancelled request tells nothing")
    func cancelled() async throws {
        try await TestSession.with { _ in
            let delegate = FinishedRequests()
            let dropped = SKProductsRequest(productIdentifiers: ["test.unknown"])
            (dropped as SKRequest).delegate = delegate
            dropped.start()
            dropped.cancel()
            let request = SKReceiptRefreshRequest(receiptProperties: nil)
            request.delegate = delegate
            request.start()
            #expect(await delegate.next() == "finished")
            let told = delegate.requests.withLock { $0 }
            #expect(told == [ObjectIdentifier(request)])
        }
    }

    @Test("a payment copies as itself, and changes only as a mutable one")
    func payments() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "test.coins"
        payment.quantity = 3
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(copy == payment && copy !== payment && !(copy is SKMutablePayment))
        payment.quantity = 4
        #expect(copy.quantity == 3 && copy != payment)
        let mutable = try #require(copy.mutableCopy() as? SKMutablePayment)
        mutable.quantity = 4
        #expect(mutable == payment)
    }
}
