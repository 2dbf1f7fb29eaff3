import Basics
import DurableFiles
import Foundation
import StoreModel

extension DeviceRecords {
    // MARK: - Log

    /// Removes the oldest entry if there are more than `DeviceLimits.logEntriesMax`.
    func log(_ what: DeviceLogEntry.What, at now: Timestamp) throws {
        try db.execute(
            "INSERT INTO log (at, body) VALUES (?, ?)", .integer(now.milliseconds),
            .blob(try JSONEncoder().encode(what.bounded)))
        // Entry numbers have no gaps, so this deletes at most one row, which the primary key finds.
        try db.execute(
            "DELETE FROM log WHERE number <= (SELECT max(number) FROM log) - ?",
            .integer(Int64(DeviceLimits.logEntriesMax)))
    }

    /// Newest first; `before` is nil for the newest entries.
    func logEntries(before: Int64?, limit: Int) throws -> [DeviceLogEntry] {
        try db.fetchAll(
            "SELECT number, at, body FROM log WHERE number < ? ORDER BY number DESC LIMIT ?",
            .integer(before ?? Int64.max), .integer(Int64(max(0, limit)))
        ) { row in
            let what = try? JSONDecoder().decode(DeviceLogEntry.What.self, from: row.data(2))
            return DeviceLogEntry(
                number: row.integer(0), at: Timestamp(milliseconds: row.integer(1)),
                what: what ?? .unknown)
        }
    }

    // MARK: - Announcements

    /// A payment that is sent again is not announced again. Removes the oldest ones if there are more
    /// than `DeviceLimits.announcementsMax`.
    func announce(_ announcements: [DeviceAnnouncement]) throws {
        guard !announcements.isEmpty else { return }
        let encoder = JSONEncoder()
        for announcement in announcements {
            let payment: PaymentID?
            switch announcement {
            case .purchasing(let sent): payment = sent.id
            case .restored: payment = nil
            }
            try db.execute(
                "INSERT OR IGNORE INTO announcements (payment, body) VALUES (?, ?)",
                .text(payment?.description), .blob(try encoder.encode(announcement)))
        }
        try db.execute(
            "DELETE FROM announcements WHERE number <= (SELECT max(number) FROM announcements) - ?",
            .integer(Int64(DeviceLimits.announcementsMax)))
    }

    /// Those after a number, in order; nil for one that a newer program wrote and this one does not
    /// know. A reader begins after `lastAnnouncement`.
    func announcements(
        after number: Int64
    ) throws -> [(number: Int64, announcement: DeviceAnnouncement?)] {
        try db.fetchAll(
            "SELECT number, body FROM announcements WHERE number > ? ORDER BY number",
            .integer(number)
        ) {
            (
                $0.integer(0),
                try? JSONDecoder().decode(DeviceAnnouncement.self, from: $0.data(1))
            )
        }
    }

    /// 0 before the first.
    var lastAnnouncement: Int64 {
        get throws {
            try db.fetchOne("SELECT max(number) FROM announcements") { $0.integer(0) } ?? 0
        }
    }

    // MARK: - Settings and reading places

    /// With the theme and the language, which are values of the account, and the app's backend.
    var settings: DeviceSettings {
        get throws {
            var settings = try ownSettings
            let values = try values
            settings.theme = values[AccountValue.themeKey] ?? settings.theme
            settings.language = values[AccountValue.languageKey]
            settings.backend = try backend
            return settings
        }
    }

    /// For downloads, which ask often and need no theme: the account's values may be long. The theme
    /// in it is one that a version before kept here.
    var ownSettings: DeviceSettings {
        get throws { try value("settings", as: DeviceSettings.self) ?? DeviceSettings() }
    }

    /// Leaves theme, language and backend as they are, so that another setting does not bring back
    /// what another device or process has changed meanwhile.
    func set(_ settings: DeviceSettings) throws {
        var others = settings
        others.theme = try ownSettings.theme
        others.language = nil
        others.backend = nil
        try set("settings", others)
    }

