import Basics
import DurableFiles
import Foundation
import StoreModel

extension DeviceRecords {
    /// An issue that this device does not have.
    struct NewIssue {
        var product: ProductID
        var content: HostedContent
        var transaction: TransactionID
    }

    /// The issues of a product that this device has never downloaded. Empty if the product was not
    /// delivered here, or if this device has downloaded none of its issues.
    func newIssues(of product: Product) throws -> [NewIssue] {
        let known = try downloads(of: product.id)
        guard known.contains(where: { $0.state == .finished || $0.state == .waiting }),
            let transaction = try transaction(delivering: product.id)
        else { return [] }
        let ids = Set(known.map(\.contentID))
        return product.hostedContent.filter { !ids.contains($0.id) }.map {
            NewIssue(product: product.id, content: $0, transaction: transaction)
        }
    }

    /// Queues a package for download. A package that already has a row takes the new transaction,
    /// version and length, and becomes `waiting`, unless this version of it is `finished` or
    /// `active`.
    func addDownload(
        _ content: HostedContent, of product: ProductID, transaction: TransactionID
    ) throws {
        try noteInstalled(of: product, before: content)
        var costs = try packageCosts()
        let key = PackageKey(product: product, contentID: content.id).text
        if costs[key] != content.cost {
            costs[key] = content.cost
            try set(Self.packageCosts, costs)
        }
        try db.execute(
            """
            INSERT INTO downloads (product, content, transaction_id, version, length, state)
            VALUES (?, ?, ?, ?, ?, 'waiting')
            ON CONFLICT (product, content) DO UPDATE
            SET transaction_id = excluded.transaction_id, version = excluded.version,
                length = excluded.length, error = NULL,
                state = CASE WHEN version = excluded.version
                             AND state IN ('finished', 'active')
                        THEN state ELSE 'waiting' END
            """,
            .text(product.rawValue), .text(content.id), .integer(transaction.number),
            .text(content.version), .integer(content.length))
    }

    /// What opening a package costs, as the store said when it was queued, by `PackageKey.text`.
    func packageCosts() throws -> [String: Grant] {
        try value(Self.packageCosts, as: [String: Grant].self) ?? [:]
    }

    private static let packageCosts = "packageCosts"

    /// - Parameter keepsError: whether the recorded error stays. True if only the process that runs
    ///   the download changes.
    /// - Returns: whether it was changed.
    @discardableResult
    func setState(
        _ state: Download.State, of product: ProductID, contentID: String,
        from allowed: [Download.State] = Download.State.allCases, error: StoreError? = nil,
        keepsError: Bool = false
    ) throws -> Bool {
        let names = allowed.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        try db.execute(
            """
            UPDATE downloads SET state = ?, error = \(keepsError ? "COALESCE(?, error)" : "?")
            WHERE product = ? AND content = ? AND state IN (\(names))
            """,
            .text(state.rawValue), .blob(try error.map { try JSONEncoder().encode($0) }),
            .text(product.rawValue), .text(contentID))
        return db.changesCount > 0
    }

    /// The download goes on without a person as soon as there is room.
    ///
    /// - Parameter error: nil if the download no longer waits for that.
    func setFullDisk(_ error: StoreError?, of product: ProductID, contentID: String) throws {
        try db.execute(
            """
            UPDATE downloads SET error = ?
            WHERE product = ? AND content = ? AND state IN ('waiting', 'active')
            """,
            .blob(try error.map { try JSONEncoder().encode($0) }), .text(product.rawValue),
            .text(contentID))
    }

    /// Removes the rows of a product's packages that are neither on this device nor in the catalog:
    /// nothing can be fetched for them.
    func forgetDropped(of product: ProductID, keeping offered: Set<String>) throws {
        for row in try downloads(of: product) where !offered.contains(row.contentID) {
            try db.execute(
                """
                DELETE FROM downloads
                WHERE product = ? AND content = ? AND state IN ('cancelled', 'deleted')
                """, .text(product.rawValue), .text(row.contentID))
        }
    }

