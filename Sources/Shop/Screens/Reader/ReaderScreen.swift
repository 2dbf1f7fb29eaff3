import Basics
import ShopText
package import StoreModel

/// The actions of the reader.
package enum ReaderAction: ComponentAction {
    /// Opens the open chapter in its next language.
    case languageChanged
    case passageCopied
    /// Opening the package of this file was spent for; the balance afterwards, nil if nothing was
    /// spent, because it was open already.
    indirect case packageOpened(ContentFile, Balance?)
    /// The answer to `ShopEffect.openContent`.
    indirect case opened(OpenedContent)
    indirect case failed(ProductID, StoreError)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .languageChanged: shop.changeReadingLanguage(moment)
        case .passageCopied: shop.copyPassage(moment)
        case .packageOpened(let file, let left): shop.notePackageOpened(file, left, moment)
        case .opened(let content): shop.showContent(content, moment)
        case .failed(let product, let error): shop.failReading(product, error, moment)
        }
    }
}

extension ShopAction {
    package static func reader(_ action: ReaderAction) -> ShopAction { .component(action) }
}

/// The chapters of a downloaded product, one at a time. Each opens at its stored place.
package enum ReaderScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard shop.reader?.text != nil, let rows = shop.viewport.text else { return [] }
        shop.reader?.top = rows.place(after: movement, page: max(1, shop.viewport.rows - 1))
        guard let reader = shop.reader, moment.elapsed - reader.savedAt >= Self.saveInterval else {
            return []
        }
        return shop.rememberPlace(moment)
    }

    /// The least time between two saves of the place while the text is scrolled.
    static let saveInterval = Duration.seconds(3)

    /// After the last chapter, opens the next product with content.
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard let reader = shop.reader, let chapter = reader.chapter else { return [] }
        guard let file = reader.file(ofChapter: chapter + step) else {
            return step > 0 ? shop.readOn(moment) : []
        }
        return shop.openFile(file, moment)
    }

    /// Opens the list of chapters.
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.openChapters(moment)
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        let saving = shop.rememberPlace(moment)
        shop.reader = nil
        shop.navigation.goBack()
        return saving
    }
}

extension ShopState {
    /// The place in the open text, if it has not been saved yet. The program saves it when it ends.
    package var unsavedPlace: ReadingPlace? {
        guard let reader, let place = reader.place, place != reader.saved else { return nil }
        return place
    }

    /// Whether some of the product's content is on this device.
    package func isReadable(_ product: Product) -> Bool {
        isOpen(product)
            && (product.embeddedContent != nil
                || snapshot.downloads[product.id]?.installed.isEmpty == false)
    }

    func isRemoved(_ product: Product) -> Bool {
        isOpen(product) && snapshot.downloads[product.id]?.state == .deleted
    }

    /// At the file that was read last. For removed content, asks whether to download it again.
    mutating func read(_ product: Product, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard isReadable(product) else {
            return isRemoved(product)
                ? openQuestion(.fetchToRead(product.id)) : refuse(.noContentHere, moment)
        }
        let saving = closeReader(moment)
        reader = ReaderPart(product: product.id, name: product.displayName)
        navigation.open(.reader(product.id))
        return saving + [.openContent(product.id, nil)]
    }

    /// Downloads removed content again and opens it when it is complete, if its page is still in
    /// sight. A metered connection needs no second question: the first one named the size.
    mutating func fetchToRead(_ product: Product, _ moment: ShopMoment) -> [ShopEffect] {
        page.opensWhenHere = product.id
        let operation: ContentOperation =
            snapshot.settings.isMetered ? .consentToDownload : .resumeDownloads
        return announce(.content(.resumeDownloads, name: product.displayName), moment)
            + [.content(operation, product.id)]
    }

    /// Once; if another screen is in sight by then, the content stays closed.
    mutating func openFetchedContent(_ moment: ShopMoment) -> [ShopEffect] {
        guard let id = page.opensWhenHere, let product = productList.product(id),
            isReadable(product)
        else { return [] }
        page.opensWhenHere = nil
        guard focus == .page, screen == .product(id) else { return [] }
        return read(product, moment)
    }

    /// In the section of the open one; the last chapter offers it. Nil before the last chapter.
    package var nextToRead: Product? {
        guard let reader, reader.chapter != nil, !reader.hasChapter(step: 1) else { return nil }
        return productList.nextWithContent(after: reader.product)
    }

    /// Opens the page, to buy or download the product, if its content is not on this device.
    fileprivate mutating func readOn(_ moment: ShopMoment) -> [ShopEffect] {
        guard let next = nextToRead else { return [] }
        guard !isReadable(next) else { return read(next, moment) }
        let saving = rememberPlace(moment)
        openPage(next.id)
        return saving
    }

    /// Saves the place and closes the reader, in every view.
    private mutating func closeReader(_ moment: ShopMoment) -> [ShopEffect] {
        let saving = rememberPlace(moment)
        dropReader()
        return saving
    }

    mutating func dropReader() {
        reader = nil
        closeChapters()
        navigation.closeAll { screen in
            if case .reader = screen { true } else { false }
        }
    }

