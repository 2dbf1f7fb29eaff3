@testable import Shop
import ShopText
import StoreModel
import Testing

/// The states of products in narrow columns.
@Suite struct NarrowStatusTests {
    private static let until = Timestamp(milliseconds: 1_798_000_000_000)

    @Test(
        "a state that has ten columns is told whole, and a request names its reason",
        arguments: [
            (ProductStatus.current(until: nil, renews: false), "yours"),
            (.plan(.unending), "yours"), (.plan(.priceIncrease(by: until)), "price"),
            (.groupTaken(by: "plus.year", until: nil), "later"),
            (.included(with: "Lantern Plus", until: until, isHere: true), "included"),
            (.waitingForAnswer(request: nil, .askToBuy), "approval"),
            (.waitingForAnswer(request: nil, .authentication), "bank"),
        ])
    func narrow(status: ProductStatus, expected: String) {
        var strings = Strings(locale: "en_US", formatters: Screens.formatters)
        strings.now = Self.until
        let text = strings.status(status).first { $0.count <= 10 }
        #expect(text?.hasSuffix(expected) == true, "\(strings.status(status))")
    }

    @Test("a message names its product once, and where the error names one, by its display name")
    func namesOnce() {
        var strings = Strings(locale: "en_US", formatters: Screens.formatters)
        strings.now = Self.until
        #expect(
            strings[
                StatusText.failed(
                    name: "Sepia", StoreError(.productUnavailable, productID: "theme.sepia"))]
                == "Sepia is no longer for sale. You weren't charged.")
        #expect(
            strings[StatusText.failed(name: "Sepia", StoreError(.paymentDeclined))]
                .hasPrefix("Sepia: The payment was declined."))
        strings.productName = { $0 == "theme.sepia" ? "Sepia" : nil }
        let altered = StoreError(
            .recordAltered, productID: "theme.sepia", transactionID: TransactionID(7),
            subject: "deliveries")
        let message = strings[StatusText.trouble(altered)]
        #expect(message.contains("your purchase of Sepia (transaction 7)"))
    }
}
