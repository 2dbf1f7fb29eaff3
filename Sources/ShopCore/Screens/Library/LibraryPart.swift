package import StoreModel

/// The library's part of the state. Its rows are derived from the owned products
/// (`ShopState.libraryRows`).
package struct LibraryPart: Hashable, Sendable {
    /// The products that the account owns, by section and in the order of the rows. Kept, because
    /// one key reads the rows a dozen times: with 100 products, finding them each time took three
    /// quarters of it (`make bench`: "library: key to last byte").
    var owned: [LibrarySection: [ProductID]] = [:]
    /// The row that a person selected, by what it shows, so that it stays selected where it moves;
    /// nil before a selection.
    var selected: LibraryRow?
    /// Where the selected row was last, for the case that it disappears.
    var lastRow = 0
    /// The first row that the screen shows, unless the selection would then be out of sight.
    var firstRow = 0
    /// The newer versions of content that were announced, so that each is announced once.
    var announcedUpdates: Set<ContentUpdate> = []
    /// The downloads that the person has just asked for, until it is known what became of that.
    var asked: [ProductID: AskedDownload] = [:]
    /// The balances that are counting up to what the snapshot says, by unit.
    var counts: [String: BalanceCount] = [:]
}

/// A download that a person has asked for.
struct AskedDownload: Hashable, Sendable {
    /// Whether other content was to be removed for it.
    var makesRoom = false
    /// Whether the device has been asked; the snapshots after that say what came of it.
    var isSent = false
    /// Whether the next snapshot may have been read before that.
    var skipsSnapshot = false
}

/// One line of the library.
package enum LibraryRow: Hashable, Sendable {
    case heading(LibrarySection)
    /// An empty line between sections.
    case gap
    /// Something that the account owns.
    case product(ProductID)
    /// A theme that a product unlocks; nil for the standard theme, which everybody has.
    case theme(UnlockID?)

    /// Whether the selection may be on it.
    package var isSelectable: Bool {
        switch self {
        case .product, .theme: true
        case .heading, .gap: false
        }
    }
}

/// A heading under which the library lists products.
package enum LibrarySection: Hashable, Sendable, CaseIterable {
    /// Subscriptions that a person should do something about.
    case attention
    /// Delivered on this device, with its content here.
    case here
    /// Content that is on its way to this device, was held up on it, or has a newer version.
    case downloads
    /// Owned, but to be restored or downloaded first.
    case elsewhere
    /// Subscriptions and passes that have not ended.
    case timed
    /// Subscriptions that are over.
    case ended
    /// The themes that products unlock.
    case appearance
}

/// A balance that counts up to a larger amount, so that a purchase is seen to arrive.
package struct BalanceCount: Hashable, Sendable {
    /// The amount that is shown now.
    var shown: Int64
    private let from: Int64
    private let to: Int64
    /// In elapsed time since the program began.
    private let began: Duration

    /// How long it counts.
    package static let lasting = Duration.seconds(1)
    /// How long each number is shown.
    static let step = Duration.milliseconds(50)

    init(from: Int64, to: Int64, at elapsed: Duration) {
        self.from = from
        self.to = to
        began = elapsed
        shown = from
    }

    /// Takes over the amount of a moment.
    ///
    /// - Returns: whether it has reached its end.
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
