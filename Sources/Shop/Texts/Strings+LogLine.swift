package import ShopText
package import StoreModel
import Terminal

/// The text of a line of an event log: its kind in a word, its subject, and the style of both.
struct LogLineText {
    var kind: String
    /// The subject; cut before the note where the line is too long.
    var subject: String
    /// The number or the reason, cut only after the subject; empty for a line without one.
    var note = ""
    var style: Style = .plain

    var text: String { note.isEmpty ? subject : subject + "  " + note }
}

/// The texts of a line of an event log: of the history, the console and the activity.
extension Strings {
    /// A time as "14:02:11", with the day before it unless that is today.
    func lineTime(_ at: Timestamp) -> String {
        let time = formatters.time(at)
        let day = day(at)
        return day == self.day(now) ? time : "\(day) \(time)"
    }

    func line(_ line: LogLine, _ state: ShopState, _ theme: Theme) -> LogLineText {
        let (kind, style) = (name(of: line.kind), style(of: line, theme))
        switch line {
        case .event(let event):
            let text = self.text(event, line.id, state)
            return LogLineText(
                kind: kind, subject: text.subject, note: text.note, style: style)
        case .entry(let entry):
            let text = self.text(entry.what) { state.name(of: $0) }
            return LogLineText(kind: kind, subject: text, style: style)
        }
    }

    var kindNames: [LogKind: String] {
        Dictionary(uniqueKeysWithValues: LogKind.allCases.map { ($0, name(of: $0)) })
    }

    /// As "asks".
    package func name(of kind: LogKind) -> String {
        switch kind {
        case .event(.offerRedeemed): self[.eventName(.planChange)]
        case .event(let kind): self[.eventName(kind)]
        case .renewed: self[.eventRenewed]
        case .restored: self[.eventRestored]
        case .download: self[.eventDownload]
        case .held: self[.eventHeld]
        case .resent: self[.eventResent]
        case .device: self[.eventDevice]
        case .trouble: self[.eventTrouble]
        }
    }

    private func style(of line: LogLine, _ theme: Theme) -> Style {
        switch line {
        case .event(let event):
            switch event.change {
            case .sold: theme.good
            case .failed, .faultSet, .unknown: theme.bad
            case .subscriptionChanged where event.kind == .billingFailed: theme.bad
            case .revised, .deleted, .deferred, .refundRequested, .refundDeclined, .promoted,
                .subscriptionChanged:
                theme.waiting
            default: .plain
            }
        case .entry(let entry):
            switch entry.what {
            case .downloaded: theme.good
            case .restoreFailed, .downloadFailed, .paymentHeld, .catalogRefused, .trouble:
                theme.bad
            default: .plain
            }
        }
    }

    private func text(_ event: StoreEvent, _ id: LogLine.ID, _ state: ShopState)
        -> (subject: String, note: String)
    {
        func named(_ more: String? = nil) -> (subject: String, note: String) {
            let number = (event.transactionID ?? event.requestID)?.description
            let item = event.productID.map {
                items(event.quantity ?? 1, state.name(of: $0))
            }
            let note = more ?? number ?? ""
            return item.map { ($0, note) } ?? (note, "")
        }
        switch event.change {
        case .sold(let sale):
            return named(sale.sharedBy.map { self[.sharedBy(account: $0.rawValue)] })
        case .revised(let revision) where revision.kind == .refunded:
            guard let taken = revision.revocation?.takenBack, let sale = revision.sale,
                sale.type == .consumable
            else { return named() }
            let item = NamedItem(state.name(of: sale.productID), quantity: sale.quantity)
            let grant = state.productList.product(sale.productID)?.grant
            return (part(taken, of: item, granting: grant), revision.id.description)
        case .autoRenewChanged(_, _, _, let end?):
            return named(self[.offAfterCommitment(day: day(end))])
        case .autoRenewChanged(_, _, let isOn, nil): return named(self[isOn ? .on : .off])
        case .subscriptionChanged(let event) where event.kind == .planChangePlanned:
            guard let next = event.nextProductID else {
                return named(self[.subscriptionEvent(event.kind)])
            }
            return (
                self[
                    .renewsAs(
                        product: state.name(of: event.productID), to: state.name(of: next))],
                event.until.map { self[.timelineFrom(day($0))] } ?? ""
            )
        case .subscriptionChanged(let event):
            return named(self[.subscriptionEvent(event.kind)])
        case .failed(_, let error, _):
            // The history gives the customer a sentence about the error; the details have its code.
            let isCode = namesConsole && state.navigation.view != .history
            return named(isCode ? error.code.rawValue : failureNote(error))
        case .claimed(let id, let device): return named(claimed(id, by: device))
        case .catalogRevised(let revision, let release, _):
            guard let release else { return (self[.revision(revision)], "") }
            return named(self[.packageIs(package: release.name, release.state)])
        case .accountChanged(let settings):
            return (self.event(settings, before: state.earlierSettings(than: id)), "")
        case .familyChanged(let change):
            let product = change.productID.map { state.name(of: $0) }
            let reader = state.navigation.view == .history ? state.shop.account : nil
            return (self.event(change, product: product, reader: reader), "")
        case .valueChanged(let change): return (change.key, "")
        case .clockSet(let clock):
            let before = state.earlierClock(than: id)
            // The event's time is from before the move of the clock.
            let moved = event.at.advanced(byMilliseconds: before?.jump(to: clock) ?? 0)
            return (clockMoved(from: before, to: clock, at: moved) ?? self.event(clock), "")
        case .renewalsSet(let settings):
            return (self.event(settings, before: state.earlierRenewals(than: id)), "")
        case .faultSet(let fault): return (faultSet(fault), "")
        case .faultCleared(let fault): return (faultCleared(fault), "")
        case .unknown(let kind): return (self[.unknownKind(kind)], "")
        default: return named()
        }
    }

