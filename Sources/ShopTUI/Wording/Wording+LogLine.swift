import ShopCore
import ShopText
import StoreModel
import Terminal

/// What a line of an event log says: its kind in a word, what it is about, and the style of both.
struct LogLineText {
    var kind: String
    var text: String
    var style: Style = .plain
}

/// The texts of a line of an event log: of the history, the console and the activity.
extension Wording {
    /// "14:02:11"; with the day before it, if that is another one than now's.
    func lineTime(_ at: Timestamp) -> String {
        let time = strings.formatters.time(at)
        let day = day(at)
        return day == self.day(now) ? time : "\(day) \(time)"
    }

    func line(_ line: LogLine, _ state: ShopState, _ theme: Theme) -> LogLineText {
        switch line {
        case .event(let event): self.line(event, state, theme)
        case .entry(let entry): self.line(entry.what, state, theme)
        }
    }

    private func line(_ event: PastEvent, _ state: ShopState, _ theme: Theme) -> LogLineText {
        func named(_ kind: ScreenText, _ style: Style = .plain, _ more: String? = nil)
            -> LogLineText
        {
            let id = (event.transactionID ?? event.requestID)?.description
            let item = event.productID.map {
                strings.items(event.quantity ?? 1, state.name(of: $0))
            }
            let parts = [item, more ?? id].compactMap { $0 }
            return LogLineText(kind: self[kind], text: parts.joined(separator: "  "), style: style)
        }
        func plain(_ kind: ScreenText, _ text: String, _ style: Style = .plain) -> LogLineText {
            LogLineText(kind: self[kind], text: text, style: style)
        }
        switch event.change {
        case .sold(let sale):
            return named(sale.reason == .renewal ? .eventRenewed : .eventPurchased, theme.good)
        case .revised(let revision):
            var line = named(.eventRefunded, theme.waiting)
            line.kind = strings.event(revision.kind)
            return line
        case .deleted: return named(.eventDeleted, theme.waiting)
        case .autoRenewChanged(_, _, let isOn):
            return named(.eventRenews, .plain, self[isOn ? .on : .off])
        case .deferred: return named(.eventDeferred, theme.waiting)
        case .failed(_, let error, _): return named(.eventFailed, theme.bad, error.code.rawValue)
        case .refundRequested: return named(.eventRefundRequested, theme.waiting)
        case .refundDeclined: return named(.eventRefundDeclined, theme.waiting)
        case .promoted: return named(.eventPromoted, theme.waiting)
        case .purchaseCancelled: return named(.eventCancelled)
        case .finished: return named(.eventFinished)
        case .claimed(let id, _, let device):
            return named(.eventClaimed, .plain, strings.claimed(id, by: device))
        case .catalogRevised(let revision, _):
            return plain(.eventCatalog, self[.revision(revision)])
        case .accountChanged(let settings): return plain(.eventAccount, strings.event(settings))
        case .clockSet(let clock): return plain(.eventClock, strings.event(clock))
        case .renewalsSet(let settings): return plain(.eventRenewals, settings.rate.name)
        case .faultSet(let fault):
            return plain(.eventFailure, strings.faultSet(fault), theme.bad)
        case .faultCleared(let fault): return plain(.eventFailure, strings.faultCleared(fault))
        case .unknown(let kind): return plain(.eventUnknown, self[.unknownKind(kind)], theme.bad)
        }
    }

