import ShopText
import StoreModel

/// Answers and events of the store and the device.
extension ShopState {
    mutating func openShop(
        _ settings: AccountSettings, _ holdsLease: Bool, _ moment: ShopMoment
    ) -> [ShopEffect] {
        if case .reopening(let reason) = opening { _ = announce(.reopened(reason), moment) }
        opening = .open
        // The previous store does not answer its queries any more.
        queries = PendingQueries()
        isAccountLoaded = false
        self.settings = settings
        self.holdsLease = holdsLease
        return queries.ask(.loadProducts) + queries.ask(.refreshAccount)
            + queries.ask(.refreshConsole) + openLogs()
    }

    /// Opens the console's log, which a large screen shows at once, and the history if it is shown.
    private mutating func openLogs() -> [ShopEffect] {
        (shop.hasConsole ? openConsoleLog() : [])
            + (navigation.view == .history ? openLog(\.history) : [])
    }

    /// Another process may hold the delivery lease now, which the header shows.
    mutating func relaunch(_ holdsLease: Bool) -> [ShopEffect] {
        self.holdsLease = holdsLease
        return opening == .open ? queries.ask(.refreshAccount) : []
    }

    func reasonToReopen(after action: ShopAction) -> Reopening? {
        guard opening == .open else { return nil }
        if case .storeAnswers = action { return .serverAnswers }
        if case .updateArrived(.trouble(_, in: _, ended: true)) = action { return .replaced }
        return action.error?.code == .storeReplaced ? .replaced : nil
    }

    /// The old store will not answer. Its data stay until the new store's first answer.
    mutating func reopen(_ reason: Reopening) -> [ShopEffect] {
        opening = .reopening(reason)
        // One message tells it.
        if reason == .serverAnswers { snapshot.whyOffline = nil }
        sheet = nil
        purchasing.underWay = [:]
        purchasing.isRestoring = false
        queries = PendingQueries()
        purchasing.failures = [:]
        purchasing.restored = []
        purchasing.revised = [:]
        purchasing.arriving = [:]
        earlyUpdates = []
        waitingNotices = []
        library.asked = [:]
        list.searchIndex = nil
        // In another store, the same transaction numbers belong to other sales.
        page = PagePart()
        dropReader()
        console = ConsolePart()
        history = EventLog(.account)
        details.signed = nil
        details.copies = nil
        receipt = ReceiptPart()
        trials = TrialsPart()
        server = ServerPart()
        subscription = SubscriptionPart()
        navigation.closeAll {
            [.details, .receipt, .trials, .server].contains($0) || $0.component == .subscription
        }
        isAccountLoaded = false
        productList.outdate()
        return [.reopen]
    }

    /// - Parameter asOf: as of when the device's copy holds; nil if the store sent the products.
    mutating func stock(
        _ response: ProductsResponse, asOf: Timestamp?, _ moment: ShopMoment
    ) -> [ShopEffect] {
        // The first answer of a store is not a change, so it is not announced.
        let isNew = productList.isFromStore && productList.revision != response.catalogRevision
        let isFirst = !areProductsKnown && isAccountLoaded
        arrangeProductList(as: ProductList(response))
        loading.changesAt = response.changesAt
        loading.asOf = asOf
        loading.failure = nil
        loading.failedTries = 0
        reckonEnds()
        closePagesOfProductsGone()
        refreshPaymentSheet(moment)
        // A message about newer content takes precedence over one about a changed catalog.
        announceUpdates(moment)
        if isNew { _ = announce(.catalogRevised, moment) }
        if isFirst { announceDownloadsUnderWay(moment) }
        let remake: [ShopEffect] =
            list.search != nil && list.searchIndex == nil
            ? [.makeSearchIndex(productList.products, revision: productList.revision)] : []
        let found = queries.ended(.loadProducts) + remake + findOffers() + observeEarly(moment)
        return found + findOtherProducts() + openAskedPage(moment)
    }

