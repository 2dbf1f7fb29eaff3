import Basics
import StoreModel

extension CatalogReader {
    /// With paths and lines in the file the catalog was read from; without them if the file can no
    /// longer be read.
    package static func problems(
        of conflicts: [CatalogConflict], path: String
    ) -> [CatalogProblem] {
        guard case .success(let file) = CatalogFile.open(path),
            let document = try? JSONParser.parse(file.bytes)
        else {
            return conflicts.map {
                CatalogProblem(
                    severity: .error, code: .soldOtherwise, found: found($0),
                    expected: expected($0))
            }
        }
        let products = products(in: document.root)
        var problems = ProblemList(severityOfDefects: .error)
        for conflict in conflicts {
            let product = products[conflict.productID.rawValue] ?? document.root
            problems.defect(
                at: place(of: conflict.field, in: product), code: .soldOtherwise,
                found: found(conflict),
                expected: expected(conflict))
        }
        return problems.resolved(in: document)
    }

    private static func found(_ conflict: CatalogConflict) -> String {
        switch conflict.field {
        case .type, .hosting: "\(conflict.productID) as \(conflict.found)"
        case .group: "\(conflict.productID) in the group \(UntrustedText.quote(conflict.found))"
        case .familySharing: "\(conflict.productID) with family sharing \(conflict.found)"
        }
    }

    private static func expected(_ conflict: CatalogConflict) -> String {
        let sold =
            switch conflict.field {
            case .type, .hosting: conflict.expected
            case .group: "the group \(UntrustedText.quote(conflict.expected))"
            case .familySharing: "family sharing \(conflict.expected)"
            }
        return "\(sold), as the store sold it; another store takes it as it is: --store DIR"
    }

    /// By identifier, in files of either format.
    static func products(in root: JSONValue) -> [String: JSONValue] {
        var lists = [root.member("products"), root.member("nonRenewingSubscriptions")]
        root.member("subscriptionGroups")?.forEachElement {
            lists.append($0.member("subscriptions"))
        }
        var products: [String: JSONValue] = [:]
        for list in lists {
            list?.forEachElement { product in
                guard let id = product.member("id") ?? product.member("productID"), id.isText
                else { return }
                products[id.text] = product
            }
        }
        return products
    }

    /// The value that an author would change; the product if it has no such member.
    private static func place(of field: CatalogConflict.Field, in product: JSONValue) -> JSONValue {
        let found =
            switch field {
            case .type: product.member("type")
            case .group:
                product.member("subscription")?.member("group")
                    ?? product.member("subscriptionGroupID")
            case .hosting: product.member("delivery")
            case .familySharing: product.member("familyShareable")
            }
        return found ?? product
    }
}
