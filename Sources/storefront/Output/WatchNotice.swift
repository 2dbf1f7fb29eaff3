import Basics
import ShopText
import StoreEngine
import StoreModel
import Synchronization

/// The observer's updates as lines for people: time, event and product.
final class WatchNotice: Sendable {
    private let names: [ProductID: String]
    private let grants: [ProductID: Grant]
    private let device: any ShopDevice
    private let clock: any StoreClock
    private let strings = Output.strings
    /// Of the last event about them, or as of the start; nil if they could not be read.
    private let renewals: Mutex<RenewalSettings?>

    init(_ store: OpenStore, _ device: any ShopDevice) async {
        self.device = device
        let answer = try? await store.session.products(nil)
        names = (answer?.names ?? [:]).mapValues { UntrustedText.clean($0) }
        grants = Dictionary(
            (answer?.products ?? []).compactMap { product in product.grant.map { (product.id, $0) }
            },
            uniquingKeysWith: { first, _ in first })
        clock = store.engine.clock
        renewals = Mutex(try? await store.engine.storeOperator.clock().renewals)
    }

    func write(_ download: Download) {
        let state = strings[DownloadLineText.downloadState(download.state)]
        let size = Measures.bytes(download.bytesExpected)
        write(
            strings[DownloadLineText.watchDownload],
            "\(name(download.productID)) \(download.contentID)  \(state)  \(size)")
        // The error as `downloads` writes it; for installed content that it is installed.
        if let error = download.error {
            write(strings[DownloadLineText.watchProblem], DownloadText.stopped(download, error))
        }
    }

    func write(_ update: DeviceUpdate) async {
        switch update {
        case .transaction(.verified(let payload), _, _):
            let isRenewal = payload.transactionReason == .renewal
            write(isRenewal ? .renewalsSet : .sold, payload.productId, payload.transactionId)
        case .transaction(.unverified(_, let reason), _, _):
            write(
                strings[DownloadLineText.watchProblem], strings[StatusText.unverified(reason)])
        case .revised(let payload, let kind, _):
            let isPart = payload.type == .consumable && kind == .refunded
            let item = NamedItem(name(payload.productId), quantity: payload.quantity)
            let part = strings.part(
                isPart ? payload.takenBack : .all, of: item, granting: grants[payload.productId])
            write(strings[.eventName(EventKind(kind))], "\(part)  \(payload.transactionId)")
        case .event(let change): await write(change)
        case .announced(.purchasing(let payment)):
            write(strings[PurchaseLineText.beingSent], name(payment.productID))
        case .announced(.restored(let id, let product)):
            write(strings[.eventRestored], "\(name(product))  \(id)")
        case .resending(let queued), .held(let queued):
            write(
                strings[queued.state == .held ? PurchaseLineText.heldNotSent : .beingSent],
                name(queued.payment.productID))
        // The sale, the request or the failure follows as an update of its own kind.
        case .resent: break
        case .trouble(let error, in: _, ended: _): write(error)
        case .downloadStopped(let download): write(download)
        case .leaseTaken: Output.line(.watchDelivers)
        }
    }

    private func write(_ error: StoreError) {
        write(strings[DownloadLineText.watchProblem], strings.message(for: error).line)
    }

    private func write(_ change: StoreEvent.Change) async {
        let kind = strings[.eventName(change.kind)]
        switch change {
        case .failed(let payment, let error, _):
            write(kind, "\(name(payment.productID))  \(strings.message(for: error).line)")
        case .finished(let id): write(kind, await named(id, id.description))
        case .claimed(let id, let device):
            write(kind, await named(id, strings.claimed(id, by: device)))
        case .autoRenewChanged(_, let product, let isOn, let end):
            let state = end.map { strings[.offAfterCommitment(day: strings.date($0))] }
            write(kind, "\(name(product))  \(state ?? strings[isOn ? .on : .off])")
        case .subscriptionChanged(let event):
            write(kind, "\(name(event.productID))  \(strings[.subscriptionEvent(event.kind)])")
        case .clockSet(let state): write(kind, strings.event(state))
        case .renewalsSet(let settings):
            let before = renewals.withLock { renewals in
                defer { renewals = settings }
                return renewals
            }
            // An event from before the start is no change of what was read at the start.
            write(kind, strings.event(settings, before: before == settings ? nil : before))
        case .unknown(let number): write(kind, strings[.unknownKind(number)])
        case .catalogRevised(let revision, _, _): write(kind, strings[.revision(revision)])
        case .accountChanged(let settings): write(kind, strings.event(settings))
        case .familyChanged(let change):
            write(kind, strings.event(change, product: change.productID.map { name($0) }))
        case .valueChanged(let change): write(kind, change.key)
        case .faultSet(let fault): write(kind, strings.faultSet(fault))
        case .faultCleared(let fault): write(kind, strings.faultCleared(fault))
        default:
            let number = change.transactionID ?? change.requestID
            write(
                kind,
                [change.productID.map { name($0) }, number?.description].compactMap(\.self)
                    .joined(separator: "  "))
        }
    }

    private func write(_ kind: EventKind, _ product: ProductID, _ id: TransactionID) {
        write(strings[.eventName(kind)], "\(name(product))  \(id)")
    }

    private func write(_ kind: String, _ text: String) {
        let time = strings.formatters.time(clock.now())
        Output.line("\(time)  \(TextColumns.fit(kind, 12))  \(UntrustedText.clean(text))")
    }

    /// The text after the name of the transaction's product. Without the name if the device does
    /// not have the transaction and the store cannot be reached.
    private func named(_ id: TransactionID, _ text: String) async -> String {
        guard let signed = try? await device.transaction(id),
            case .verified(let payload) = await device.verify(signed)
        else { return text }
        return "\(name(payload.productId))  \(text)"
    }

    private func name(_ product: ProductID) -> String { names[product] ?? product.rawValue }
}
