package import StoreModel

/// A button of a product's page.
package enum PageButton: Hashable, Sendable {
    case buy
    /// Removed content is downloaded again first, if the customer agrees.
    case read
    /// The page of the product that opens this one's content.
    case seeOpener
    /// Draw the shop in the theme that the product unlocks.
    case use
    /// Draw the shop in the standard theme.
    case stopUsing
    case restore
    case pause
    case resume
    case download
    case cancelDownload
    case deleteContent
    case update
    /// Resolve the interrupted purchase.
    case resolve
    case withdraw
    case requestRefund
    case receipt
    case manage
    /// The changes of the account's family, which shares the product.
    case family
    case openConsole
    case back

    /// Whether the button is pause, resume, download or update, of which a page has at most one.
    var isDownloadSwitch: Bool {
        self == .pause || self == .resume || self == .download || self == .update
    }

    var opensPurchase: Bool { self == .read || self == .use }

    /// Whether the button is use or stop using, of which a page has at most one.
    var isThemeSwitch: Bool { self == .use || self == .stopUsing }
}

extension ShopState {
    /// The most useful first. Empty only for a page beside list or library, which has no Back.
    package func pageButtons(for product: Product) -> [PageButton] {
        let family: [PageButton] =
            product.isFamilyShareable && offersOperatorActions ? [.family] : []
        let buttons =
            statusButtons(for: product).filter { $0 != .back || !isPageBesideRoot } + family
        guard let theme = theme(of: product), activeUnlocks.contains(theme) else { return buttons }
        return [self.theme == theme ? .stopUsing : .use] + buttons
    }

    /// Whether the page of the selected product is always open, beside the list or the library.
    var isPageBesideRoot: Bool { navigation.view.isBesidePage && viewport.panes > 1 }

    private func statusButtons(for product: Product) -> [PageButton] {
        let read: [PageButton] = isReadable(product) ? [.read] : []
        let buy: [PageButton] = canMakePayments ? [.buy] : []
        return switch statusOfSelection(product) {
        case .buyable, .failed:
            offer(product, buy) + (isClosed(product) ? [.deleteContent] : []) + manage(product)
        case .included(_, _, let isHere):
            (isHere
                ? read + (updates(of: product).isEmpty ? [] : [.update])
                : (isRemoved(product) ? [.read] : []) + [.download]) + buy + [.back]
                + (isHere ? [.deleteContent] : [])
        case .change: buy + issues(product) + [.manage, .back]
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
                ? read + [.back]
                : read + (updates(of: product).isEmpty ? [] : [.update])
                    + [.back, .deleteContent]) + receipt(product) + refund(product)
        case .ownedElsewhere: [.restore, .back]
        }
    }

    /// With Back. What is unlocked already is offered last.
    private func offer(_ product: Product, _ buy: [PageButton]) -> [PageButton] {
        let offers = buy + (offeredOpener(of: product) == nil ? [] : [.seeOpener]) + issues(product)
        return alreadyUnlocked(by: product) == nil ? offers + [.back] : [.back] + offers
    }

    /// They remain after the subscription has ended, because the account keeps its issues.
    private func issues(_ product: Product) -> [PageButton] {
        guard product.type == .autoRenewable, !product.hostedContent.isEmpty,
            snapshot.delivered.contains(product.id)
        else { return [] }
        let download: [PageButton] =
            !missingIssues(of: product).isEmpty
            ? [.download] : updates(of: product).isEmpty ? [] : [.update]
        return (isReadable(product) || isRemoved(product) ? [.read] : []) + download
    }

    /// The button to manage a subscription that renews.
    private func managePlan(_ product: Product) -> [PageButton] {
        guard product.type == .autoRenewable, let subscription = subscription(of: product.id),
            subscription.standing != .unending
        else { return [] }
        return [.manage]
    }

    /// For a subscription that is over, or whose change of plan failed in a payment.
    private func manage(_ product: Product) -> [PageButton] {
        subscription(inGroupOf: product) == nil ? [] : [.manage]
    }

    /// Only if this shop knows a transaction that the account itself paid for.
    private func refund(_ product: Product) -> [PageButton] {
        product.price.milliunits > 0 && latestTransaction(of: product.id) != nil
            && sharedBy(product.id) == nil && !isRefundAsked(product.id)
            ? [.requestRefund] : []
    }

    /// Whether the refund of the latest purchase of a product waits for the store's answer.
    package func isRefundAsked(_ product: ProductID) -> Bool {
        guard !snapshot.refundsAsked.isEmpty, let latest = latestTransaction(of: product) else {
            return false
        }
        return snapshot.refundsAsked.contains(latest)
    }

    /// The button to show the receipt, if this device has delivered the product.
    private func receipt(_ product: Product) -> [PageButton] {
        snapshot.latestDelivered[product.id] == nil ? [] : [.receipt]
    }

    /// Nil if none waits.
    func waitingRequest(for product: Product) -> TransactionID? {
        if case .waitingForAnswer(let request, _) = status(of: product) { request } else { nil }
    }

    /// Empty while no page is open.
    package var choices: [PageButton] {
        let isOpen = screen.component == .page || (navigation.isAtRoot && isPageBesideRoot)
        guard isOpen, let product = selectedProduct else { return [] }
        return pageButtons(for: product)
    }

    /// In `pageButtons`: the first until the customer chooses another; after a purchase or download,
    /// the one that opens the product. If the chosen one disappears, Back or none, so that an Enter
    /// already on its way cannot press a different button.
    package func chosenButton(for product: Product) -> Int? {
        let buttons = pageButtons(for: product)
        guard let choice = page.choice else { return buttons.indices.first }
        if let index = buttons.firstIndex(of: choice) { return index }
        let replacement = buttons.firstIndex { button in
            (choice.isDownloadSwitch && button.isDownloadSwitch)
                || (choice.isThemeSwitch && button.isThemeSwitch)
        }
        let opening =
            choice == .buy || choice == .download ? buttons.firstIndex(where: \.opensPurchase) : nil
        return replacement ?? opening ?? buttons.firstIndex(of: .back)
    }
}
