package import StoreModel

/// What can be pressed on a product's page.
package enum PageButton: Hashable, Sendable {
    case buy
    case restore
    case pause
    case resume
    case download
    case cancelDownload
    case deleteContent
    case openConsole
    case back

    /// Pausing, going on, and fetching again are one switch that changes its word.
    var isDownloadSwitch: Bool { self == .pause || self == .resume || self == .download }
}

extension ShopState {
    /// The buttons of a product's page as things stand, the most useful first. Never empty.
    package func pageButtons(for product: Product) -> [PageButton] {
        switch status(of: product) {
        case .buyable, .failed: [.buy, .back]
        case .timed: [.back, .buy]
        case .purchasing, .current, .groupTaken, .ownServer: [.back]
        case .waitingForApproval: shop.hasConsole ? [.back, .openConsole] : [.back]
        case .downloading: [.pause, .cancelDownload, .back]
        case .paused: [.resume, .cancelDownload, .back]
        case .downloadFailed: [.resume, .cancelDownload, .back]
        case .notDownloaded: [.download, .back]
        case .owned: product.hostedContent.isEmpty ? [.back] : [.back, .deleteContent]
        case .ownedElsewhere: [.restore, .back]
        }
    }

    /// What can be pressed on the page that is open.
    package var choices: [PageButton] {
        guard case .product(let id) = screen, let product = productList.product(id) else {
            return []
        }
        return pageButtons(for: product)
    }

    /// The button that is chosen: the first at first, then the one that was, as long as it is there.
    /// When it goes, nothing else slips under a finger: what is chosen then leads back.
    package func chosenButton(for product: Product) -> Int {
        let buttons = pageButtons(for: product)
        guard let pageChoice else { return 0 }
        if let index = buttons.firstIndex(of: pageChoice) { return index }
        let follows =
            pageChoice.isDownloadSwitch ? buttons.firstIndex(where: \.isDownloadSwitch) : nil
        return follows ?? buttons.firstIndex(of: .back) ?? 0
    }
}
