package import StoreModel

/// The library's part of the state. Its rows are derived from the owned products
/// (`ShopState.libraryRows`).
package struct LibraryPart: Hashable, Sendable {
    /// In the order of the rows. Kept, because one key reads the rows a dozen times: with 100
    /// products, finding them each time took three quarters of it (`make bench`: "library: key to
    /// last byte").
    var owned: [LibrarySection: [ProductID]] = [:]
    /// The column by which each section is sorted; nil for the catalog's order.
    var sort: SortColumn?
    /// By content, so that it stays selected when it moves; nil before a selection.
    var selected: LibraryRow?
    /// The index of the selected row at its last display, to select a near row if it disappears.
    var lastRow = 0
    /// The first row in sight, unless the selection would be out of sight with it.
    var firstRow = 0
    /// Each is announced once.
    var announcedUpdates: Set<ContentUpdate> = []
    /// Until the result is known.
    var asked: [ProductID: AskedDownload] = [:]
    /// The bytes that arrived since the last snapshot was asked for, which may not have them.
    var moved: [DownloadProgress] = []
    /// The displayed balances that still count up to the snapshot's, by unit.
    var counts: [String: BalanceCount] = [:]
}

/// A download that the customer has requested.
struct AskedDownload: Hashable, Sendable {
    /// Whether other content was to be removed for the download.
    var makesRoom = false
    /// Whether the request has reached the device; snapshots read after that have its result.
    var isSent = false
    /// Whether the next snapshot may have been read before the request.
    var skipsSnapshot = false
}

/// One line of the library.
package enum LibraryRow: Hashable, Sendable {
    case heading(LibrarySection)
    /// An empty line between sections.
    case gap
    case product(ProductID)
    /// One of several packages that are being downloaded, below its product.
    case package(ProductID, contentID: String)
    /// A theme that a product unlocks; nil for the standard theme, which needs no product.
    case theme(UnlockID?)

    package var isSelectable: Bool {
        switch self {
        case .product, .package, .theme: true
        case .heading, .gap: false
        }
    }
}

/// A heading under which the library lists products.
package enum LibrarySection: Hashable, Sendable, CaseIterable {
    /// Subscriptions on which the customer should act.
    case attention
    /// Delivered on this device, with its content here.
    case here
    /// Whose content is being downloaded, is incomplete, or has a newer version.
    case downloads
    /// Owned products that must be restored or downloaded before use.
    case elsewhere
    /// Subscriptions and passes that have not ended.
    case timed
    /// Subscriptions and passes that are over.
    case ended
    case appearance
}

/// A displayed balance that counts up to a larger amount, so that the customer notices a purchase.
package struct BalanceCount: Hashable, Sendable {
    var shown: Int64
    private let from: Int64
    private let to: Int64
    /// The start of the count, in elapsed time since the program began.
    private let began: Duration

    package static let lasting = Duration.seconds(1)
    /// The time for which each number is shown.
    static let step = Duration.milliseconds(50)

    init(from: Int64, to: Int64, at elapsed: Duration) {
        self.from = from
        self.to = to
        began = elapsed
        shown = from
    }

    /// Returns whether the count has reached its end.
    mutating func step(at elapsed: Duration) -> Bool {
        let passed = max(.zero, elapsed - began)
        guard passed < Self.lasting else { return true }
        let thousandths = Int64(passed / Duration.milliseconds(1))
        let (difference, overflow) = to.subtractingReportingOverflow(from)
        guard !overflow else { return true }
        shown = from + difference / 1000 * thousandths + difference % 1000 * thousandths / 1000
        return false
    }
}