    /// Handles the updates that arrived before the products, whose names their messages need.
    private mutating func observeEarly(_ moment: ShopMoment) -> [ShopEffect] {
        let updates = earlyUpdates
        earlyUpdates = []
        return updates.flatMap { observe($0, moment) }
    }

    mutating func queryFailed(_ effect: ShopEffect, _ error: StoreError, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        _ = announce(.trouble(error), moment)
        if effect == .refreshAccount { needsNewerProgram = error.code == .storeNewer }
        let ended = queries.ended(effect)
        guard effect == .loadProducts else { return ended }
        noteProductsFailure(error)
        return ended + observeEarly(moment)
    }

    /// Before the products are queried again; it doubles with each failure.
    private static let productsPauseMilliseconds: Int64 = 5_000
    private static let productsPauseDoublings = 4

    /// While no products are known, it is shown, and the query is repeated after a pause.
    private mutating func noteProductsFailure(_ error: StoreError) {
        guard !areProductsKnown else { return }
        loading.failure = error
        let pause =
            Self.productsPauseMilliseconds << min(loading.failedTries, Self.productsPauseDoublings)
        loading.failedTries += 1
        loading.changesAt = now.advanced(byMilliseconds: pause)
        reckonEnds()
    }

    mutating func apply(_ new: AccountSnapshot, _ moment: ShopMoment) -> [ShopEffect] {
        announceDownloads(from: snapshot, to: new, moment)
        if library.selected != nil, let row = selectedLibraryRow { library.lastRow = row }
        let before = snapshot
        // Values that cannot be read while offline keep their earlier state.
        var new = new
        if new.family == nil { new.family = before.family }
        if new.requests == nil { new.requests = before.requests }
        if !new.areSubscriptionsKnown {
            new.subscriptions = before.subscriptions
            new.areSubscriptionsKnown = before.areSubscriptionsKnown
        }
        let earlier = before.downloads
        if let since = new.overdueSince, since != snapshot.overdueSince {
            _ = announce(.overdue(since: since), moment)
        }
        snapshot = new
        // A purchase that failed while offline can be tried again, so its failure is forgotten.
        if !new.isOffline {
            purchasing.failures = purchasing.failures.filter { !$0.value.isNetworkOff }
        }
        let wasKnown = isAccountLoaded
        if isAccountLoaded {
            countBalances(from: before, moment)
        } else if areProductsKnown {
            announceDownloadsUnderWay(moment)
        }
        isAccountLoaded = true
        needsNewerProgram = false
        followReaderContent()
        reckonEnds()
        for (product, read) in new.downloads {
            let moved =
                library.moved.isEmpty ? read : read.moved(to: library.moved, at: read.rateAt)
            snapshot.downloads[product] = moved.steady(after: earlier[product])
        }
        library.moved = []
        noteSilence(moment.elapsed)
        let signedIn = followAccount(from: before, wasKnown: wasKnown, moment)
        announceUpdates(moment)
        announceArrivals(moment)
        announceAsking(since: before, moment)
        refreshPlanOfSheet()
        closeQuestionOfGone()
        markSubscriptionChoice()
        // Another backend of the app may have another list of products.
        let isListedAnew = wasKnown && before.settings.backend != new.settings.backend
        let listedAnew = isListedAnew ? queries.ask(.loadProducts) : []
        return queries.ended(.refreshAccount) + signedIn + listedAnew
            + followNetwork(from: before, wasKnown: wasKnown, moment)
            + followOpenSubscription(from: before) + readNewEntries() + rereadTrials()
            + openFetchedContent(moment) + leaveClosedContent(moment)
            + (isAnySubscribedAnew(since: before) ? queries.ask(.loadProducts) : [])
    }