    /// Products, and single packages (`PackageKey.text`), most recent first.
    var askedDownloads: [String] {
        get throws { try value("askedDownloads", as: [String].self) ?? [] }
    }

    /// - Parameter packages: nil for all of the product's.
    func askForDownloads(of product: ProductID, packages: [String]? = nil) throws {
        let asked =
            packages?.map { PackageKey(product: product, contentID: $0).text }
            ?? [product.rawValue]
        let others = try askedDownloads.filter { !asked.contains($0) }
        try set("askedDownloads", Array((asked + others).prefix(DeviceLimits.askedMax)))
    }

    var consents: Set<ProductID> {
        get throws { try value("downloadConsents", as: Set<ProductID>.self) ?? [] }
    }

    func setConsent(_ isGiven: Bool, to product: ProductID) throws {
        var consents = try consents
        guard consents.contains(product) != isGiven else { return }
        if isGiven { consents.insert(product) } else { consents.remove(product) }
        try set("downloadConsents", consents)
    }

    /// True until a person signs out.
    var isSignedIn: Bool { get throws { try value("signedIn", as: Bool.self) ?? true } }

    func setSignedIn(_ isSignedIn: Bool) throws { try set("signedIn", isSignedIn) }

    /// Most recently used first: the account's last one, then those of this device.
    func readingPlaces(of product: ProductID) throws -> [ReadingPlace] {
        let last = try lastPlace(in: product)
        let own = try db.fetchAll(
            """
            SELECT content, path, byte_offset FROM reading_places WHERE product = ?
            ORDER BY used DESC
            """, .text(product.rawValue)
        ) {
            ReadingPlace(
                productID: product, contentID: $0.text(0), path: $0.text(1), offset: $0.integer(2))
        }
        guard let last else { return own }
        return [last] + own.filter { $0.contentID != last.contentID || $0.path != last.path }
    }

    /// Numbers that order packages by when they were last read: the most recently read has the
    /// greatest. A package that was never read has none.
    func lastUses() throws -> [PackageKey: Int64] {
        let uses = try db.fetchAll(
            "SELECT product, content, max(used) FROM reading_places GROUP BY product, content"
        ) {
            (PackageKey(product: ProductID($0.text(0)), contentID: $0.text(1)), $0.integer(2))
        }
        return Dictionary(uses, uniquingKeysWith: max)
    }

    /// Saves a reading place as the most recently used. Removes the least recently used if there
    /// are more than `DeviceLimits.readingPlacesMax`.
    func remember(_ place: ReadingPlace) throws {
        try db.execute(
            """
            INSERT OR REPLACE INTO reading_places (used, product, content, path, byte_offset)
            VALUES ((SELECT ifnull(max(used), 0) + 1 FROM reading_places), ?, ?, ?, ?)
            """,
            .text(place.productID.rawValue), .text(place.contentID), .text(place.path),
            .integer(place.offset))
        try db.execute(
            """
            DELETE FROM reading_places WHERE used = (SELECT min(used) FROM reading_places)
            AND (SELECT count(*) FROM reading_places) > ?
            """, .integer(Int64(DeviceLimits.readingPlacesMax)))
    }
}

extension DeviceLogEntry.What {
    /// This entry with texts cut to `DeviceLimits.logTextMax` bytes where they come from a file.
    fileprivate var bounded: Self {
        switch self {
        case .catalogRefused(let problem): .catalogRefused(problem: Self.bounded(problem))
        case .catalogNoted(let remark): .catalogNoted(Self.bounded(remark))
        case .restored, .restoreFailed, .downloaded, .downloadFailed, .downloadPaused,
            .downloadResumed, .downloadCancelled, .contentDeleted, .purchaseCancelled,
            .paymentHeld, .paymentResent, .finishedAtLaunch, .network, .signedIn, .leaseTaken,
            .trouble, .unknown:
            self
        }
    }

    private static func bounded(_ text: String) -> String {
        String(decoding: text.utf8.prefix(DeviceLimits.logTextMax), as: UTF8.self)
    }
}
