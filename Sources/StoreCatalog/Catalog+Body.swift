package import Foundation
import StoreModel

extension Catalog {
    /// The catalog as JSON, as a store keeps it and `JSONDecoder` reads it. Encoded product by
    /// product: to encode a large catalog as a whole `JSONEncoder` needs several times the
    /// catalog's memory.
    package func body() throws -> Data {
        let encoder = JSONEncoder()
        var rest = self
        rest.products = []
        let whole = try encoder.encode(rest)
        // In JSON no text has a quote without a backslash, and no other member has this name.
        guard let list = whole.firstRange(of: Data("\"products\":[]".utf8)) else {
            return try encoder.encode(self)
        }
        var body = whole[..<(list.upperBound - 1)]
        for (number, product) in products.enumerated() {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            body.append(try encoder.encode(product))
        }
        return body + whole[(list.upperBound - 1)...]
    }
}
