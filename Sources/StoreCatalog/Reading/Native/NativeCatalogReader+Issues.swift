import StoreModel

extension NativeCatalogReader {
    /// By date; nil if the file names none. No two have the same date, and none is before the
    /// product is for sale.
    mutating func readIssues(
        _ value: JSONValue?, _ type: ProductType?, _ availability: CatalogProduct.Window?
    ) -> [CatalogProduct.Issue]? {
        guard let value else { return nil }
        if let type, type != .autoRenewable {
            problems.defect(
                at: value, code: .misplaced,
                expected: "no issues: only autoRenewable and freeSubscription products publish them"
            )
            return nil
        }
        var issues: [CatalogProduct.Issue] = []
        var firstNodes: [String: Int] = [:]
        var firstDates: [Timestamp: Int] = [:]
        for element in problems.elements(value) {
            guard
                let members = problems.members(
                    of: element, NativeKeys.Issue.self, required: [.id, .title, .date, .content]),
                let date = members[.date].flatMap({ readDate($0) }), let node = members[.date]
            else { continue }
            if let from = availability?.from, date < from {
                problems.defect(
                    at: node, found: "\(node.inWords), before its product is for sale",
                    expected: "a date from the product's `availability.from`")
            }
            problems.isFirst(date, at: node, in: &firstDates, expected: "a date of its own")
            let title = readName(members[.title])
            guard let package = readIssue(members, &firstNodes), let title else { continue }
            issues.append(CatalogProduct.Issue(title: title, date: date, package: package))
        }
        return issues.isEmpty ? nil : issues.sorted { $0.date < $1.date }
    }

    /// It has only one version, `1`.
    private mutating func readIssue(
        _ members: JSONMembers<NativeKeys.Issue>, _ firstNodes: inout [String: Int]
    ) -> CatalogDelivery.Package? {
        let id = problems.identifier(members[.id])
        if let node = members[.id], let id {
            problems.isFirst(
                id, at: node, in: &firstNodes, expected: "an issue identifier of its own")
        }
        guard let id, let node = members[.content], let path = problems.text(node) else {
            return nil
        }
        let package = CatalogDelivery.Package(id: id, version: "1", path: path)
        return isOnDisk(package, at: node) ? package : nil
    }
}
