import Basics
import ShopText
package import StoreModel

extension ShopState {
    mutating func beginRestore(_ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil else { return [] }
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard !purchasing.isRestoring else { return refuse(.alreadyRestoring, moment) }
        purchasing.isRestoring = true
        return announce(.restoring, moment) + [.restore]
    }

    mutating func endRestore(_ summary: RestoreSummary, _ moment: ShopMoment) -> [ShopEffect] {
        purchasing.isRestoring = false
        let new = Set(summary.restored.map(\.productId))
        let here = Set(summary.alreadyHere.map(\.productId))
        purchasing.restored.formUnion(new)
        _ = announce(
            .restored(
                count: new.count, alreadyHere: here.count, unverified: summary.unverifiedCount,
                toDownload: new.filter(hasHostedContent).count
                    + here.filter { isNotDownloaded($0) }.count,
                leavesConsumables: summary.leavesConsumables ?? false), moment)
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
        purchasing.isRestoring = false
        return announce(.restoreFailed(error), moment) + queries.ask(.refreshAccount)
    }

    // MARK: - Downloads

    /// Pauses an active download, resumes a paused or failed one, or downloads missing content.
    mutating func toggleDownload(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard let product = selectedProduct else { return [] }
        let package = selectedPackage
        let status = statusOfSelection(product)
        if let subject = downloadQuestion(of: product, status) { return openQuestion(subject) }
        switch status {
        case .downloading: return perform(.pauseDownloads, on: product, package: package, moment)
        case .paused, .downloadFailed, .notDownloaded, .included(with: _, until: _, isHere: false):
            return resume(product, package: package, moment)
        case .owned where !updates(of: product).isEmpty,
            .included where !updates(of: product).isEmpty:
            return resume(product, moment)
        case .buyable, .failed, .current, .plan, .planned, .change, .groupTaken:
            return hasIssuesToDownload(product)
                ? resume(product, moment) : refuse(.nothingDownloading, moment)
        case .purchasing, .waitingForAnswer, .owned, .included, .ownedElsewhere, .timed:
            return refuse(.nothingDownloading, moment)
        }
    }

    /// Announces the operation, and asks the device for it.
    mutating func perform(
        _ operation: ContentOperation, on product: Product, package: String? = nil,
        _ moment: ShopMoment
    ) -> [ShopEffect] {
        announce(.content(operation, name: name(of: product.id, package: package)), moment)
            + [.content(operation, product.id, package: package)]
    }

    /// With the package's identifier, if there is one.
    package func name(of product: ProductID, package: String?) -> String {
        name(of: product) + (package.map { " (\($0))" } ?? "")
    }

    /// As `ProductDownload.openPackages`, while the product's download is shown.
    package func openPackages(of id: ProductID) -> [Download] {
        productList.product(id).flatMap { status(of: $0).download }?.openPackages ?? []
    }

    /// The package of the selected product that keys and buttons are about; nil for all of them.
    package var selectedPackage: String? {
        guard let product = selectedProduct else { return nil }
        let chosen: String? =
            if case .product = screen {
                page.package
            } else if screen == .library, case .package(_, let contentID)? = selectedInLibrary {
                contentID
            } else { nil }
        return openPackages(of: product.id).first { $0.contentID == chosen }?.contentID
    }

    /// The status of the selected package, otherwise of the product.
    func statusOfSelection(_ product: Product) -> ProductStatus {
        let status = status(of: product)
        guard product.id == selectedProduct?.id, let package = selectedPackage else {
            return status
        }
        return self.status(of: package, in: status.download) ?? status
    }

    /// A cancelled package can be resumed, as a paused one.
    package func status(of package: String, in download: ProductDownload?) -> ProductStatus? {
        guard let download, let row = download.package(package) else { return nil }
        let alone = ProductDownload([row], at: download.rateAt)
        return Self.status(of: alone) ?? .paused(alone)
    }

