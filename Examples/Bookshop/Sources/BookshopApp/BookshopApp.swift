import Bookshop
import Foundation
import StoreKit

// The shop at a terminal:
//
//     swift run BookshopApp                           what is for sale, and what is owned
//     swift run BookshopApp buy bookshop.lighthouse   asks, and buys
//
// Without more it buys in a store that ends with the program. BOOKSHOP_STORE=FOLDER keeps one, and
// asks in a shop that is open on it:
//
//     storefront --catalog Bookshop.storekit --store FOLDER --device app
@main
struct BookshopApp {
    static func main() async {
        do { try await run() } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    @MainActor
    private static func run() async throws {
        let words = CommandLine.arguments.dropFirst()
        var place = FileManager.default.temporaryDirectory.appending(path: "bookshop-\(UUID())")
        #if os(Linux)
        if let folder = ProcessInfo.processInfo.environment["BOOKSHOP_STORE"] {
            place = URL(filePath: folder)
            StoreKitHost.configure(configuration: URL(filePath: "Bookshop.storekit"), store: place)
        }
        #endif
        let store = Store(walletFile: place.appendingPathExtension("wallet"))
        await store.load()
        if let error = store.loadingError { throw error }
        if words.first == "buy", let product = store.products.first(where: { $0.id == words.last })
        {
            let isBought = try await store.buy(product)
            let outcome = store.waiting.contains(product.id) ? "Waits" : "Cancelled"
            print("\(isBought ? "Bought" : outcome): \(product.displayName)")
        }
        for product in store.products {
            let price = [product.displayPrice, product.term].compactMap(\.self)
                .joined(separator: " for ")
            let state = store.owned.contains(product.id) ? "yours" : price
            print("\(product.displayName)  \(state)  \(product.id)")
        }
        print("\(store.wallet.coins) coins")
    }
}