    /// An entry of a device's log in words, without its time and kind.
    ///
    /// - Parameter name: the name of a product.
    package func text(_ what: DeviceLogEntry.What, name: (ProductID) -> String) -> String {
        switch what {
        case .restored(let count, let alreadyHere, let unverified):
            self[
                StatusText.restored(
                    count: count, alreadyHere: alreadyHere, unverified: unverified,
                    toDownload: 0)]
        case .restoreFailed(let error): self[StatusText.restoreFailed(error)]
        case .downloaded(let id, let content, let version, let bytes):
            "\(name(id))  \(content) \(version), \(Measures.bytes(bytes))"
        case .downloadFailed(let id, _, let error):
            self[StatusText.downloadFailed(name: name(id), error)]
        case .downloadPaused(let id): self[StatusText.content(.pauseDownloads, name: name(id))]
        case .downloadResumed(let id): self[StatusText.content(.resumeDownloads, name: name(id))]
        case .downloadCancelled(let id): self[StatusText.content(.cancelDownloads, name: name(id))]
        case .contentDeleted(let id): self[StatusText.content(.deleteContent, name: name(id))]
        case .purchaseCancelled(let id), .paymentHeld(_, let id), .paymentResent(_, let id):
            name(id)
        case .finishedAtLaunch(let id, let product):
            self[.finishedAtLaunch(name: name(product), transaction: id.description)]
        case .catalogRefused(let problem): self[StatusText.catalogRefused(problem: problem)]
        case .catalogNoted(let remark): remark
        case .network(let isOn): self[StatusText.network(isOn: isOn)]
        case .signedIn(let account): self[StatusText.signedIn(as: account)]
        case .leaseTaken: self[StatusText.tookOver]
        case .trouble(let error): self[StatusText.trouble(error)]
        case .unknown: ""
        }
    }

    /// The message about a filter with an unknown kind or field, with the known words.
    func problem(_ problem: LogFilter.Problem, of log: EventLog, _ state: ShopState) -> String {
        switch problem {
        case .noSuchKind(let text):
            var names: [String] = []
            for kind in LogKind.allCases where kind.isIn(log.scope) {
                // Several kinds share a name.
                if !names.contains(name(of: kind)) { names.append(name(of: kind)) }
            }
            return self[
                .noSuchKind(text, names: names.joined(separator: self[.listSeparator]))]
        case .noSuchProduct(let text):
            return self[
                .noSuchProduct(text, example: state.productList.products.first?.displayName)]
        case .noDay(let text): return self[.noSuchDay(text)]
        case .noSuchFact(let text):
            return self[.noSuchFact(text, facts: list(LogFact.all))]
        case .noSuchField(let text):
            return self[
                .noSuchField(
                    text, fields: list(LogFilter.fields(in: log.scope).map(\.typed)))]
        }
    }

    func group(_ group: LogGroup) -> String {
        switch group {
        case .all: self[.groupAll]
        case .sales: self[.groupSales]
        case .changes: self[.groupChanges]
        case .delivery: self[.groupDelivery]
        case .store: self[.groupStore]
        case .device: self[.groupDevice]
        }
    }

    // MARK: - Facts