    private func line(_ what: DeviceLogEntry.What, _ state: ShopState, _ theme: Theme)
        -> LogLineText
    {
        func line(_ kind: ScreenText, _ text: String, _ style: Style = .plain) -> LogLineText {
            LogLineText(kind: self[kind], text: text, style: style)
        }
        func name(_ id: ProductID) -> String { state.name(of: id) }
        return switch what {
        case .restored(let count, let alreadyHere, let unverified):
            line(
                .eventRestored,
                message(
                    .restored(
                        count: count, alreadyHere: alreadyHere, unverified: unverified,
                        toDownload: 0)))
        case .restoreFailed(let error):
            line(.eventRestored, message(.restoreFailed(error)), theme.bad)
        case .downloaded(let id, let content, let version, let bytes):
            line(
                .eventDownload,
                "\(name(id))  \(content) \(version), \(Measures.bytes(bytes))", theme.good)
        case .downloadFailed(let id, _, let error):
            line(.eventDownload, message(.downloadFailed(name: name(id), error)), theme.bad)
        case .downloadPaused(let id):
            line(.eventDownload, message(.downloadPaused(name: name(id))))
        case .downloadResumed(let id):
            line(.eventDownload, message(.downloadResumed(name: name(id))))
        case .downloadCancelled(let id):
            line(.eventDownload, message(.downloadCancelled(name: name(id))))
        case .contentDeleted(let id):
            line(.eventDownload, message(.contentDeleted(name: name(id))))
        case .purchaseCancelled(let id): line(.eventCancelled, name(id))
        case .paymentHeld(_, let id): line(.eventHeld, name(id), theme.bad)
        case .paymentResent(_, let id): line(.eventResent, name(id))
        case .catalogRefused(let problem):
            line(.eventCatalog, message(.catalogRefused(problem: problem)), theme.bad)
        case .leaseTaken: line(.eventDevice, message(.tookOver))
        case .trouble(let error): line(.eventTrouble, message(.trouble(error)), theme.bad)
        case .unknown: line(.eventUnknown, "")
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

    /// What is known of a selected item: a label and a value each, in the order to show them.
    func facts(_ item: ConsolePart.Item, _ state: ShopState) -> [(label: String, value: String)] {
        var facts: [(label: String, value: String)] = []
        func add(_ label: ScreenText, _ value: String?) {
            if let value, !value.isEmpty { facts.append((self[label], value)) }
        }
        func price(_ money: Money?) -> String? {
            money.map { strings.price(Price(money: $0, locale: state.shop.locale)) }
        }
        switch item {
        case .request(let request):
            let payment = request.payment
            add(.whenFact, instant(request.askedAt))
            add(.productFact, payment.productID.rawValue)
            add(.quantity, String(payment.quantity))
            add(.priceFact, price(payment.shownPrice.multiplied(by: payment.quantity)))
            add(.accountFact, request.account.rawValue)
            add(.deviceFact, request.device.rawValue)
            add(.requestFact, request.number.description)
            add(.paymentFact, payment.id.description)
        case .fault(let fault):
            add(.errorFact, fault.error.rawValue)
            add(.meaningFact, strings.message(for: StoreError(fault.error)).happened)
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
            add(.whenFact, instant(event.at))
            add(.productFact, event.productID?.rawValue)
            add(.quantity, event.quantity.map { String($0) })
            add(sale == nil ? .priceFact : .paidFact, price(event.price))
            if case .revised(let revision) = event.change {
                add(.refundFact, price(revision.money))
            }
            add(.accountFact, event.account?.rawValue)
            add(.deviceFact, (event.device ?? sale?.device)?.rawValue)
            add(.territoryFact, sale?.storefront)
            add(.expiresFact, sale?.expiresAt.map { instant($0) })
            add(.transaction, event.transactionID?.description)
            add(.originalFact, sale?.originalID.description)
            add(.requestFact, event.requestID?.description)
            add(.paymentFact, event.paymentID?.description)
            add(.errorFact, event.error?.code.rawValue)
            add(.meaningFact, event.error.map { strings.message(for: $0).happened })
            add(.positionFact, String(event.cursor.position))
        }
        return facts
    }

    /// The title above the facts.
    func title(_ item: ConsolePart.Item, _ state: ShopState, _ theme: Theme) -> String {
        switch item {
        case .request(let request): return state.name(of: request.payment.productID)
        case .fault(let fault): return fault.error.rawValue
        case .upcoming(let due): return "\(self[.renewal])  \(state.name(of: due.productID))"
        case .line(let line):
            let text = self.line(line, state, theme)
            return "\(text.kind)  \(text.text)"
        }
    }
}
