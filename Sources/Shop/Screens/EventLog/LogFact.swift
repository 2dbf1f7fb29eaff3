import StoreModel

/// What a line of an event log tells besides its kind and its product, in the words that a filter
/// takes after `is:`. They are the names that JSON and commands have, in every language.
package enum LogFact {
    /// Of a sale: several pieces, without a charge, shared by a family member, bought outside the
    /// app.
    private static let ofSales = ["several", "free", "shared", "outside"]

    /// Of a catalog: any but the store's first.
    private static let ofCatalogs = ["laterRevision"]

    /// Of the device's own log.
    private static let ofDevice =
        DeviceLogEntry.What.Name.allCases.map(\.rawValue) + ["offline", "online"]

    /// Errors that no fault causes.
    private static let errors: [StoreError.Code] = [
        .approvalDeclined, .requestWithdrawn, .verificationFailed, .contentMismatch, .deviceFull,
    ]

    /// All of them, in the order in which a message lists them; errors are open, so these are the
    /// usual ones.
    package static let all: [String] = {
        let names =
            ProductType.allCases.map { "\($0)" } + OfferMode.allCases.map { "\($0)" } + ofSales
            + RequestReason.allCases.map(\.rawValue)
            + SubscriptionEvent.Kind.allCases.map(\.rawValue)
            + ExpirationReason.allCases.map(\.name) + PackageState.allCases.map(\.rawValue)
            + ofCatalogs + ofDevice + VerificationError.allCases.map(\.rawValue)
            + (errors + Fault.Call.allCases.flatMap(\.errors)).map(\.rawValue)
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }
    }()

    static let folded = Set(all.map { $0.lowercased() })

    fileprivate static func of(_ sale: PastSale) -> [String?] {
        let isShared = sale.ownership == .familyShared
        let isOutside = sale.payment == nil && sale.reason == .purchase && !isShared
        return [
            "\(sale.type)", sale.offerMode.map { "\($0)" }, sale.quantity > 1 ? "several" : nil,
            sale.price.milliunits == 0 ? "free" : nil, isShared ? "shared" : nil,
            isOutside ? "outside" : nil,
        ]
    }

    fileprivate static func of(_ change: StoreEvent.Change) -> [String?] {
        switch change {
        case .deferred(_, _, let reason): [reason.rawValue]
        case .failed(_, let error, _): [error.code.rawValue]
        case .subscriptionChanged(let event): [event.kind.rawValue, event.reason?.name]
        case .catalogRevised(let revision, let release):
            [revision > 1 ? "laterRevision" : nil, release?.state.rawValue]
        case .faultSet(let fault), .faultCleared(let fault): [fault.error.rawValue]
        default: []
        }
    }

    fileprivate static func of(_ what: DeviceLogEntry.What) -> [String?] {
        let name = what.name.rawValue
        return switch what {
        case .restoreFailed(let error), .downloadFailed(_, _, let error):
            [name, error.code.rawValue]
        case .network(let isOn): [name, isOn ? "online" : "offline"]
        case .trouble(let error): [name, error.code.rawValue, error.found?.text]
        default: [name]
        }
    }
}

extension LogLine {
    /// The words of `LogFact` that are true of it.
    package var facts: [String] {
        switch self {
        case .event(let event):
            ((event.sale.map(LogFact.of) ?? []) + LogFact.of(event.change)).compactMap(\.self)
        case .entry(let entry): LogFact.of(entry.what).compactMap(\.self)
        }
    }
}

extension LogVocabulary {
    /// The words of files and commands, which are the same in every language and know no product's
    /// name.
    static let ofFiles = LogVocabulary(
        productList: ProductList(), searchIndex: nil,
        kindNames: Dictionary(
            LogKind.allCases.map { ($0, $0.name) }, uniquingKeysWith: { first, _ in first }),
        namesConsole: true)
}
