import Foundation
package import StoreModel

/// The names and identifiers of all products in one array of bytes, folded (without case, accents
/// and width), so that a search of a hundred thousand products is one pass over memory.
package struct SearchIndex: Hashable, Sendable {
    private var bytes: [UInt8] = []
    /// The offset of each product's name in `bytes`.
    private var starts: [Int] = []
    package let revision: Int64?
    let fingerprint: Int

    /// Takes long for many products, so the reducer requests it with `ShopEffect.makeSearchIndex`.
    package init(_ products: [Product], revision: Int64?) {
        self.revision = revision
        fingerprint = ProductList.fingerprint(of: products)
        starts.reserveCapacity(products.count)
        for product in products {
            starts.append(bytes.count)
            bytes += Self.fold(product.displayName).utf8
            bytes.append(0x0A)
            bytes += Self.fold(product.id.rawValue).utf8
            bytes.append(0)
        }
    }

    func isOf(_ productList: ProductList) -> Bool {
        revision == productList.revision && fingerprint == productList.fingerprint
    }

    /// A text without case, accents and width, the form in which searches compare texts.
    package static func fold(_ text: String) -> String {
        text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// Of the products that contain every word, in order; all for a text without words.
    func matches(_ text: String) -> [Int] {
        let words = WordFilter(text).words
        guard let first = words.first else { return Array(starts.indices) }
        return words.dropFirst().reduce(matches(ofWord: first)) { found, word in
            let others = Set(matches(ofWord: word))
            return found.filter { others.contains($0) }
        }
    }

    /// The indices of the products whose name or identifier contains a folded word, in order.
    private func matches(ofWord word: String) -> [Int] {
        let needle = Array(word.utf8)
        guard let first = needle.first else { return [] }
        var found: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            var product = 0
            var at = 0
            while at + needle.count <= bytes.count {
                guard bytes[at] == first, Self.isEqual(bytes, at, needle) else {
                    at += 1
                    continue
                }
                while product + 1 < starts.count, starts[product + 1] <= at { product += 1 }
                found.append(product)
                // Further matches of the same product are skipped.
                at = product + 1 < starts.count ? starts[product + 1] : bytes.count
            }
        }
        return found
    }

    private static func isEqual(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ needle: [UInt8]
    ) -> Bool {
        for offset in needle.indices where bytes[start + offset] != needle[offset] { return false }
        return true
    }
}
