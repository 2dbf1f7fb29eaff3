package import Basics
package import Foundation

/// An app's own list of the products that it asks for, each with fields that only the app knows.
package struct AppProductList: Codable, Hashable, Sendable {
    /// What its author calls it, such as `A`; nil for a list without a name.
    package private(set) var name: String?
    /// In the list's order, each once.
    package private(set) var ids: [ProductID] = []
    /// Of the products in `ids`.
    package private(set) var fields: [ProductID: [String: AnyJSON]] = [:]

    /// A JSON array of identifiers, or of objects with `productId` or `id`; or an object with that
    /// array as `products` and the name as `list`. Nil for anything else.
    package init?(_ json: Data) {
        let items: [AnyJSON]
        switch try? JSONDecoder().decode(AnyJSON.self, from: json) {
        case .list(let list)?: items = list
        case .object(let members)?:
            guard case .list(let list)? = members["products"] else { return nil }
            items = list
            if case .text(let text)? = members["list"] { name = text }
        default: return nil
        }
        for item in items {
            var own = item.members
            let key = own["productId"] == nil ? "id" : "productId"
            guard case .text(let text) = own.removeValue(forKey: key) ?? item else { return nil }
            let id = ProductID(text)
            if fields.updateValue(own, forKey: id) == nil { ids.append(id) }
        }
    }
}

extension ProductsResponse {
    /// Leaves only the products of a list, in its order, and names those of the list that are not
    /// sold.
    ///
    /// - Parameter others: the store's answer about products that this one lacks.
    package mutating func arrange(by list: AppProductList, others: [Product] = []) {
        let known = Dictionary(
            (products + others).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        invalidProductIDs = list.ids.filter { known[$0] == nil }
        products = list.ids.compactMap { known[$0] }
    }
}