    /// Whether a subscription with introductory offers has begun or ended, which decides whether
    /// the account can have one: the store says it with the products.
    private func isAnySubscribedAnew(since before: AccountSnapshot) -> Bool {
        guard before.areSubscriptionsKnown else { return false }
        let groups = Set(before.subscriptions.keys).union(snapshot.subscriptions.keys)
        let changed = groups.filter { group in
            (before.subscriptions[group]?.isOver ?? true)
                != (snapshot.subscriptions[group]?.isOver ?? true)
        }
        guard !changed.isEmpty else { return false }
        return productList.products.contains { product in
            guard let plan = product.subscription, changed.contains(plan.groupID) else {
                return false
            }
            return plan.offers.contains { $0.kind == .introductory }
        }
    }

    /// After the store is opened, announces that downloads of an earlier run of the shop continue.
    private mutating func announceDownloadsUnderWay(_ moment: ShopMoment) {
        for product in productList.products {
            guard let download = snapshot.downloads[product.id], download.isUnderWay else {
                continue
            }
            let name = product.displayName
            // Offline, the device may not have noted yet that the download waits.
            let obstacle = download.obstacle ?? (snapshot.isOffline ? .network : nil)
            _ = announce(
                obstacle.map { .downloadWaits(name: name, $0) }
                    ?? .content(.resumeDownloads, name: name), moment)
        }
    }

