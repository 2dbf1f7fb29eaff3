import ShopText
package import StoreModel

/// The actions of the library.
package enum LibraryAction: ComponentAction, Hashable {
    case pointed(row: Int)
    /// The elapsed time has reached `ShopState.Deadlines.nextCountOrSilence`.
    case counted
    /// Bytes of downloads have arrived, this long after the program began.
    case moved([DownloadProgress], at: Duration)
    /// The device has received the request to resume a product's download.
    case resumed(ProductID)
    /// Other content was removed and the download resumed: the packages' number and bytes.
    case roomMade(ProductID, packages: Int, bytes: Int64)
    /// Fetch the newer versions of all content on this device.
    case allUpdated

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .pointed(let row): shop.pointInLibrary(at: row, moment)
        case .counted: shop.count(moment)
        case .moved(let progress, let elapsed): shop.move(progress, at: elapsed)
        case .resumed(let product): shop.noteAsked(for: product)
        case .roomMade(let product, let packages, let bytes):
            shop.noteRoomMade(for: product, packages: packages, bytes: bytes, moment)
        case .allUpdated: shop.updateAll(moment)
        }
    }
}

extension ShopAction {
    package static func library(_ action: LibraryAction) -> ShopAction { .component(action) }
}

/// The products that the account owns, on this and on other devices: the root of the library's
/// view.
package enum LibraryScreen: ShopComponent {
    static let fillsBody = false

    static func selectedProduct(in shop: ShopState) -> Product? { shop.selectedLibraryProduct }

    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.moveInLibrary(movement)
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch shop.selectedInLibrary {
        case .product(let id):
            guard shop.productList.product(id) != nil else {
                let error = StoreError(.productUnavailable, productID: id)
                return shop.announce(.trouble(error), moment)
            }
            shop.openPage(id)
            return []
        case .package(let id, let contentID):
            shop.openPage(id)
            shop.page.package = contentID
            return []
        case .theme(let theme): return shop.chooseTheme(theme, moment)
        case .heading, .gap, nil: return []
        }
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.show(.shop, moment)
    }
}

extension ShopState {
    // MARK: - Owned products

    /// Nil if not owned. A pending payment for a further one does not change the section.
    package func librarySection(of id: ProductID) -> LibrarySection? {
        let isDelivered = snapshot.delivered.contains(id)
        let isEntitled = snapshot.entitlements[id] != nil
        guard let product = productList.product(id) else {
            guard isEntitled else { return nil }
            return isDelivered ? .here : .elsewhere
        }
        switch product.type {
        case .consumable: return nil
        case .nonConsumable:
            guard isDelivered || !isEntitled && opener(of: product) != nil else {
                return isEntitled ? .elsewhere : isClosed(product) ? .ended : nil
            }
            return isDownloading(product) ? .downloads : isMissing(product) ? .elsewhere : .here
        case .autoRenewable:
            guard let subscription = subscription(of: id) else { return isEntitled ? .timed : nil }
            if subscription.needsAttention { return .attention }
            if isDelivered, isDownloading(product) { return .downloads }
            // A shared subscription whose owner has not paid gives no access, but is not over.
            return isEntitled ? .timed : subscription.hasAccess ? nil : .ended
        case .nonRenewing:
            guard product.nonRenewingPeriod != nil else { return isEntitled ? .timed : nil }
            guard let end = deadlines.periodEnds[id] else { return isEntitled ? .elsewhere : nil }
            return end > now ? .timed : .ended
        }
    }

    /// A delivered product's content is being downloaded, is incomplete, or has a newer version.
    private func isDownloading(_ product: Product) -> Bool {
        guard !product.hostedContent.isEmpty else { return false }
        switch snapshot.downloads[product.id]?.state {
        case .waiting, .active, .paused, .failed: return true
        case .finished, .cancelled, .deleted, nil: return !updates(of: product).isEmpty
        }
    }

    /// Whether a delivered product's content is neither installed nor being downloaded.
    private func isMissing(_ product: Product) -> Bool {
        !product.hostedContent.isEmpty
            && [.cancelled, .deleted, nil].contains(snapshot.downloads[product.id]?.state)
    }

