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
}

extension ShopState {
    /// The buttons of a product's page as things stand, the most useful first. Never empty.
    package func pageButtons(for product: Product) -> [PageButton] {
        switch status(of: product) {
        case .buyable, .failed: [.buy, .back]
        case .purchasing, .current, .groupTaken, .ownServer: [.back]
        case .waitingForApproval: [.back, .openConsole]
        case .downloading: [.pause, .cancelDownload, .back]
        case .paused: [.resume, .cancelDownload, .back]
        case .downloadFailed: [.resume, .cancelDownload, .back]
        case .notDownloaded: [.download, .back]
        case .owned: product.hostedContent.isEmpty ? [.back] : [.back, .deleteContent]
        case .ownedElsewhere: [.restore, .back]
        }
    }

    /// The button that is chosen: the one that was, as long as it is there.
    package func chosenButton(for product: Product) -> Int {
        min(pageButton, pageButtons(for: product).count - 1)
    }
}
