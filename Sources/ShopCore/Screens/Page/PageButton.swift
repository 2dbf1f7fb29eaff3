package import StoreModel

/// A button of a product's page.
package enum PageButton: Hashable, Sendable {
    case buy
    /// Open the downloaded content in the reader; content that was removed is downloaded again before,
    /// if the person agrees.
    case read
    /// Draw the shop in the theme that the product unlocks.
    case use
    /// Draw the shop in the standard theme again.
    case stopUsing
    case restore
    case pause
    case resume
    case download
    case cancelDownload
    case deleteContent
    /// Fetch the newer version of its content.
    case update
    /// Resolve the interrupted purchase.
    case resolve
    /// Take the waiting request back.
    case withdraw
    case requestRefund
    /// Show the device's receipt, which proves the purchase.
    case receipt
    /// Show the account's subscription, with the actions for it.
    case manage
    case openConsole
    case back

    /// Whether it is one of pause, resume, download and update, which replace each other in the same
    /// place.
    var isDownloadSwitch: Bool {
        self == .pause || self == .resume || self == .download || self == .update
    }

    /// Whether it opens the purchased content.
    var opensPurchase: Bool { self == .read || self == .use }

    /// Whether it is one of use and stop using, which replace each other in the same place.
    var isThemeSwitch: Bool { self == .use || self == .stopUsing }
}

extension ShopState {
    /// The buttons of a product's page for its present status, the most useful first. Empty only
    /// beside the list or the library, from which there is nothing to go back.
    package func pageButtons(for product: Product) -> [PageButton] {
        let buttons = statusButtons(for: product).filter { $0 != .back || !isPageBesideRoot }
        guard let theme = theme(of: product), activeUnlocks.contains(theme) else { return buttons }
        return [self.theme == theme ? .stopUsing : .use] + buttons
    }

    /// Whether the page of the selected product is always open, beside the list or the library.
    var isPageBesideRoot: Bool { navigation.view.isBesidePage && viewport.panes > 1 }

    private func statusButtons(for product: Product) -> [PageButton] {
        let read: [PageButton] = isReadable(product) ? [.read] : []
        return switch status(of: product) {
        case .buyable, .failed:
            (canMakePayments ? [.buy] : []) + issues(product) + [.back] + manage(product)
        case .change: (canMakePayments ? [.buy] : []) + issues(product) + [.manage, .back]
        case .planned: issues(product) + [.manage, .back]
        case .plan(let standing):
            issues(product)
                + (standing.canBuy && canMakePayments && sharedBy(product.id) == nil
                    ? [.manage, .buy, .back] : [.manage, .back])
                + receipt(product) + refund(product)
        case .timed:
            (canMakePayments ? [.back, .buy] : [.back]) + receipt(product) + refund(product)
        case .current: issues(product) + [.back] + receipt(product) + refund(product)
        case .groupTaken: issues(product) + [.back]
        case .purchasing: [.back]
        case .waitingForAnswer(nil, _): [.back]
        case .waitingForAnswer(_?, .interrupted): [.resolve, .back, .withdraw]
        case .waitingForAnswer(_?, _):
            [.back, .withdraw] + (shop.namesConsole ? [.openConsole] : [])
        case .downloading(let download):
            [download.needsConsent ? .download : .pause] + read + [.cancelDownload, .back]
                + managePlan(product) + receipt(product)
        case .paused, .downloadFailed:
            [.resume] + read + [.cancelDownload, .back] + managePlan(product) + receipt(product)
        case .notDownloaded:
            (isRemoved(product) ? [.read] : []) + [.download, .back] + receipt(product)
        case .owned:
            (product.hostedContent.isEmpty
                ? [.back]
                : read + (updates(of: product).isEmpty ? [] : [.update])
                    + [.back, .deleteContent]) + receipt(product) + refund(product)
        case .ownedElsewhere: [.restore, .back]
        }
    }

    /// Reading the issues of a subscription, and downloading those that are not on this device; also
    /// after it has ended, because they stay the account's.
    private func issues(_ product: Product) -> [PageButton] {
        guard product.type == .autoRenewable, !product.hostedContent.isEmpty,
            snapshot.delivered.contains(product.id)
        else { return [] }
        let download: [PageButton] =
            !missingIssues(of: product).isEmpty
            ? [.download] : updates(of: product).isEmpty ? [] : [.update]
        return (isReadable(product) || isRemoved(product) ? [.read] : []) + download
    }

    /// Managing a subscription that has renewals.
    private func managePlan(_ product: Product) -> [PageButton] {
        guard product.type == .autoRenewable, let subscription = subscription(of: product.id),
            subscription.standing != .unending
        else { return [] }
        return [.manage]
    }

    /// Managing a subscription that is over, or that a payment for another plan failed in.
    private func manage(_ product: Product) -> [PageButton] {
        subscription(inGroupOf: product) == nil ? [] : [.manage]
    }

    /// Asking for a refund, of what the account paid for as far as this shop knows: not of what a
    /// family member shares.
    private func refund(_ product: Product) -> [PageButton] {
        product.price.milliunits > 0 && latestTransaction(of: product.id) != nil
            && sharedBy(product.id) == nil
            ? [.requestRefund] : []
    }

    /// Showing the receipt, of what this device has delivered.
    private func receipt(_ product: Product) -> [PageButton] {
        snapshot.latestDelivered[product.id] == nil ? [] : [.receipt]
    }

    /// The request that a product's payment waits under; nil if none does.
    func waitingRequest(for product: Product) -> TransactionID? {
        if case .waitingForAnswer(let request, _) = status(of: product) { request } else { nil }
    }

    /// The buttons of the open page; empty while none is open.
    package var choices: [PageButton] {
        let isOpen = screen.component == .page || (navigation.isAtRoot && isPageBesideRoot)
        guard isOpen, let product = selectedProduct else { return [] }
        return pageButtons(for: product)
    }

    /// The index of the chosen button in `pageButtons`: the first until a person chooses another.
    /// If the chosen button disappears, it is Back, or none where there is no Back, so that an Enter
    /// already on its way cannot press a different button. After a purchase it is the button that
    /// opens the purchase.
    package func chosenButton(for product: Product) -> Int? {
        let buttons = pageButtons(for: product)
        guard let choice = page.choice else { return buttons.indices.first }
        if let index = buttons.firstIndex(of: choice) { return index }
        let replacement = buttons.firstIndex { button in
            (choice.isDownloadSwitch && button.isDownloadSwitch)
                || (choice.isThemeSwitch && button.isThemeSwitch)
        }
        let opening = choice == .buy ? buttons.firstIndex(where: \.opensPurchase) : nil
        return replacement ?? opening ?? buttons.firstIndex(of: .back)
    }
}
