import Foundation
package import StoreEngine
package import StoreModel

/// Appends sales to a ledger, in batches of 5000.
package enum OthersSales {
    package static let coins = ProductID("bench.coins")

    /// - Parameter account: of all of them; nil for many accounts.
    package static func append(
        _ count: Int, of product: ProductID = coins, to ledger: some Ledger, from first: Int = 0,
        account: AccountName? = nil
    ) async throws {
        var done = 0
        while done < count {
            let size = min(5_000, count - done)
            let decisions = (0..<size).map { decision(number: first + done + $0, product, account) }
            _ = try await ledger.append(decisions, at: Timestamp(Date()))
            done += size
        }
    }

    private static func uuid(_ number: Int) -> UUID {
        let text = String(number, radix: 16)
        let digits = String(repeating: "0", count: 12 - text.count) + text
        return UUID(uuidString: "00000000-0000-4000-8000-\(digits)") ?? UUID()
    }

    private static func decision(
        number: Int, _ product: ProductID, _ account: AccountName?
    ) -> Decision {
        let account = account ?? AccountName("other-\(number % 50_000)")
        // Ascending, as in a real store (UUID version 7): random ones insert all over the index.
        let payment = Payment(
            id: PaymentID(uuid(number)), productID: product,
            shownPrice: Money(milliunits: 990, currency: "USD"))
        let now = Timestamp(Date())
        let sale = Sale(
            payment: payment, type: .consumable, purchaseDate: now, storefront: "USA",
            price: payment.shownPrice)
        return Decision(
            reads: [:], newPayments: [payment.id],
            entries: [
                Entry(
                    account: account, device: "phone", effectiveAt: now, number: .next,
                    fact: .sold(sale))
            ])
    }
}
