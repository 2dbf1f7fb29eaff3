import StoreModel

/// Restoring and downloads.
extension ShopState {
    mutating func beginRestore(_ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil else { return [] }
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard !isRestoring else { return refuse(.alreadyRestoring, moment) }
        isRestoring = true
        return announce(.restoring, moment) + [.restore]
    }

    mutating func endRestore(_ summary: RestoreSummary, _ moment: ShopMoment) -> [ShopEffect] {
        isRestoring = false
        let new = Set(summary.restored.map(\.productId))
        let here = Set(summary.alreadyHere.map(\.productId))
        restored.formUnion(new)
        _ = announce(
            .restored(
                count: new.count, alreadyHere: here.count, unverified: summary.unverifiedCount,
                toDownload: new.filter(hasHostedContent).count
                    + here.filter { isNotDownloaded($0) }.count), moment)
        return queries.ask(.refreshAccount)
    }

    private func hasHostedContent(_ id: ProductID) -> Bool {
        productList.product(id)?.hostedContent.isEmpty == false
    }

    private func isNotDownloaded(_ id: ProductID) -> Bool {
        if let product = productList.product(id), case .notDownloaded = status(of: product) {
            true
        } else {
            false
        }
    }

    mutating func failRestore(_ error: StoreError, _ moment: ShopMoment) -> [ShopEffect] {
        isRestoring = false
        return announce(.restoreFailed(error), moment) + queries.ask(.refreshAccount)
    }

    // MARK: - Downloads

    /// Pauses an active download, resumes one that is paused or failed, and downloads content that
    /// is not on this device.
    mutating func toggleDownload(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard let product = selectedProduct else { return [] }
        switch status(of: product) {
        case .downloading:
            return announce(.downloadPaused(name: product.displayName), moment)
                + [.pauseDownload(product.id)]
        case .paused, .downloadFailed, .notDownloaded:
            return announce(.downloadResumed(name: product.displayName), moment)
                + [.resumeDownload(product.id)]
        case .buyable, .purchasing, .waitingForAnswer, .failed, .owned, .ownedElsewhere,
            .current, .plan, .planned, .change, .timed, .groupTaken, .ownServer:
            return refuse(.nothingDownloading, moment)
        }
    }

    /// Asks whether the selected product's download should be cancelled.
    mutating func cancelDownload(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard sheet == nil, let product = selectedProduct else { return [] }
        guard status(of: product).download != nil else { return refuse(.nothingToCancel, moment) }
        sheet = .question(QuestionSheet(.cancelDownload(product.id)))
        return []
    }

    /// Asks whether the selected product's content should be deleted from this device.
    mutating func deleteContent(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard sheet == nil, let product = selectedProduct else { return [] }
        guard hasContentHere(product) else { return refuse(.noContentHere, moment) }
        sheet = .question(QuestionSheet(.deleteContent(product.id)))
        return []
    }

    /// Whether the product's downloaded content is on this device.
    func hasContentHere(_ product: Product) -> Bool {
        if case .owned = status(of: product) { return !product.hostedContent.isEmpty }
        return false
    }
}