    package var ownedCount: Int {
        library.owned.reduce(0) { count, section in
            switch section.key {
            case .timed: count + section.value.count
            case .downloads, .here, .elsewhere: count + section.value.count { isBought($0) }
            case .attention, .ended, .appearance: count + section.value.count { isOwned($0) }
            }
        }
    }

    /// Not only opened by another product.
    private func isBought(_ id: ProductID) -> Bool {
        snapshot.delivered.contains(id) || snapshot.entitlements[id] != nil
    }

    /// Whether the account may use a product now, at once or after a restore. A subscription that
    /// is over, or has no access while its payment fails, is in the library but not owned.
    package func isOwned(_ id: ProductID) -> Bool {
        switch librarySection(of: id) {
        case .timed: true
        case .downloads, .here, .elsewhere: isBought(id)
        // The store entitles to a pass for good; when it ended the app reckons itself.
        case .ended where productList.product(id)?.type == .nonRenewing: false
        case .attention, .ended: snapshot.entitlements[id] != nil
        case .appearance, nil: false
        }
    }

    /// Called when the products, the account or the time have changed.
    mutating func arrangeLibrary() {
        let known = Set(snapshot.entitlements.keys).union(snapshot.delivered)
            .union(snapshot.subscriptions.values.map(\.productID))
            .union(productList.openedByUnlocks)
        var owned: [LibrarySection: [(position: Int, id: ProductID)]] = [:]
        for id in known {
            guard let section = librarySection(of: id) else { continue }
            owned[section, default: []].append((productList.position(of: id) ?? .max, id))
        }
        library.owned = owned.mapValues { products in
            sorted(
                products.sorted { ($0.position, $0.id.rawValue) < ($1.position, $1.id.rawValue) }
                    .map(\.id))
        }
    }

    private func sorted(_ products: [ProductID]) -> [ProductID] {
        switch library.sort {
        case .name: SortColumn.sorted(products) { name(of: $0).lowercased() }
        case .day:
            SortColumn.sorted(products) {
                // The complement orders from the newest, and cannot overflow.
                ~(snapshot.latestDelivered[$0]?.purchasedAt.milliseconds ?? 0)
            }
        case .price, .kind, nil: products
        }
    }

    /// Each section is in the catalog's order; products no longer for sale come last.
    package var libraryRows: [LibraryRow] {
        var rows: [LibraryRow] = []
        for section in LibrarySection.allCases {
            let lines = libraryRows(of: section)
            guard !lines.isEmpty else { continue }
            if !viewport.isCompact {
                if !rows.isEmpty { rows.append(.gap) }
                rows.append(.heading(section))
            }
            rows += lines
        }
        return rows
    }

    private func libraryRows(of section: LibrarySection) -> [LibraryRow] {
        let owned = library.owned[section] ?? []
        switch section {
        case .attention, .here, .elsewhere, .timed, .ended:
            return owned.map { .product($0) }
        case .downloads:
            return owned.flatMap { id in
                [.product(id)]
                    + openPackages(of: id).map { .package(id, contentID: $0.contentID) }
            }
        case .appearance:
            let themes = themes
            return themes.isEmpty ? [] : [.theme(nil)] + themes.map { .theme($0) }
        }
    }

    // MARK: - Selecting

    /// In `libraryRows`; nil if there is nothing to select.
    package var selectedLibraryRow: Int? { selectedRow(of: libraryRows) }

    /// The row at `selectedLibraryRow`.
    var selectedInLibrary: LibraryRow? {
        let rows = libraryRows
        return selectedRow(of: rows).map { rows[$0] }
    }

    func selectedRow(of rows: [LibraryRow]) -> Int? {
        if let selected = library.selected, let row = rows.firstIndex(of: selected) { return row }
        let near = max(0, min(library.lastRow, rows.count - 1))
        return rows.indices.dropFirst(near).first { rows[$0].isSelectable }
            ?? rows.indices.last { rows[$0].isSelectable }
    }

