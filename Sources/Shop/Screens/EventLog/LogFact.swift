import StoreModel

/// What a line of an event log tells besides its kind and its product, in the words that a filter
/// takes after `is:`. They are the names that JSON and commands have, in every language.
package enum LogFact {
    /// Of a sale: several pieces, of a product without a price or by a campaign that charges
    /// nothing, shared by a family member, bought in the app, outside it.
    private static let ofSales = ["several", "free", "shared", "inApp", "outside"]

    /// Of a catalog: any but the store's first, one that takes a product off sale. Of a planned
    /// change of plan: to a lower level. Of an account's settings, which have its territory, too, as
    /// `JPN`: payments are off.
    private static let ofChanges = ["laterRevision", "offSale", "downgrade", "paymentsOff"]

    /// Of the device's own log, besides the names of its occurrences. A download stopped that failed
    /// or was paused.
    private static let ofDevice: KeyValuePairs<String, LogKind> = [
        "downloadStopped": .download, "offline": .device, "online": .device,
    ]
    private static let occurrences = DeviceLogEntry.What.Name.allCases
    /// Names of earlier programs, in lower case, with the present ones.
    private static let renamed = ["contentdeleted": DeviceLogEntry.What.Name.contentRemoved]

    /// The usual ones: some that no fault causes, and those of faults.
    private static let errors: [String] = {
        let withoutFault: [StoreError.Code] = [
            .approvalDeclined, .requestWithdrawn, .verificationFailed, .contentMismatch,
            .deviceFull,
        ]
        return (withoutFault + Fault.Call.allCases.flatMap(\.errors)).map(\.rawValue)
    }()

    /// All of them, in the order in which a message lists them; errors are open, so these are the
    /// usual ones.
    package static let all: [String] = {
        let names: [[String]] = [
            ProductType.allCases.map { "\($0)" }, OfferMode.allCases.map { "\($0)" },
            OfferKind.allCases.map(\.rawValue), ofSales, RequestReason.allCases.map(\.rawValue),
            SubscriptionEvent.Kind.allCases.map(\.rawValue),
            ExpirationReason.allCases.map(\.name), PackageState.allCases.map(\.rawValue),
            ofChanges, occurrences.map(\.rawValue), ofDevice.map { $0.key },
            VerificationError.allCases.map(\.rawValue), errors,
        ]
        var known: Set<String> = []
        return names.joined().filter { known.insert($0).inserted }
    }()

    private static let folded = Set(all.map { $0.lowercased() })

    /// A typed word in lower case, by its present name.
    static func fold(_ word: String) -> String {
        let word = word.lowercased()
        return renamed[word]?.rawValue.lowercased() ?? word
    }

    static func isKnown(_ word: String) -> Bool {
        folded.contains(fold(word)) || Storefront.find(word)?.countryCode == word.uppercased()
    }

    /// The kind of the lines that have it, if they are only in the device's own log: an event may
    /// have an error of the same name.
    static func kind(of fact: String) -> LogKind? {
        let fact = fold(fact)
        if errors.contains(where: { $0.lowercased() == fact }) { return nil }
        return occurrences.first { $0.rawValue.lowercased() == fact }?.kind
            ?? ofDevice.first { $0.key.lowercased() == fact }?.value
    }

    /// Whether a line with this fact is about neither a product nor a transaction.
    static func isOfDeviceAlone(_ fact: String) -> Bool {
        let withTransaction = DeviceLogEntry.What.Name.finishedAtLaunch.rawValue
        guard let kind = Self.kind(of: fact), fold(fact) != fold(withTransaction) else {
            return false
        }
        return [.device, .event(.catalogRevised)].contains(kind)
    }

    fileprivate static func of(_ sale: PastSale) -> [String?] {
        let isShared = sale.ownership == .familyShared
        let isOutside = sale.payment == nil && sale.reason == .purchase && !isShared
        return [
            "\(sale.type)", sale.offerMode.map { "\($0)" }, sale.offerKind?.rawValue,
            sale.quantity > 1 ? "several" : nil,
            sale.price.milliunits == 0 && sale.offerMode == nil && !isShared ? "free" : nil,
            isShared ? "shared" : nil, sale.payment == nil ? nil : "inApp",
            isOutside ? "outside" : nil,
        ]
    }

    static func of(_ change: StoreEvent.Change) -> [String?] {
        switch change {
        case .deferred(_, _, let reason): [reason.rawValue]
        case .failed(_, let error, _): [error.code.rawValue]
        case .subscriptionChanged(let event):
            [
                event.kind.rawValue, event.reason?.name,
                event.isDowngrade == true ? "downgrade" : nil,
            ]
        case .accountChanged(let settings):
            [settings.canMakePayments ? nil : "paymentsOff", settings.territory]
        case .catalogRevised(let revision, let release, let takesOffSale):
            [
                revision > 1 ? "laterRevision" : nil, release?.state.rawValue,
                takesOffSale == true ? "offSale" : nil,
            ]
        case .faultSet(let fault), .faultCleared(let fault): [fault.error.rawValue]
        default: []
        }
    }

    fileprivate static func of(_ what: DeviceLogEntry.What) -> [String?] {
        let name = what.name.rawValue
        return switch what {
        case .restored(let count, let alreadyHere, _): [count + alreadyHere > 0 ? name : nil]
        case .restoreFailed(let error): [name, error.code.rawValue]
        case .downloadFailed(_, _, let error): [name, "downloadStopped", error.code.rawValue]
        case .downloadPaused: [name, "downloadStopped"]
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
