import StoreKitTest
import Testing

@Suite(.storeKit("Bookshop")) struct TenLines {
    @Test func aBookIsBought() async throws {
        let book = try #require(try await Product.products(for: ["bookshop.lighthouse"]).first)
        _ = try await book.purchase()
        for await case .verified(let sale) in Transaction.unfinished { await sale.finish() }
        #expect(await Transaction.latest(for: book.id) != nil)
    }
}
