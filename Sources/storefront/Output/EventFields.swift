import StoreModel
import StoreSigning

extension StoreEvent.Change {
    fileprivate var fields: JSONFields {
        let own: JSONFields =
            switch self {
            case .autoRenewChanged(_, _, _, let end): ["commitmentEnds": end]
            case .subscriptionChanged(let event): ["subscription": event.fields]
            case .deferred(_, _, let reason): ["reason": reason]
            case .refundRequested(let request), .refundDeclined(let request):
                ["reason": request.reason]
            case .claimed(_, let claimer): ["device": claimer]
            case .catalogRevised(let revision, let release, let takesOffSale):
                ["revision": revision, "release": release, "takesOffSale": takesOffSale]
            case .accountChanged(let settings): ["settings": settings]
            case .familyChanged(let change): ["family": change.fields]
            case .valueChanged(let change): JSONFields(change)
            case .clockSet(let state): ["clock": state.fields]
            case .renewalsSet(let settings): ["renewals": settings]
            case .serverSet(let settings): ["server": settings]
            case .consumptionAnswered(let answer): ["consumption": answer]
            case .extensionDone(let outcome): ["extension": outcome]
            case .faultSet(let fault), .faultCleared(let fault): ["fault": fault]
            case .unknown(let kind): ["kind": kind]
            default: [:]
            }
        return JSONFields(
            own,
            [
                "event": kind, "transactionId": chain == nil ? transactionID : nil,
                "originalTransactionId": chain, "paymentId": paymentID, "requestId": requestID,
                // The product of a family's change is told in `family`.
                "productId": kind == .familyChanged ? nil : productID, "error": error,
            ])
    }

    /// The first transaction of the subscription that the change concerns as a whole.
    private var chain: TransactionID? {
        switch self {
        case .autoRenewChanged, .subscriptionChanged: transactionID
        default: nil
        }
    }
}

extension StoreEvent {
    /// The event in JSON for the operator: an event that an action caused, or a line of `operator
    /// events`. Events of one entry share their `position`.
    var fields: JSONFields {
        let transaction = issued.flatMap { issued in
            TransactionVerifier.unverifiedPayload(of: issued.signed).map {
                TransactionLine(payload: $0, signed: issued.signed)
            }
        }
        return JSONFields(
            change.fields,
            [
                "position": cursor.position, "at": at, "account": account, "device": device,
                "transaction": transaction,
            ])
    }

    /// The event in JSON for a history: without a signed text, with the facts of its sale. Sums are
    /// in milliunits: `price` is that of the whole quantity, `money` what a refund returned or its
    /// reversal took back.
    var historyFields: JSONFields {
        let revision: PastRevision? =
            if case .revised(let revision) = change { revision } else { nil }
        return JSONFields(
            change.fields,
            [
                "position": cursor.position, "at": at,
                "happenedAt": happenedAt == at ? nil : happenedAt, "account": account,
                "device": device, "originalTransactionId": sale?.originalID,
                "paymentId": paymentID, "productId": productID,
                "quantity": quantity, "price": price?.milliunits, "currency": price?.currency,
                "money": revision?.money?.milliunits, "revocation": revision?.revocation,
                "sharedBy": sale?.sharedBy, "inAppOwnershipType": sale?.ownership,
                "offerKind": sale?.offerKind,
            ])
    }
}

extension DeviceUpdate {
    /// The update in JSON, a line of `watch`.
    var fields: JSONFields {
        switch self {
        case .transaction(.verified(let payload), let signed, let isNew):
            [
                "event": "transaction", "verification": "verified", "isNew": isNew,
                "transaction": TransactionLine(payload: payload, signed: signed),
            ]
        case .transaction(.unverified(let payload, let error), let signed, _):
            [
                "event": "transaction", "verification": "unverified", "verificationError": error,
                "transaction": payload.map { TransactionLine(payload: $0, signed: signed) },
            ]
        case .revised(let payload, let kind, let signed):
            [
                "event": kind, "verification": "verified",
                "transaction": TransactionLine(payload: payload, signed: signed),
            ]
        case .event(.failed(let payment, let error, _)):
            StoreEvent.Change.failed(payment, error, request: nil).fields
        case .event(.refundDeclined(let request)):
            [
                "event": EventKind.refundDeclined, "transactionId": request.transactionID,
                "productId": request.productID,
            ]
        case .event(.accountChanged(let settings)):
            ["event": EventKind.accountChanged, "account": settings]
        case .event(let change): change.fields
        case .announced(.purchasing(let payment)):
            ["event": "purchasing", "paymentId": payment.id, "productId": payment.productID]
        case .announced(.restored(let id, let product)):
            ["event": "restored", "transactionId": id, "productId": product]
        case .resending(let queued):
            ["event": "resending", "queued": queued.fields]
        case .resent(let queued, .purchased(_, let id, _)):
            ["event": "resent", "queued": queued.fields, "transactionId": id]
        case .resent(let queued, .pending(let request, _)):
            ["event": "resent", "queued": queued.fields, "requestId": request]
        case .resent(let queued, .failed(let error)):
            ["event": "resent", "queued": queued.fields, "error": error]
        case .held(let queued): ["event": "held", "queued": queued.fields]
        case .trouble(let error, in: _, ended: let ended):
            ["event": ended ? "ended" : "trouble", "error": error]
        case .downloadStopped(let download):
            ["event": "download", "download": download.fields()]
        case .leaseTaken: ["event": "delivering"]
        }
    }
}

extension SubscriptionEvent {
    /// The event in JSON. `until` is the date that its kind defines, such as the end of a grace
    /// period; Apple's names are those of the renewal info.
    fileprivate var fields: JSONFields {
        [
            "change": kind.rawValue, "until": until, "autoRenewProductId": nextProductID,
            "renewalBillingPlanType": nextBillingPlan, "expirationIntent": reason?.rawValue,
            "isAtRenewalLimit": isAtRenewalLimit, "isDowngrade": isDowngrade,
        ]
    }
}