    /// With the version and length that were fetched.
    ///
    /// - Returns: false if the download is no longer active, because it was paused or cancelled.
    func finishDownload(
        of product: ProductID, contentID: String, version: String, length: Int64
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE downloads SET state = 'finished', error = NULL, version = ?, length = ?
            WHERE product = ? AND content = ? AND state = 'active'
            """,
            .text(version), .integer(length), .text(product.rawValue), .text(contentID))
        guard db.changesCount > 0 else { return false }
        try forgetInstalled(of: product, contentID: contentID)
        return true
    }

    // MARK: - The version that another one is to replace

    /// The installed version of a package while another version is being fetched, and its length.
    private struct InstalledVersion: Codable {
        var version: String
        var length: Int64
    }

    /// The row of `meta` that holds the installed versions, by `PackageKey.text`.
    private static let installedVersions = "installedVersions"

    private func installedVersions() throws -> [String: InstalledVersion] {
        try value(Self.installedVersions, as: [String: InstalledVersion].self) ?? [:]
    }

    /// Saves the version and length of a finished package before its row takes those of another
    /// version. Does nothing if the package is not finished, or if the version is the same.
    func noteInstalled(of product: ProductID, before content: HostedContent) throws {
        let installed = try db.fetchOne(
            """
            SELECT version, length FROM downloads
            WHERE product = ? AND content = ? AND state = 'finished' AND version != ?
            """,
            .text(product.rawValue), .text(content.id), .text(content.version)
        ) { InstalledVersion(version: $0.text(0), length: Self.length($0.integer(1))) }
        guard let installed else { return }
        var all = try installedVersions()
        all[PackageKey(product: product, contentID: content.id).text] = installed
        try set(Self.installedVersions, all)
    }

    private func forgetInstalled(of product: ProductID, contentID: String) throws {
        var all = try installedVersions()
        let key = PackageKey(product: product, contentID: contentID).text
        guard all.removeValue(forKey: key) != nil else { return }
        try set(Self.installedVersions, all)
    }

    /// Its update was given up.
    func keepInstalled(_ package: Download) throws {
        try db.execute(
            """
            UPDATE downloads SET state = 'finished', error = NULL, version = ?, length = ?
            WHERE product = ? AND content = ?
            """,
            .text(package.version), .integer(package.bytesExpected),
            .text(package.productID.rawValue), .text(package.contentID))
        try forgetInstalled(of: package.productID, contentID: package.contentID)
    }

    /// The recorded downloads of one product, or of all. While an update is being fetched,
    /// `installedVersion` is the recorded older version; the disk is not read.
    func downloads(of product: ProductID? = nil) throws -> [Download] {
        let installed = try installedVersions()
        return try db.fetchAll(
            """
            SELECT product, content, transaction_id, version, length, state, error
            FROM downloads WHERE ?1 IS NULL OR product = ?1
            ORDER BY transaction_id, product, content
            """, .text(product?.rawValue)
        ) { row in
            var download = Download(
                transactionID: TransactionID(row.integer(2)), productID: ProductID(row.text(0)),
                contentID: row.text(1), version: row.text(3), state: .failed, bytesReceived: 0,
                bytesExpected: Self.length(row.integer(4)))
            if !row.isNull(6) {
                download.error = try JSONDecoder().decode(StoreError.self, from: row.data(6))
            }
            if let old = installed[PackageKey(download).text] {
                download.installedVersion = old.version
                download.installedBytes = old.length
            }
            if let state = Download.State(rawValue: row.text(5)) {
                download.state = state
            } else {
                // A newer version of the program wrote this state. It is shown as an error and not
                // changed.
                download.error = StoreError(
                    .storeNewer, subject: "download state", found: row.text(5))
            }
            return download
        }
    }

    /// A recorded length, cut to what a package can have, so that lengths can be summed.
    private static func length(_ recorded: Int64) -> Int64 {
        min(max(recorded, 0), ContentManifest.bytesMax)
    }

    /// Whether this device may finish a transaction: its delivery is recorded and not void, and
    /// each of its downloads is finished, cancelled or deleted. If another device has claimed the
    /// transaction, that device finishes it.
    func isComplete(_ transaction: TransactionID) throws -> Bool {
        try db.fetchOne(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries WHERE id = ?1 AND is_void = 0)
            AND NOT EXISTS (SELECT 1 FROM downloads WHERE transaction_id = ?1
                            AND state NOT IN ('finished', 'cancelled', 'deleted'))
            """, .integer(transaction.number)
        ) { $0.flag(0) } ?? false
    }
}
