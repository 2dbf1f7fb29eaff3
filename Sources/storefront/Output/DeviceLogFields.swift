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
    var fields: JSONFields {
        JSONFields(
            what.details, ["event": what.name.rawValue, "number": number, "at": at])
    }
}

extension DeviceLogEntry.What {
    fileprivate var details: JSONFields {
        switch self {
        case .restored(let count, let alreadyHere, let unverified):
            ["count": count, "alreadyHere": alreadyHere, "unverified": unverified]
        case .downloaded(let product, let content, let version, let bytes):
            ["productId": product, "contentId": content, "version": version, "bytes": bytes]
        case .downloadFailed(let product, let content, let error):
            ["productId": product, "contentId": content, "error": error]
        case .downloadPaused(let product), .downloadResumed(let product),
            .downloadCancelled(let product), .contentDeleted(let product),
            .purchaseCancelled(let product):
            ["productId": product]
        case .paymentHeld(let payment, let product), .paymentResent(let payment, let product):
            ["paymentId": payment, "productId": product]
        case .finishedAtLaunch(let transaction, let product):
            ["transactionId": transaction, "productId": product]
        case .catalogRefused(let problem): ["problem": problem]
        case .catalogNoted(let remark): ["remark": remark]
        case .network(let isOn): ["isOn": isOn]
        case .signedIn(let account): ["account": account]
        case .restoreFailed(let error), .trouble(let error): ["error": error]
        case .leaseTaken, .unknown: [:]
        }
    }
}