    /// A label and a value each, in the order to show them.
    func facts(_ item: ConsolePart.Item, _ state: ShopState) -> [(label: String, value: String)] {
        var facts: [(label: String, value: String)] = []
        func add(_ label: LogText, _ value: String?) {
            if let value, !value.isEmpty { facts.append((self[label], value)) }
        }
        func price(_ money: Money?, of product: ProductID?) -> String? {
            money.map { self.price(state.price($0, of: product)) }
        }
        switch item {
        case .note(.family(let family)):
            for member in family.members { add(.accountFact, self.member(member, of: family)) }
        case .note(.notice(let notice)):
            switch notice.kind {
            case .appAccountToken: add(.tokenFact, notice.subject)
            case .applicationUsername: add(.userNameFact, notice.subject)
            case .device: add(.deviceFact, notice.subject)
            }
            for account in notice.accounts { add(.accountFact, account.rawValue) }
        case .note(.downloadFaults), .note(.serverTrouble):
            add(.deviceFact, state.shop.device.rawValue)
        case .request(let request):
            let payment = request.payment
            add(.whenFact, instant(request.askedAt))
            add(.productFact, payment.productID.rawValue)
            add(.quantity, String(payment.quantity))
            add(
                .priceFact, charge(of: request, locale: state.priceLocale(of: payment.productID)))
            add(.meaningFact, waiting(for: request.reason))
            add(.accountFact, request.account.rawValue)
            add(.deviceFact, list(request.devices.map(\.rawValue)))
            add(.requestFact, request.number.description)
            add(.paymentFact, payment.id.description)
        case .refund(let refund):
            add(.whenFact, instant(refund.askedAt))
            add(.productFact, refund.productID.rawValue)
            add(.meaningFact, self[ColumnText.refundReason(refund.reason)])
            add(.meaningFact, refund.consumption.map { self[ColumnText.backendSays($0)] })
            add(.accountFact, refund.account.rawValue)
            add(.deviceFact, refund.device.rawValue)
            add(.transaction, refund.transactionID.description)
        case .fault(let fault):
            add(.errorFact, fault.error.rawValue + timing(of: fault))
            add(.meaningFact, failure(fault.error, of: fault.call, state))
            add(.callFact, self[.callName(fault.call)])
            add(.remainingFact, fault.remaining.map { String($0) })
        case .upcoming(let due):
            add(.whenFact, instant(due.at))
            add(.productFact, due.productID.rawValue)
            add(.accountFact, due.account.rawValue)
            add(.originalFact, due.chain.description)
        case .line(.entry(let entry)):
            add(.whenFact, instant(entry.at))
            add(.productFact, LogLine.entry(entry).productID?.rawValue)
            add(.deviceFact, state.shop.device.rawValue)
            add(.positionFact, String(entry.number))
        case .line(.event(let event)):
            let sale = event.sale
            add(.whenFact, instant(event.happenedAt))
            add(.productFact, event.productID?.rawValue)
            add(.quantity, event.quantity.map { String($0) })
            add(sale == nil ? .priceFact : .paidFact, price(event.price, of: event.productID))
            if case .revised(let revision) = event.change {
                add(.refundFact, price(revision.money, of: event.productID))
            }
            add(.accountFact, event.account?.rawValue)
            add(.sharedByFact, sale?.sharedBy?.rawValue)
            add(.deviceFact, (event.device ?? sale?.device)?.rawValue)
            add(.territoryFact, sale?.storefront)
            add(.expiresFact, sale?.expiresAt.map { instant($0) })
            add(.transaction, event.transactionID?.description)
            // A family member's share was not ordered.
            if let sale, sale.ownership == .purchased {
                add(.orderFact, state.shop.orderNumber(of: sale.id))
            }
            add(.originalFact, sale?.originalID.description)
            add(.requestFact, event.requestID?.description)
            add(.paymentFact, event.paymentID?.description)
            if namesConsole { add(.errorFact, event.error?.code.rawValue) }
            add(.meaningFact, event.error.map { message(for: $0).happened })
            add(.positionFact, String(event.cursor.position))
        }
        return facts
    }

    func note(_ note: ConsolePart.Note) -> String {
        switch note {
        case .family(let family): self.family(family)
        case .notice(let notice): self.notice(notice)
        case .downloadFaults(let faults): self[StatusText.downloadFaults(faults)]
        case .serverTrouble(let product, let error):
            downloadMessage(for: error, commands: DownloadCommands(of: product)).line
        }
    }

    /// The title above the facts.
    func title(_ item: ConsolePart.Item, _ state: ShopState, _ theme: Theme) -> String {
        switch item {
        case .note(let note): return self.note(note)
        case .request(let request): return self.item(state.item(of: request.payment))
        case .refund(let refund):
            return self[.refundOf(name: self.item(state.item(of: refund)))]
        case .fault(let fault): return fault.error.rawValue
        case .upcoming(let due):
            return "\(self[.upcomingKind(due.kind)])  \(state.name(of: due.productID))"
        case .line(let line):
            let text = self.line(line, state, theme)
            return "\(text.kind)  \(text.text)"
        }
    }
}