    private mutating func announceDownloads(
        from old: AccountSnapshot, to new: AccountSnapshot, _ moment: ShopMoment
    ) {
        // Sorted, so that of several messages the same one is announced last on every run.
        for (product, download) in new.downloads.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let before = old.downloads[product]
            let asked = answersAsked(download, of: product)
            // The start of a download is announced only with the purchase that caused it.
            guard before != nil || isBoughtNow(product),
                asked != nil || before?.state != download.state || before?.error != download.error
                    || before?.needsConsent != download.needsConsent
            else { continue }
            if let obstacle = download.obstacle {
                if asked != nil || !obstacle.isSame(as: before?.obstacle) {
                    _ = announce(.downloadWaits(name: name(of: product), obstacle), moment)
                }
                // The removed content was not enough: asks again, with the new figures.
                if case .room = obstacle, asked?.makesRoom == true, sheet == nil, help == nil {
                    sheet = .question(QuestionSheet(.makeRoom(product)))
                }
            } else if let error = download.error {
                if asked != nil || error != before?.error || download.state != before?.state {
                    _ = announce(.downloadFailed(name: name(of: product), error), moment)
                }
            } else if before == nil {
                continue
            } else if let before, let version = download.versionKept(since: before) {
                _ = announce(
                    .updateCancelled(name: name(of: product), version: version), moment)
            } else if download.state == .finished, before?.state != .finished {
                _ = announce(.downloaded(name: name(of: product)), moment)
            }
        }
    }

    /// Whether the message row announces that a product was bought and is downloading.
    private func isBoughtNow(_ product: ProductID) -> Bool {
        guard case .bought(let bought)? = statusMessage?.what else { return false }
        return bought.name == name(of: product) && bought.content == .downloading
    }

    // MARK: - The observer's stream

    mutating func observe(_ update: DeviceUpdate, _ moment: ShopMoment) -> [ShopEffect] {
        guard areProductsKnown || (opening == .open && !queries.isUnderWay(.loadProducts)) else {
            earlyUpdates.append(update)
            return []
        }
        let effects = announce(update, moment)
        followPurchases(update)
        return effects
    }

    /// A sale may change which issues of a product the account may read.
    private mutating func askForIssues(of product: ProductID) -> [ShopEffect] {
        productList.product(product)?.issues?.isEmpty == false ? queries.ask(.loadProducts) : []
    }

    /// Applies an update of the observer and announces its consequence for the customer.
    private mutating func announce(
        _ update: DeviceUpdate, _ moment: ShopMoment
    ) -> [ShopEffect] {
        switch update {
        case .transaction(.verified(let payload), _, let isNew):
            arrive(payload, isNew: isNew, moment)
            return queries.ask(.refreshAccount) + askForIssues(of: payload.productId)
        case .transaction(.unverified(_, let reason), _, _):
            return announce(.unverified(reason), moment) + queries.ask(.refreshAccount)
        case .revised(let payload, let kind, _):
            purchasing.revised[payload.productId] = Revised(id: payload.transactionId, kind: kind)
            let revised = item(payload.productId, quantity: payload.quantity)
            let isPart = payload.type == .consumable
            let text = StatusText.revised(
                name: revised, kind, taken: isPart ? payload.takenBack : .all,
                granting: productList.product(payload.productId)?.grant)
            return announce(text, moment)
                + queries.ask(.refreshAccount) + askForIssues(of: payload.productId)
        case .event(let change): return announce(change, moment)
        case .downloadStopped: return queries.ask(.refreshAccount)
        case .announced(.purchasing): return []
        case .announced(.restored): return queries.ask(.refreshAccount)
        case .resending(let queued):
            return announce(.resending(PastPayment(queued, in: self)), moment)
        case .resent: return []
        case .held(let queued):
            return announce(.held(PastPayment(queued, in: self)), moment)
                + queries.ask(.refreshAccount)
        // The device logs it itself, once.
        case .trouble(let error, in: .backend, ended: _): return announce(.trouble(error), moment)
        case .trouble(let error, in: _, ended: _):
            return announce(.trouble(error), logging: .trouble(error), moment)
        case .leaseTaken: return takeOver(moment)
        }
    }

    private mutating func announce(
        _ change: StoreEvent.Change, _ moment: ShopMoment
    ) -> [ShopEffect] {
        switch change {
        case .deferred(let payment, let request, let reason):
            note(deferred: payment, request: request, reason, moment)
            return queries.ask(.refreshAccount)
        case .refundRequested(let request):
            return announce(.refundRequested(name: name(of: request.productID)), moment)
        case .refundDeclined(let request):
            return announce(.refundDeclined(name: name(of: request.productID)), moment)
        case .promoted(let product): return continuePurchase(of: product, moment)
        case .failed(let payment, let error, _): return fail(payment, error, moment)
        case .finished, .claimed: return queries.ask(.refreshAccount)
        case .deleted(let id, let product, _):
            if purchasing.revised[product]?.id == id { purchasing.revised[product] = nil }
            return announce(.deleted(name: name(of: product)), moment)
                + queries.ask(.refreshAccount)
        case .clockSet(let state):
            return announceClock(state, moment) + queries.ask(.refreshAccount)
        case .autoRenewChanged(let chain, let product, let isOn, let commitmentEnds):
            let known = snapshot.subscriptions.values.first { $0.chain == chain }
            return announce(
                .autoRenew(
                    name: name(of: product), isOn: isOn,
                    until: commitmentEnds ?? known?.paidUntil),
                moment) + queries.ask(.refreshAccount) + followSubscription(chain)
        case .subscriptionChanged(let event):
            let next = event.nextProductID.map { name(of: $0) }
            return announce(
                .subscription(event, name: name(of: event.productID), next: next), moment)
                + queries.ask(.refreshAccount) + followSubscription(event.chain)
        case .renewalsSet(let settings):
            console.renewals = settings
            return queries.ask(.refreshAccount)
        // Sales and revisions arrive with their verified texts, as updates of their own.
        case .sold, .revised, .purchaseCancelled, .unknown: return []
        // No device is told of what the store and the app's backend agree.
        case .serverSet, .consumptionAnswered, .extensionDone: return []
        case .catalogRevised: return queries.ask(.loadProducts)
        case .accountChanged(let settings): return changeAccount(settings, moment)
        case .familyChanged(let change): return followFamily(change, moment)
        // Another device may have chosen a theme.
        case .valueChanged: return queries.ask(.refreshAccount)
        case .faultSet(let fault):
            faults.removeAll { $0.id == fault.id }
            faults.append(fault)
            return []
        case .faultCleared(let fault):
            faults.removeAll { $0.id == fault.id }
            return queries.ask(.refreshConsole)
                + (loading.failure == nil ? [] : queries.ask(.loadProducts))
        }
    }

    /// `isNew` if it was delivered just now.
    private mutating func arrive(
        _ payload: TransactionPayload, isNew: Bool, _ moment: ShopMoment
    ) {
        let id = payload.productId
        let isOurs = purchasing.underWay[id].map { !$0.isLater } ?? false
        let wasAskedFor = productList.product(id).flatMap { waitingRequest(for: $0) } != nil
        purchasing.failures[id] = nil
        // A purchase of this shop is announced here, also if another process delivers it.
        guard isNew || isOurs else { return }
        if isNew {
            snapshot.delivered.insert(id)
            arrangeLibrary()
        }
        let product = productList.product(id)
        // Not Back: the customer probably uses the product next.
        if isOurs, page.choice == .buy, selectedProduct?.id == id,
            product?.hostedContent.isEmpty == false
        {
            page.choice = nil
        }
        if payload.inAppOwnershipType == .familyShared, payload.transactionReason == .purchase {
            _ = announce(.shared(name: name(of: id)), moment)
            return
        }
        if payload.transactionReason == .renewal {
            _ = announce(.renewed(name: name(of: id), until: payload.expiresDate), moment)
            return
        }
        let bought = Bought(
            name: name(of: id), quantity: payload.quantity,
            price: product.map {
                Price(
                    money: Money(milliunits: payload.price, currency: payload.currency),
                    locale: $0.priceLocale)
            }, transaction: payload.transactionId,
            content: isOurs && product?.hostedContent.isEmpty == false ? .downloading : .none,
            isUnasked: !isOurs && !wasAskedFor)
        guard isOurs || snapshot.queued[id]?.state != .purchasing else {
            purchasing.arriving[id] = bought
            return
        }
        _ = announce(.bought(bought), moment)
    }

    /// Announces the sales of payments of an earlier process that the account's records have now.
    private mutating func announceArrivals(_ moment: ShopMoment) {
        let arrived = purchasing.arriving.filter { snapshot.queued[$0.key]?.state != .purchasing }
        // Sorted, so that of several messages the same one is announced last on every run.
        for (product, bought) in arrived.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            purchasing.arriving[product] = nil
            _ = announce(.bought(bought), moment)
        }
    }

    mutating func changeAccount(_ settings: AccountSettings, _ moment: ShopMoment) -> [ShopEffect] {
        console.isChangingAccount = false
        guard settings.name == shop.account else { return queries.ask(.refreshConsole) }
        // The device has just received these settings from the store.
        console.settings = settings
        return adopt(settings, moment)
    }

    /// Announces changes once: the answer, its event, or a query under way may bring them first.
    mutating func adopt(_ settings: AccountSettings, _ moment: ShopMoment) -> [ShopEffect] {
        let before = self.settings
        self.settings = settings
        announceChanges(from: before, to: settings, moment)
        // Prices depend on the territory, and the products' texts on the locale.
        let isSame =
            before?.territory == settings.territory && before?.locale == settings.locale
        return isSame ? [] : queries.ask(.loadProducts)
    }

    /// An offline device does not know them: the customer's screens keep the device's settings.
    mutating func adoptInConsole(
        _ settings: AccountSettings, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let before = settingsInStore
        console.settings = settings
        guard snapshot.isOffline else { return adopt(settings, moment) }
        announceChanges(from: before, to: settings, moment)
        return []
    }

    private mutating func announceChanges(
        from before: AccountSettings?, to settings: AccountSettings, _ moment: ShopMoment
    ) {
        guard let before else { return }
        if before.askToBuy != settings.askToBuy {
            _ = announce(.askToBuy(isOn: settings.askToBuy), moment)
        }
        if before.canMakePayments != settings.canMakePayments {
            _ = announce(.payments(areAllowed: settings.canMakePayments), moment)
        }
    }

    mutating func takeOver(_ moment: ShopMoment) -> [ShopEffect] {
        guard !holdsLease else { return [] }
        holdsLease = true
        return announce(.tookOver, logging: .leaseTaken, moment) + queries.ask(.refreshAccount)
    }
}
