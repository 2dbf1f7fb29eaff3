import Basics
import Shop
import ShopText
import StoreModel

extension DeviceLogEntry {
    /// The columns of a list of these entries.
    static func columns(of entries: [Self], in store: OpenStore) async throws -> [Column<Self>] {
        let strings = Output.strings
        let products = entries.compactMap { LogLine.entry($0).productID }
        let names = try await ProductNames(products, in: store)
        return [
            Column(.columnDate) { strings.date($0.at) },
            Column(.columnEvent) { strings.name(of: LogLine.entry($0).kind) },
            .inCSV(.columnNumber) { .count($0.number) },
            .inCSV(.columnAccount) { _ in .text(store.account.rawValue) },
            .inCSV(.columnDevice) { _ in .text(store.deviceName.rawValue) },
            .inCSV(.columnIdentifier) { .text(LogLine.entry($0).productID?.rawValue ?? "") },
            Column(.columnDetail) { entry in
                UntrustedText.clean(strings.text(entry.what) { names.item($0) })
            },
        ]
    }

    /// The entry in JSON, a line of `history --device-log`.
    var fields: JSONFields { JSONFields(what.fields, ["number": number, "at": at]) }
}

extension DeviceLogEntry.What {
    fileprivate var fields: JSONFields {
        switch self {
        case .restored(let count, let alreadyHere, let unverified):
            [
                "event": "restored", "count": count, "alreadyHere": alreadyHere,
                "unverified": unverified,
            ]
        case .restoreFailed(let error): ["event": "restoreFailed", "error": error]
        case .downloaded(let product, let content, let version, let bytes):
            [
                "event": "downloaded", "productId": product, "contentId": content,
                "version": version, "bytes": bytes,
            ]
        case .downloadFailed(let product, let content, let error):
            [
                "event": "downloadFailed", "productId": product, "contentId": content,
                "error": error,
            ]
        case .downloadPaused(let product): ["event": "downloadPaused", "productId": product]
        case .downloadResumed(let product): ["event": "downloadResumed", "productId": product]
        case .downloadCancelled(let product):
            ["event": "downloadCancelled", "productId": product]
        case .contentDeleted(let product): ["event": "contentRemoved", "productId": product]
        case .purchaseCancelled(let product):
            ["event": "purchaseCancelled", "productId": product]
        case .paymentHeld(let payment, let product):
            ["event": "held", "paymentId": payment, "productId": product]
        case .paymentResent(let payment, let product):
            ["event": "resent", "paymentId": payment, "productId": product]
        case .finishedAtLaunch(let transaction, let product):
            ["event": "finishedAtLaunch", "transactionId": transaction, "productId": product]
        case .catalogRefused(let problem): ["event": "catalogRefused", "problem": problem]
        case .catalogNoted(let remark): ["event": "catalogNoted", "remark": remark]
        case .network(let isOn): ["event": "network", "isOn": isOn]
        case .signedIn(let account):
            ["event": account == nil ? "signedOut" : "signedIn", "account": account]
        case .leaseTaken: ["event": "delivering"]
        case .trouble(let error): ["event": "trouble", "error": error]
        case .unknown: ["event": "unknown"]
        }
    }
}
