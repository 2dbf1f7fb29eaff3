package import StoreModel

/// One line of an event log: an event of the store, or an entry of this device's log.
package enum LogLine: Hashable, Sendable {
    case event(StoreEvent)
    case entry(DeviceLogEntry)

    /// The identity of a line. It depends neither on the filter nor on how much is loaded.
    package enum ID: Hashable, Sendable {
        case event(FeedCursor, index: Int)
        case entry(number: Int64)
    }

    package var id: ID {
        switch self {
        case .event(let event): .event(event.cursor, index: event.index)
        case .entry(let entry): .entry(number: entry.number)
        }
    }

    /// The time of recording, in store time, by which the lines are ordered.
    package var at: Timestamp {
        switch self {
        case .event(let event): event.at
        case .entry(let entry): entry.at
        }
    }

    /// The time of the occurrence, in store time, which the line shows.
    package var happenedAt: Timestamp {
        switch self {
        case .event(let event): event.happenedAt
        case .entry(let entry): entry.at
        }
    }

    /// Its signed text can be read; nil for a deleted transaction, which has none.
    package var transaction: TransactionID? {
        guard case .event(let event) = self else { return nil }
        return event.kind == .deleted ? nil : event.transactionID
    }

    /// Of the transaction, request, payment or product, for copying; nil if there is none.
    package var identifier: String? {
        switch self {
        case .event(let event):
            (event.transactionID ?? event.requestID)?.description ?? event.paymentID?.description
                ?? event.productID?.rawValue
        case .entry(let entry):
            switch entry.what {
            case .paymentHeld(let payment, _), .paymentResent(let payment, _): payment.description
            default: productID?.rawValue
            }
        }
    }

    /// The product that the line is about; nil if it is about none.
    package var productID: ProductID? {
        switch self {
        case .event(let event): event.productID
        case .entry(let entry):
            switch entry.what {
            case .downloaded(let id, _, _, _), .downloadFailed(let id, _, _),
                .downloadPaused(let id), .downloadResumed(let id), .downloadCancelled(let id),
                .contentDeleted(let id), .purchaseCancelled(let id), .paymentHeld(_, let id),
                .paymentResent(_, let id), .finishedAtLaunch(_, let id):
                id
            case .trouble(let error): error.productID
            default: nil
            }
        }
    }

    func searchTexts(_ vocabulary: LogVocabulary) -> [String] {
        var texts = productID.map { [vocabulary.name(of: $0), $0.rawValue] } ?? []
        if let kind = vocabulary.kindNames[kind] { texts.append(kind) }
        switch self {
        case .event(let event):
            texts.append(event.kind.rawValue)
            texts += [event.account?.rawValue, event.device?.rawValue].compactMap { $0 }
            texts += [event.transactionID, event.requestID].compactMap { $0?.description }
            texts += [event.paymentID?.description, event.error?.code.rawValue].compactMap { $0 }
            switch event.change {
            case .faultSet(let fault), .faultCleared(let fault): texts.append(fault.error.rawValue)
            case .accountChanged(let settings):
                texts += [settings.territory, settings.locale].compactMap { $0 }
            case .familyChanged(let change):
                texts += [change.organizer.rawValue, change.account.rawValue]
            case .valueChanged(let change): texts.append(change.key)
            case .catalogRevised(_, let release, _):
                texts += [release?.name, release?.state.rawValue].compactMap { $0 }
            default: break
            }
        case .entry(let entry): texts += facts + Self.details(of: entry.what)
        }
        return texts
    }

    /// Besides the facts.
    private static func details(of what: DeviceLogEntry.What) -> [String] {
        switch what {
        case .downloaded(_, let content, let version, _): [content, version]
        case .downloadFailed(_, let content, _): [content]
        case .paymentHeld(let id, _), .paymentResent(let id, _): [id.description]
        case .finishedAtLaunch(let id, _): [id.description]
        case .catalogRefused(let text), .catalogNoted(let text): [text]
        case .signedIn(let account): [account?.rawValue].compactMap(\.self)
        default: []
        }
    }
}

/// The groups of lines that a key shows one after the other.
package enum LogGroup: Hashable, Sendable, CaseIterable {
    case all
    /// Sales, and payments that wait or failed.
    case sales
    /// Later changes of a sale: refunds, revocations, deletions, auto-renew.
    case changes
    /// Transactions that were finished or claimed.
    case delivery
    /// Settings, catalogs, clock, renewals, faults.
    case store
    /// This device's own log.
    case device

    /// In the order in which a screen lists their names; empty for all, and for the device's log.
    var kinds: [EventKind] {
        switch self {
        case .all, .device: []
        case .sales: [.sold, .deferred, .promoted, .failed, .purchaseCancelled]
        case .changes:
            EventKind.allCases.filter { kind in
                ![LogGroup.sales, .delivery, .store].contains { $0.kinds.contains(kind) }
            }
        case .delivery: [.finished, .claimed]
        case .store:
            [
                .accountChanged, .familyChanged, .consentRescinded, .valueChanged,
                .catalogRevised, .clockSet, .renewalsSet, .serverSet, .faultSet, .faultCleared,
                .unknown,
            ]
        }
    }

    var hasEntries: Bool { self == .all || self == .device }
}
