import Foundation
package import StoreModel

/// The names of all products without case and accents, side by side in one piece of memory, so that
/// looking through a hundred thousand of them takes less than a frame.
package struct SearchIndex: Hashable, Sendable {
    private var bytes: [UInt8] = []
    /// Where each product's name begins.
    private var starts: [Int] = []
    /// The product list it was made for.
    package let revision: Int64?
    let fingerprint: Int

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

    package static func fold(_ text: String) -> String {
        text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The places of the products whose name or identifier contains the text, in order.
    package func matches(_ text: String) -> [Int] {
        let needle = Array(Self.fold(text).utf8)
        guard let first = needle.first else { return Array(starts.indices) }
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
                // One match is enough for a product.
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
