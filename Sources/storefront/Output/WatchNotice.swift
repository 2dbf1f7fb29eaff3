import Basics
import ShopText
import StoreEngine
import StoreModel

/// The observer's updates as lines for people: time, event and product.
struct WatchNotice {
    private let names: [ProductID: String]
    private let device: any ShopDevice
    private let clock: any StoreClock
    private let strings = Output.strings

    init(_ store: OpenStore, _ device: any ShopDevice) async {
        self.device = device
        let products = (try? await store.session.products(nil).products) ?? []
        names = Dictionary(
            products.map { ($0.id, UntrustedText.clean($0.displayName)) },
            uniquingKeysWith: { first, _ in first })
        clock = store.engine.clock
    }

    func write(_ download: Download) {
        let state = strings[CommandText.downloadState(download.state)]
        let size = Measures.bytes(download.bytesExpected)
        write(
            strings[CommandText.watchDownload],
            "\(name(download.productID)) \(download.contentID)  \(state)  \(size)")
        // The error as `downloads` writes it; for installed content that it is installed.
        if let error = download.error {
            write(strings[CommandText.watchProblem], DownloadText.stopped(download, error))
        }
    }

    func write(_ update: DeviceUpdate) async {
        switch update {
        case .transaction(.verified(let payload), _, _):
            let kind: EventText =
                payload.transactionReason == .renewal ? .eventRenewals : .eventPurchased
            write(kind, payload.productId, payload.transactionId)
        case .transaction(.unverified(_, let reason), _, _):
            write(
                strings[CommandText.watchProblem], strings[StatusText.unverified(reason)])
        case .refundRequested(let request):
            write(.eventRefundRequested, request.productID, request.transactionID)
        case .refundDeclined(let request):
            write(.eventRefundDeclined, request.productID, request.transactionID)
        case .promoted(let product): write(strings[.eventPromoted], name(product))
        case .purchaseCancelled(let product): write(strings[.eventCancelled], name(product))
        case .deferred(let payment, let request, _):
            write(.eventDeferred, payment.productID, request)
        case .failed(let payment, let error):
            write(
                strings[.eventFailed],
                "\(name(payment.productID))  \(strings.message(for: error).line)")
        case .finished(let id):
            write(strings[.eventFinished], await named(id, id.description))
        case .claimed(let id, let device):
            write(strings[.eventClaimed], await named(id, strings.claimed(id, by: device)))
        case .revised(let payload, let kind, _):
            write(
                strings.event(kind), "\(name(payload.productId))  \(payload.transactionId)")
        case .deleted(let id, let product): write(.eventDeleted, product, id)
        case .autoRenewChanged(_, let product, let isOn, let end):
            let state = end.map { strings[.offAfterCommitment(day: strings.date($0))] }
            write(
                strings[.eventRenews], "\(name(product))  \(state ?? strings[isOn ? .on : .off])")
        case .subscriptionChanged(let change):
            write(
                strings.event(change),
                "\(name(change.productID))  \(strings[.subscriptionEvent(change.kind)])")
        case .clockSet(let state):
            write(strings[.eventClock], strings.event(state))
        case .renewalsSet(let settings):
            write(
                strings[.eventRenewals], strings.renewalRate(settings.rate))
        case .unknown(let kind): write(strings[.eventUnknown], strings[.unknownKind(kind)])
        case .catalogRevised(let revision):
            write(strings[.eventCatalog], strings[.revision(revision)])
        case .accountChanged(let settings):
            write(strings[.eventAccount], strings.event(settings))
        case .familyChanged(let change):
            write(
                strings[.eventFamily],
                strings.event(change, product: change.productID.map { name($0) }))
        case .faultSet(let fault): write(strings[.eventFailure], strings.faultSet(fault))
        case .faultCleared(let fault): write(strings[.eventFailure], strings.faultCleared(fault))
        case .resending(let queued), .held(let queued):
            write(
                strings[
                    queued.state == .held ? CommandText.heldNotSent : CommandText.beingSent],
                name(queued.payment.productID))
        // The sale, the request or the failure follows as an update of its own kind.
        case .resent: break
        case .trouble(let error, in: _, ended: _): write(error)
        case .downloadStopped(let download): write(download)
        case .leaseTaken: Output.line(.watchDelivers)
        }
    }

    private func write(_ error: StoreError) {
        write(strings[CommandText.watchProblem], strings.message(for: error).line)
    }

    private func write(_ kind: EventText, _ product: ProductID, _ id: TransactionID) {
        write(strings[kind], "\(name(product))  \(id)")
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
