import StoreModel

/// The downloads of a device that should run now: a pure function of the records. Those that a
/// person asked for most recently come first; those that need consent do not run.
struct DownloadPlan {
    /// In the order of their transactions.
    var rows: [Download]
    /// The products and packages (`PackageKey.text`) that a person asked for, most recent first.
    var asked: [String] = []
    var settings = DeviceSettings()
    /// For large downloads.
    var consents: Set<ProductID> = []

    func needsConsent(_ product: ProductID) -> Bool {
        guard settings.isMetered, !consents.contains(product) else { return false }
        let bytes = rows.reduce(Int64(0)) { sum, row in
            row.productID == product && row.isUnderWay ? sum + row.bytesExpected : sum
        }
        return bytes >= settings.meteredBytes
    }

    /// In the order in which they should start.
    var startable: [Download] {
        rows.filter { $0.state == .waiting && !needsConsent($0.productID) }.enumerated()
            .map { (rank: rank($0.element), offset: $0.offset, row: $0.element) }
            .sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }
            .map(\.row)
    }

    /// The running download to stop in favour of a waiting one that a person asked for more
    /// recently; nil if none.
    func givesWay(among running: [Download]) -> Download? {
        guard
            let first = startable.first(where: { row in
                !running.contains { $0.isSamePackage(as: row) }
            }),
            let last = running.max(by: { rank($0) < rank($1) }), rank(first) < rank(last)
        else { return nil }
        return last
    }

    private func rank(_ row: Download) -> Int {
        let names = [row.productID.rawValue, PackageKey(row).text]
        return asked.firstIndex(where: names.contains) ?? asked.count
    }
}

extension DownloadPlan {
    init(_ records: DeviceRecords) throws {
        self.init(
            rows: try records.downloads(), asked: try records.askedDownloads,
            settings: try records.ownSettings, consents: try records.consents)
    }
}

/// A package of a product.
struct PackageKey: Hashable {
    var product: ProductID
    var contentID: String

    /// No product's identifier has the slash (`NameRule.checkProduct`).
    var text: String { "\(product)/\(contentID)" }
}

extension PackageKey {
    init(_ row: Download) { self.init(product: row.productID, contentID: row.contentID) }
}

extension Download {
    func isSamePackage(as other: Download) -> Bool { PackageKey(self) == PackageKey(other) }

    /// Of the version that the row names, in the device's folder.
    var folderPath: String { "content/\(productID)/\(contentID)/\(version)" }
}
