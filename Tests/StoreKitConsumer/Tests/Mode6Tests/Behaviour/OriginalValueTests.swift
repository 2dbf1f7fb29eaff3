import StoreKit
import Testing

/// Values of StoreKit 1 that need no store.
@Suite struct OriginalValueTests {
    @Test("an error of SKErrorDomain is an SKError, and the other way round")
    func bridged() {
        let error: any Error = NSError(
            domain: SKErrorDomain, code: SKError.Code.paymentCancelled.rawValue,
            userInfo: [NSLocalizedDescriptionKey: "No."])
        #expect((error as? SKError)?.code == .paymentCancelled)
        #expect((error as? SKError)?.localizedDescription == "No.")
        #expect(NSError(domain: "Other", code: 2) as? SKError == nil)
        let made: any Error = SKError(.paymentNotAllowed)
        #expect((made as NSError).domain == SKErrorDomain && (made as NSError).code == 4)
        #expect(SKErrorDomain == "SKErrorDomain" && SKError.Code(rawValue: 12) == .invalidSignature)
        #expect(ErrorAPI.original { throw error } == "cancelled")
        #expect(ErrorAPI.original { throw made } == "not allowed")
        #expect(ErrorAPI.original { throw NSError(domain: SKErrorDomain, code: 18) } == "offer")
    }

    @Test("mocks by subclass are what they say, and what they leave out is empty")
    func mocks() {
        let product = MockProduct(id: "mock", price: 2)
        product.price = 3
        let payment = SKPayment(product: product)
        #expect(payment.productIdentifier == "mock" && payment.quantity == 1 && product.price == 3)
        #expect(product.localizedDescription.isEmpty && !product.isFamilyShareable)
        #expect(OriginalAPI.product(product) == "month")
        #expect(product.introductoryPrice.map { OriginalAPI.discount($0) } == "paid")
        let queue = MockQueue()
        let observer = EveryObserver()
        queue.add(observer)
        queue.add(MockPayment("mock"))
        let transaction = MockTransaction("mock", .purchasing)
        queue.finishTransaction(transaction)
        queue.restoreCompletedTransactions()
        #expect(queue.payments.count == 1 && queue.finished == [transaction])
        #expect(OriginalAPI.transaction(queue.transactions[0]) == "restored")
        #expect(queue.storefront?.countryCode == "JPN" && !MockQueue.canMakePayments())
        queue.remove(observer)
        #expect(queue.observers.isEmpty)
        // The queue itself knows no mock: there is nothing to finish.
        SKPaymentQueue.default().finishTransaction(queue.transactions[0])
        #expect(OriginalAPI.download(MockDownload()) == "over")
        let request = MockRequest(productIdentifiers: ["mock"])
        request.delegate = observer
        request.start()
        #expect(request.delegate === observer && (request as SKRequest).delegate === observer)
    }

    @Test("a payment copies as itself, and changes only as a mutable one")
    func payments() throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "consumer.coins"
        payment.quantity = 3
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(copy == payment && !(copy is SKMutablePayment))
        payment.quantity = 4
        #expect(copy.quantity == 3 && copy != payment)
        #expect((copy.mutableCopy() as? SKMutablePayment)?.quantity == 3)
    }
}
