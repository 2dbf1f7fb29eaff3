import ShopText
package import StoreModel

extension ShopState {
    /// Pure: the same state, action and moment give the same state and effects. It never blocks.
    /// Returns the effects to perform, in order.
    package mutating func reduce(_ action: ShopAction, _ moment: ShopMoment) -> [ShopEffect] {
        now = moment.now
        defer { followTour() }
        use(moment.viewport)
        pinEntries()
        let wasReading = reader != nil
        var effects = follow(action, moment)
        if wasReading, reader == nil, opening == .open { effects.append(.closeContent) }
        closePaletteOfAnotherProduct()
        if let reason = reasonToReopen(after: action) { return effects + reopen(reason) }
        return effects + followAsking(moment) + readSaleOfPage() + readOffersOfPage()
    }

    /// Rearranges the list if the new measures add or remove its headings.
    private mutating func use(_ viewport: Viewport) {
        let wasCompact = self.viewport.isCompact
        self.viewport = viewport
        if wasCompact != viewport.isCompact { arrangeProductList() }
        keepSelectionInSight()
    }

    mutating func follow(_ action: ShopAction, _ moment: ShopMoment) -> [ShopEffect] {
        switch action {
        // Caused by a person, or by the screen.
        case .selectionMoved(let movement): focus.type.move(movement, in: &self, moment)
        case .choiceMoved(let step): focus.type.choose(step, in: &self, moment)
        case .confirmed: focus.type.confirm(in: &self, moment)
        case .wentBack: focus.type.goBack(in: &self, moment)
        case .component(let action): action.reduce(&self, moment)
        case .viewChosen(let view): show(view, moment)
        case .consoleToggled: toggleConsole(moment)
        case .focusMoved(let step): moveFocus(step, moment)
        case .zoomChosen(let isOn): zoom(isOn, moment)
        case .helpToggled: toggleHelp()
        case .searchOpened: openFilter()
        case .buyChosen: openPaymentSheet(moment)
        case .restoreChosen: beginRestore(moment)
        case .downloadToggled: toggleDownload(moment)
        case .contentChosen(let operation): choose(operation, moment)
        case .pointerToggled: togglePointer(moment)
        case .quitChosen: [.quit]
        case .otherLetterTyped: refuse(.keysAreLatin, moment)
        case .resized: []
        case .shown: opening == .open ? queries.ask(.loadProducts) : []

        // Caused by the store and the device.
        case .opened(let settings, let holdsLease): openShop(settings, holdsLease, moment)
        case .relaunched(let holdsLease): relaunch(holdsLease)
        case .productsArrived(let response, let asOf): stock(response, asOf: asOf, moment)
        case .productsFailed(let error): queryFailed(.loadProducts, error, moment)
        case .accountArrived(let snapshot): apply(snapshot, moment)
        case .accountFailed(let error): queryFailed(.refreshAccount, error, moment)
        case .consoleArrived(let requests, let faults, let settings):
            showConsole(requests, faults, settings, moment)
        case .consoleFailed(let error): queryFailed(.refreshConsole, error, moment)
        case .scheduleArrived(let upcoming, let clock): showSchedule(upcoming, clock)
        case .logArrived(let query, let page): takeLogPage(page, for: query)
        case .logFailed(let query, let error): failLog(query, error, moment)
        case .transactionArrived(let details, let scope): takeDetails(details, scope, moment)
        case .transactionFailed(let id, let scope, let error):
            failDetails(id, scope, error, moment)
        case .searchIndexMade(let index): useIndex(index)
        case .timePassed: passTime(moment)
        case .messageFaded: fade(moment)
        case .clockWasSetBack(let seconds): announce(.clockSetBack(seconds: seconds), moment)
        case .catalogOpened(let notice, let remarks):
            // The log shows the newest entry first.
            announce(.catalogNotice(notice), moment)
                + remarks.reversed().map { .log(.catalogNoted($0)) }
        case .deviceChanged: queries.ask(.refreshAccount)
        case .updateArrived(let update): observe(update, moment)
        case .eventsArrived(let events): follow(events)
        case .purchaseAnswered(let payment, let outcome): answer(payment, outcome, moment)
        case .purchaseFailed(let payment, let error): fail(payment, error, moment)
        case .restoreEnded(let summary): endRestore(summary, moment)
        case .restoreFailed(let error): failRestore(error, moment)
        case .operatorPerformed(let outcome): showOutcome(outcome, moment)
        case .operatorRefused(let action, let error): showRefusal(of: action, error, moment)
        case .refusalsFound(let refusals, let asked): showRefusals(refusals, asked: asked)
        case .refusalsFailed(let error, let asked):
            queryFailed(.findRefusals(asked), error, moment)
        case .attemptFailed(let error): announce(.trouble(error), moment)
        case .copyFailed(let what, let clipboard):
            announce(.notCopied(what, to: clipboard), moment)
        // Reopening leaves the reader.
        case .storeAnswers: rememberPlace(moment)
        case .watchingFailed: announce(.notWatching, moment)
        case .settingsRead(let mistakes): announce(.settings(.settingsFaulty(mistakes)), moment)
        case .catalogRefused(let problem):
            announce(
                .catalogRefused(problem: problem), logging: .catalogRefused(problem: problem),
                moment)
        }
    }