    mutating func rememberPlace(_ moment: ShopMoment) -> [ShopEffect] {
        guard let place = unsavedPlace, opening == .open else { return [] }
        reader?.saved = place
        reader?.savedAt = moment.elapsed
        return [.remember(place)]
    }

    /// Does nothing while a file is being opened.
    mutating func openFile(_ number: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard let open = reader, !open.isLoading, open.files.indices.contains(number) else {
            return []
        }
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard open.files[number].cost == nil else {
            return openQuestion(.openPackage(open.product, open.files[number]))
        }
        let saving = rememberPlace(moment)
        reader?.isLoading = true
        return saving + [.openContent(open.product, open.files[number])]
    }

    /// Spends what a package costs, or opens the page of the product that grants what is missing.
    mutating func spend(
        toOpen file: ContentFile, of product: Product, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard let cost = file.cost, reader?.product == product.id else { return [] }
        guard balance(of: cost.unit) >= Int64(cost.amount) else {
            let grants = productList.products.first { $0.grant?.unit == cost.unit }
            if let grants { openPage(grants.id) }
            return []
        }
        reader?.isLoading = true
        return [.openPackage(product.id, file)]
    }

    package func balance(of unit: String) -> Int64 {
        snapshot.balances.first { $0.unit == unit }?.amount ?? 0
    }

    fileprivate mutating func notePackageOpened(
        _ file: ContentFile, _ left: Balance?, _ moment: ShopMoment
    ) -> [ShopEffect] {
        announce(
            .packageOpened(title: UntrustedText.clean(file.title ?? file.path), left: left), moment)
    }

    /// Copies the paragraphs in sight, or offers the product that unlocks copying.
    fileprivate mutating func copyPassage(_ moment: ShopMoment) -> [ShopEffect] {
        guard focus == .reader, let text = reader?.text, let rows = viewport.text else {
            return refuse(.nothingToCopy, moment)
        }
        guard activeUnlocks.contains(.copyPassages) else {
            guard let product = product(unlocking: .copyPassages) else {
                return refuse(.nothingToCopy, moment)
            }
            let saving = rememberPlace(moment)
            openPage(product.id)
            return saving + refuse(.locked(name: product.displayName), moment)
        }
        let shown = rows.places.dropFirst(rows.top).prefix(max(1, viewport.rows)).map(\.line)
        guard let first = shown.first, let last = shown.last else {
            return refuse(.nothingToCopy, moment)
        }
        let lines = text.lines(first..<(last + 1)).map(\.text)
        return copy(.passage(lines.joined(separator: "\n")), moment)
    }

    /// Closes the reader when the plan that opened its product has ended. In its place the product's
    /// page opens, which offers the plan again; not over another view.
    mutating func leaveClosedContent(_ moment: ShopMoment) -> [ShopEffect] {
        guard let open = reader, let product = productList.product(open.product), isClosed(product)
        else { return [] }
        let isInSight = if case .reader = screen { true } else { false }
        let saving = closeReader(moment)
        if isInSight { openPage(product.id) }
        return saving + announce(.accessEnded(name: product.displayName), moment)
    }

    fileprivate mutating func changeReadingLanguage(_ moment: ShopMoment) -> [ShopEffect] {
        guard focus == .reader, let reader, let chapter = reader.chapter,
            let language = reader.nextLanguage
        else { return [] }
        return openFile(reader.chapters.chapters[chapter].file(in: language), moment)
    }

    fileprivate mutating func showContent(_ content: OpenedContent, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard var open = reader, open.product == content.product else { return [] }
        let isFirst = open.files.isEmpty
        if open.files != content.files { closeChapters() }
        open.files = content.files
        open.number = content.number
        open.text = content.text
        open.isLoading = false
        open.isDeleted = content.files.isEmpty
        // This is now the last opened file: its place is saved even if it is not scrolled.
        open.saved = nil
        open.savedAt = moment.elapsed
        open.top = TextPlace()
        if let place = content.place, let text = content.text, let file = open.file {
            open.top = ReaderPart.top(at: place.offset, in: text, length: file.length)
        }
        if let chapter = open.chapter, open.chapters.chapters[chapter].languages.count > 1 {
            open.language = open.chapters.language(of: content.number)
        }
        // Content opened for the first time begins in the customer's language.
        if isFirst, content.place == nil, let chapter = open.chapter,
            let language = open.chapters.language(of: chapter, for: self.language)
        {
            open.language = language
            open.isLoading = true
            reader = open
            let file = open.chapters.chapters[chapter].file(in: language)
            return [.openContent(open.product, open.files[file])]
        }
        reader = open
        return []
    }

    fileprivate mutating func failReading(
        _ product: ProductID, _ error: StoreError, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard reader?.product == product else { return [] }
        reader?.isLoading = false
        return announce(.trouble(error), moment)
    }

    /// Notes in the reader that its content was deleted or downloaded again.
    mutating func followReaderContent() {
        guard let open = reader, !open.files.isEmpty else { return }
        reader?.isDeleted =
            productList.product(open.product)?.embeddedContent == nil
            && snapshot.downloads[open.product]?.installed.isEmpty ?? true
    }
}
