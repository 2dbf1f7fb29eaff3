import Foundation
import SQLLedger
import SQLiteLedger
import StoreEngine
import StoreModel

/// Gives the account "me" a long history in a store that the program has made: many purchases of
/// coins, then one of each of a number of products. All of them are bought and finished on another
/// device, so that opening a shop has none to deliver.
///
/// The catalog names the products `bench.owned.0` and so on, and the coins `bench.coins`.
enum AccountFill {
    private static let account: AccountName = "me"
    private static let device: DeviceName = "phone"
    private static let batch = 5_000

    /// - Parameter products: how many of the transactions, the newest, are owned products.
    static func run(store: String, transactions: Int, products: Int) async throws {
        let ledger = try SQLiteLedger(path: store + "/store.sqlite")
        let start = Timestamp(Date()).advanced(byMilliseconds: -Int64(transactions) * 60_000)
        for first in stride(from: 0, to: transactions, by: batch) {
            let numbers = first..<min(first + batch, transactions)
            let sales = numbers.map { number in
                let owned = number - (transactions - products)
                return sale(
                    of: owned < 0 ? BenchStore.coins : ProductID("bench.owned.\(owned)"),
                    owned < 0 ? .consumable : .nonConsumable,
                    at: start.advanced(byMilliseconds: Int64(number) * 60_000))
            }
            let sold = try await ledger.append(sales, at: Timestamp(Date()))
            let finishes = sold.compactMap { result -> Decision? in
                guard case .recorded(let entries) = result, let entry = entries.first,
                    let id = entry.number
                else { return nil }
                return Decision(
                    reads: [:],
                    entries: [
                        Entry(
                            account: account, device: device, effectiveAt: entry.entry.effectiveAt,
                            number: .existing(id), fact: .finished)
                    ])
            }
            _ = try await ledger.append(finishes, at: Timestamp(Date()))
        }
    }

    private static func sale(
        of product: ProductID, _ type: ProductType, at date: Timestamp
    ) -> Decision {
        let payment = BenchStore.payment(product)
        return Decision(
            reads: [:], newPayments: [payment.id],
            entries: [
                Entry(
                    account: account, device: device, effectiveAt: date, number: .next,
                    fact: .sold(
                        Sale(
                            payment: payment, type: type, purchaseDate: date, storefront: "USA",
                            price: payment.shownPrice)))
            ])
    }
}