    /// Before the action changes the list of the palette or the help (`EntryList.pin`).
    private mutating func pinEntries() {
        help?.list.pin(viewport.entries)
        guard help == nil else { return }
        if case .palette(var palette) = sheet {
            palette.list.pin(viewport.entries)
            sheet = .palette(palette)
        } else if case .failure(var failure) = sheet {
            failure.list.pin(viewport.entries)
            sheet = .failure(failure)
        }
    }

    private mutating func toggleHelp() -> [ShopEffect] {
        help = help == nil ? HelpPart() : nil
        return []
    }

    /// Announcing the same message again keeps its first time. The end or wait of a download whose
    /// purchase is still announced becomes part of that message, so that the purchase stays in
    /// sight; the end of another product's waits until the message fades.
    mutating func announce(_ what: StatusText, _ moment: ShopMoment) -> [ShopEffect] {
        let fadesAt = moment.elapsed + StatusMessage.lasting
        if case .downloaded(let name) = what, case .bought(var bought)? = statusMessage?.what,
            bought.name == name
        {
            bought.content = .downloaded
            statusMessage?.what = .bought(bought)
            statusMessage?.fadesAt = fadesAt
        } else if case .downloadWaits(let name, let obstacle) = what,
            case .bought(var bought)? = statusMessage?.what, bought.name == name
        {
            bought.content = .waiting(obstacle)
            statusMessage?.what = .bought(bought)
            statusMessage?.fadesAt = fadesAt
        } else if statusMessage?.what == what {
            statusMessage?.fadesAt = fadesAt
        } else {
            let replaced = statusMessage.map { message in
                message.isInHistory && !message.what.isCorrected(by: what)
                    ? message.replaced + 1 : message.replaced
            }
            let message = StatusMessage(
                at: moment.now, what: what, fadesAt: fadesAt, replaced: replaced ?? 0)
            let standing = statusMessage.flatMap { $0.fadesAt > moment.elapsed ? $0 : nil }
            let isUnread = if case .bought? = standing?.what { true } else { false }
            let isDownload = if case .downloaded = what { true } else { false }
            if message.isNotice && standing != nil || isDownload && isUnread {
                wait(message)
            } else {
                if let standing, standing.isNotice { wait(standing) }
                statusMessage = message
            }
        }
        return []
    }

    /// Removes the message and all waiting notices.
    package mutating func forgetMessages() {
        statusMessage = nil
        waitingNotices = []
    }

    /// An equal notice is queued only once.
    private mutating func wait(_ notice: StatusMessage) {
        guard !waitingNotices.contains(where: { $0.what == notice.what }) else { return }
        waitingNotices.append(notice)
    }