    /// The next package of the page, and after the last one all of them.
    mutating func choosePackage() {
        guard let product = selectedProduct else { return }
        let packages = openPackages(of: product.id).map(\.contentID)
        let next = selectedPackage.flatMap { packages.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        page.package = packages.indices.contains(next) ? packages[next] : nil
    }

    /// Asks the device to resume a product's download, and announces its obstacle if one is known.
    private mutating func resume(
        _ product: Product, package: String? = nil, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let name = name(of: product.id, package: package)
        library.asked[product.id] = AskedDownload()
        return announce(
            snapshot.isOffline
                ? .downloadWaits(name: name, .network) : .content(.resumeDownloads, name: name),
            moment) + [.content(.resumeDownloads, product.id, package: package)]
    }

    /// Moves the bars of downloads, whose bytes arrived this long after the program began.
    mutating func move(_ progress: [DownloadProgress], at elapsed: Duration) -> [ShopEffect] {
        library.moved = queries.isUnderWay(.refreshAccount) ? progress : []
        for product in Set(progress.map(\.productID)) {
            guard let before = snapshot.downloads[product] else { continue }
            snapshot.downloads[product] = before.moved(to: progress, at: elapsed)
                .steady(after: before)
        }
        noteSilence(elapsed)
        return []
    }

    /// The first snapshot read after the device was asked to resume has the result.
    mutating func noteAsked(for product: ProductID) -> [ShopEffect] {
        library.asked[product]?.isSent = true
        library.asked[product]?.skipsSnapshot = queries.isUnderWay(.refreshAccount)
        return []
    }

    /// Announces the packages that the device removed for a download that found the disk full.
    mutating func noteRoomMade(
        for product: ProductID, packages: Int, bytes: Int64, _ moment: ShopMoment
    ) -> [ShopEffect] {
        _ = noteAsked(for: product)
        return announce(
            .roomMade(name: name(of: product), packages: packages, bytes: bytes), moment)
    }

    /// The customer's request to resume, if this snapshot has its result: the download waits or
    /// failed, perhaps as before. Nil without a request, or before its result.
    mutating func answersAsked(_ download: ProductDownload, of product: ProductID)
        -> AskedDownload?
    {
        guard let asked = library.asked[product], asked.isSent else { return nil }
        guard !asked.skipsSnapshot else {
            library.asked[product]?.skipsSnapshot = false
            return nil
        }
        if download.state == .active, download.error == nil { return nil }
        // The download is queued behind others, or will be retried.
        if download.state == .waiting, download.obstacle == nil, download.error == nil {
            return nil
        }
        library.asked[product] = nil
        return asked
    }

    /// Bytes of other products' content on this device, which can be removed to make room.
    package func removableBytes(for product: ProductID) -> Int64 {
        snapshot.downloads.reduce(0) { sum, download in
            download.key != product && download.value.state == .finished
                ? sum + download.value.expected : sum
        }
    }

    /// Asked before a resumption: to use a metered connection, or to make room. Nil if neither.
    private func downloadQuestion(of product: Product, _ status: ProductStatus)
        -> QuestionSheet.Subject?
    {
        switch status {
        case .downloading(let download):
            return download.needsConsent
                ? .downloadMetered(product.id, package: selectedPackage) : nil
        case .downloadFailed(let download) where download.error?.code == .deviceFull:
            return .makeRoom(product.id)
        case .owned where updates(of: product).isEmpty,
            .included(with: _, until: _, isHere: true) where updates(of: product).isEmpty:
            return nil
        case .paused, .downloadFailed, .notDownloaded, .owned, .included:
            return meteredQuestion(of: product)
        case .buyable, .failed, .current, .plan, .planned, .change, .groupTaken:
            return hasIssuesToDownload(product) ? meteredQuestion(of: product) : nil
        case .purchasing, .waitingForAnswer, .ownedElsewhere, .timed: return nil
        }
    }

    /// Nil if the connection is not metered or the download is small.
    private func meteredQuestion(of product: Product) -> QuestionSheet.Subject? {
        let settings = snapshot.settings
        return settings.isMetered && bytesToDownload(of: product) >= settings.meteredBytes
            ? .downloadMetered(product.id, package: selectedPackage) : nil
    }

    /// The issues of a subscription that the account may read and that are not on this device.
    func missingIssues(of product: Product) -> [HostedContent] {
        guard product.type == .autoRenewable, snapshot.delivered.contains(product.id) else {
            return []
        }
        let installed = snapshot.downloads[product.id]?.installed ?? [:]
        return product.hostedContent.filter { installed[$0.id] == nil }
    }

    /// Whether issues that the account may read, or newer versions of them, can be downloaded.
    private func hasIssuesToDownload(_ product: Product) -> Bool {
        product.type == .autoRenewable
            && (!missingIssues(of: product).isEmpty || !updates(of: product).isEmpty)
    }

    /// Counts only packages with a newer version than the one on this device.
    package func bytesToDownload(of product: Product) -> Int64 {
        let updates = updates(of: product)
        let missing = missingIssues(of: product)
        guard missing.isEmpty else {
            return (missing.map(\.length) + updates.map(\.length)).reduce(0) {
                $0.addingClamped($1)
            }
        }
        return updates.isEmpty
            ? product.hostedContent.reduce(0) { $0.addingClamped($1.length) }
            : updates.reduce(0) { $0.addingClamped($1.length) }
    }

    mutating func toggle(_ setting: DeviceSwitch, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        var settings = snapshot.settings
        settings[setting].toggle()
        return announce(.setting(setting, settings), moment) + [.saveSettings(settings)]
    }

    /// None while they are being downloaded, and none of deleted packages.
    package func updates(of product: Product) -> [ContentUpdate] {
        guard let download = snapshot.downloads[product.id], !download.installed.isEmpty,
            download.state.isComplete, download.state != .failed
        else { return [] }
        return ContentUpdate.available(of: product, installed: download.installed)
    }

    /// On a metered connection, the device asks for consent before each large download.
    mutating func updateAll(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        let products = productList.products.filter {
            !$0.hostedContent.isEmpty && !updates(of: $0).isEmpty
        }
        guard !products.isEmpty else {
            return refuse(snapshot.isOffline ? .updatesUnknown : .nothingToUpdate, moment)
        }
        return announce(.updatingAll(count: products.count), moment)
            + products.map { .content(.resumeDownloads, $0.id) }
    }

    /// Announces newer versions that were not announced before. Called at the start, after a
    /// catalog revision, and when other content is on the device.
    mutating func announceUpdates(_ moment: ShopMoment) {
        guard isReady else { return }
        var found: [ContentUpdate] = []
        for product in productList.products where !product.hostedContent.isEmpty {
            found += updates(of: product)
        }
        let new = found.filter { !library.announcedUpdates.contains($0) }
        guard let first = new.first else { return }
        library.announcedUpdates.formUnion(new)
        _ = announce(
            .updatesFound(name: name(of: first.productID), first, count: new.count), moment)
    }

    package var downloadTotals: DownloadTotals {
        DownloadTotals(
            (library.owned[.downloads] ?? []).compactMap { snapshot.downloads[$0] }
                .filter { !$0.state.isComplete || $0.state == .failed })
    }

    /// Performs an operation on the selected product's content: at once, or after a question if it
    /// removes something.
    mutating func choose(_ operation: ContentOperation, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard sheet == nil, let product = selectedProduct else { return [] }
        switch operation {
        case .cancelDownloads:
            guard status(of: product).download != nil else {
                return refuse(.nothingToCancel, moment)
            }
            return openQuestion(.cancelDownload(product.id, package: selectedPackage))
        case .deleteContent:
            guard hasContentHere(product) else { return refuse(.noContentHere, moment) }
            return openQuestion(.deleteContent(product.id))
        default: return perform(operation, on: product, moment)
        }
    }

    func hasContentHere(_ product: Product) -> Bool {
        switch status(of: product) {
        case .owned: !product.hostedContent.isEmpty
        case .included(with: _, until: _, let isHere): isHere
        case .buyable, .failed, .current, .plan, .planned, .change, .groupTaken:
            isClosed(product) || product.type == .autoRenewable && isReadable(product)
        default: false
        }
    }
}