    /// For a theme, the product that unlocks it.
    var selectedLibraryProduct: Product? {
        switch selectedInLibrary {
        case .product(let id), .package(let id, _): productList.product(id)
        case .theme(let theme?): product(unlocking: theme)
        case .theme(nil), .heading, .gap, nil: nil
        }
    }

    mutating func moveInLibrary(_ movement: Movement) {
        let rows = libraryRows
        guard let row = selectedRow(of: rows) else { return }
        let step = movement.lines(page: window(of: rows, room: viewport.rows).selectionPage)
        let wanted = min(max(0, row + step), rows.count - 1)
        let selectable = rows.indices.filter { rows[$0].isSelectable }
        let next =
            step < 0
            ? selectable.last { $0 <= wanted } ?? selectable.first
            : selectable.first { $0 >= wanted } ?? selectable.last
        selectInLibrary(next ?? row, of: rows)
    }

    /// - Parameter rows: `libraryRows`.
    mutating func selectInLibrary(_ row: Int, of rows: [LibraryRow]) {
        library.selected = rows[row]
        library.lastRow = row
        library.firstRow = window(of: rows, room: viewport.rows).first
    }

    /// Of `libraryRows`, when `room` of them fit: with the selected row and its heading.
    func window(of rows: [LibraryRow], room: Int, isMarked: Bool = true) -> RowWindow {
        let selected = selectedRow(of: rows) ?? 0
        var top = selected
        while top > 0, room > 2, case .heading = rows[top - 1] { top -= 1 }
        return RowWindow(
            count: rows.count, room: room, from: library.firstRow, showing: top...selected,
            isMarked: isMarked)
    }

    /// Handles a click: selects the row; a click on the selected row acts as Enter. While a page is
    /// open beside the library, opens the page of the clicked product.
    fileprivate mutating func pointInLibrary(at row: Int, _ moment: ShopMoment) -> [ShopEffect] {
        let rows = libraryRows
        guard navigation.view == .library, sheet == nil, help == nil, rows.indices.contains(row),
            rows[row].isSelectable
        else { return [] }
        navigation.isConsolePaneFocused = false
        if row == selectedLibraryRow, screen == .library {
            return focus.type.confirm(in: &self, moment)
        }
        selectInLibrary(row, of: rows)
        guard screen != .library else { return [] }
        if let product = selectedLibraryProduct {
            openPage(product.id)
        } else {
            navigation.goBack()
        }
        return []
    }

    // MARK: - The purse

    /// A balance that has grown counts up to its new amount.
    package var shownBalances: [Balance] {
        snapshot.balances.map { balance in
            Balance(
                unit: balance.unit, amount: library.counts[balance.unit]?.shown ?? balance.amount)
        }
    }

    /// Starts the count of each balance that has grown.
    mutating func countBalances(from old: AccountSnapshot, _ moment: ShopMoment) {
        for balance in snapshot.balances {
            let before = old.balances.first { $0.unit == balance.unit }?.amount ?? 0
            guard before != balance.amount, own.animates else { continue }
            library.counts[balance.unit] =
                balance.amount > before
                ? BalanceCount(
                    from: library.counts[balance.unit]?.shown ?? before, to: balance.amount,
                    at: moment.elapsed) : nil
        }
        deadlines.nextCount = library.counts.isEmpty ? nil : moment.elapsed + BalanceCount.step
    }

    /// Downloads that got no bytes say so, and for how long.
    mutating func noteSilence(_ elapsed: Duration) {
        for id in snapshot.downloads.keys { snapshot.downloads[id]?.noteSilence(at: elapsed) }
        let isAnyDue = snapshot.downloads.values.contains(where: \.isDue)
        deadlines.nextSilence = isAnyDue ? elapsed + .seconds(1) : nil
    }

    fileprivate mutating func count(_ moment: ShopMoment) -> [ShopEffect] {
        noteSilence(moment.elapsed)
        for (unit, var balance) in library.counts {
            library.counts[unit] = balance.step(at: moment.elapsed) ? nil : balance
        }
        deadlines.nextCount = library.counts.isEmpty ? nil : moment.elapsed + BalanceCount.step
        return []
    }
}