    /// Drops notices that are out of date.
    mutating func showNotice(_ moment: ShopMoment) {
        while !waitingNotices.isEmpty {
            var notice = waitingNotices.removeFirst()
            guard isStillSo(notice.what) else { continue }
            notice.fadesAt = moment.elapsed + StatusMessage.lasting
            notice.replaced = 0
            statusMessage = notice
            return
        }
    }

    /// Whether a notice is still true: the announced update may have been installed meanwhile.
    private func isStillSo(_ notice: StatusText) -> Bool {
        guard case .updatesFound(_, let update, _) = notice else { return true }
        return productList.product(update.productID).map { updates(of: $0).contains(update) }
            ?? false
    }

    /// For what is no ledger entry. A message that is in the row already is not logged again.
    mutating func announce(
        _ what: StatusText, logging entry: DeviceLogEntry.What, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let isLogged = statusMessage?.what != what && opening == .open
        let effects = announce(what, moment)
        if isLogged, statusMessage?.what == what, statusMessage?.isInHistory == false {
            statusMessage?.isLogged = true
        }
        return effects + (isLogged ? [.log(entry)] : [])
    }

    /// Every open shop of the device notices it: only the holder of the delivery lease logs it.
    ///
    /// - Parameter isChange: false for a state that the shop found at its start.
    mutating func announce(
        _ what: StatusText, loggingOnce entry: DeviceLogEntry.What, isChange: Bool,
        _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard holdsLease, isChange else { return announce(what, moment) }
        return announce(what, logging: entry, moment)
    }

    /// Removes the message when its time is over; the next waiting notice replaces it.
    private mutating func fade(_ moment: ShopMoment) -> [ShopEffect] {
        guard let statusMessage, statusMessage.fadesAt <= moment.elapsed else { return [] }
        // The help covers the row, so a notice stays until the help is closed.
        guard help == nil || !statusMessage.isNotice else {
            self.statusMessage?.fadesAt = moment.elapsed + StatusMessage.lasting
            return []
        }
        self.statusMessage = nil
        showNotice(moment)
        return []
    }

    mutating func refuse(_ reason: Refusal, _ moment: ShopMoment) -> [ShopEffect] {
        announce(.refused(reason), moment)
    }

    /// The number of calls that queued faults will fail, at most 999.
    package var queuedFailures: Int {
        faults.reduce(0) { min($0 + min($1.remaining ?? 1, 999), 999) }
    }

    /// The number of faults in force: calls that will fail, and faults of this device's downloads.
    package var faultsInForce: Int { queuedFailures + snapshot.downloadFaults.count }

    /// The price format of a product.
    func priceLocale(of product: ProductID) -> String {
        productList.product(product)?.priceLocale ?? shop.locale
    }

    /// In the price format of the product or, if not for sale, of another in the same currency.
    package func price(_ money: Money, of product: ProductID?) -> Price {
        let similar =
            product.flatMap { productList.product($0) }
            ?? productList.products.first { $0.price.currency == money.currency }
        return Price(money: money, locale: similar?.priceLocale ?? shop.locale)
    }

    /// Not for a customer, and for an audience only in the console.
    package var showsCodes: Bool {
        shop.namesConsole || (shop.hasConsole && navigation.view == .console)
    }

    /// While presenting (`--presenter`), the operator's messages are shown only in the console.
    package var shownMessage: StatusMessage? {
        guard let statusMessage, shop.isPresenting, navigation.view != .console else {
            return statusMessage
        }
        if case .performed = statusMessage.what { return nil }
        return statusMessage
    }

    func item(_ product: ProductID, quantity: Int) -> NamedItem {
        NamedItem(name(of: product), quantity: quantity)
    }

    func item(of payment: Payment) -> NamedItem {
        item(payment.productID, quantity: payment.quantity)
    }

    func item(of refund: RefundRequest) -> NamedItem {
        item(refund.productID, quantity: refund.quantity ?? 1)
    }

    package func name(of product: ProductID) -> String { productList.name(of: product) }
}
