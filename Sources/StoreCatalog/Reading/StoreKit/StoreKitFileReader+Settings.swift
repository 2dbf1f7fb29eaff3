import Basics
import StoreModel

extension StoreKitFileReader {
    private typealias Key = StoreKitKeys.Settings

    /// By their names in the file.
    static let interfaces: [String: Fault.Call] = [
        "Load Products": .loadProducts, "Purchase": .purchase, "Verification": .verification,
        "App Store Sync": .appStoreSync, "Subscription Status": .subscriptionStatus,
        "App Transaction": .appTransaction, "Manage Subscriptions Sheet": .manageSubscriptions,
        "Refund Request Sheet": .refundRequest, "Offer Code Redeem Sheet": .offerCodeRedeem,
    ]

    /// By the `type` of `current` as Xcode writes it, in the order of the cases in StoreKit's
    /// declarations; no document guarantees it.
    static let errors: [String: [StoreError.Code]] = [
        "generic": [
            .unknown, .userCancelled, .networkError, .systemError, .notAvailableInStorefront,
            .notEntitled, .unsupported,
        ],
        "purchase": [
            .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
            .invalidOfferIdentifier, .invalidOfferPrice, .missingOfferParameters,
            .invalidOfferSignature,
        ],
        "verification": [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification,
            .invalidEncoding, .invalidSignature, .missingRequiredProperties,
        ],
        "refund request": [.duplicateRequest, .refundRequestFailed],
    ]

    /// The errors that `current` may name: those of the calls, and StoreKit's name of an error that
    /// has another name in this program.
    private static let errorsByName: [String: StoreError.Code] = {
        let codes = Fault.Call.ofStoreKitTest.flatMap(\.errors)
        let byName = Dictionary(
            codes.map { ($0.rawValue, $0) }, uniquingKeysWith: { one, _ in one })
        return byName.merging(["failed": .refundRequestFailed], uniquingKeysWith: { one, _ in one })
    }()

    /// The errors that `_storeKitError` of version 2 may name, by the numbers of `SKError.Code`.
    private static let firstErrors: [StoreError.Code] = [
        .unknown, .invalidOfferIdentifier, .invalidOfferSignature, .missingOfferParameters,
        .invalidOfferPrice,
    ]

    /// All but locale, storefront and renewal rate.
    mutating func readSwitches(_ members: JSONMembers<StoreKitKeys.Settings>) -> CatalogSettings {
        var settings = CatalogSettings.none
        settings.askToBuy = readSwitch(members[.askToBuyEnabled])
        settings.failures = readFailures(members)
        let interruptions =
            members[.interruptedPurchasesEnabled] ?? members[.billingIssuesEnabled]
        settings.interruptsPurchases = readSwitch(interruptions)
        settings.disablesDialogs = readSwitch(members[.disableDialogs])
        settings.entersBillingRetry = readSwitch(members[.renewalBillingIssuesEnabled])
        settings.hasGracePeriod = readSwitch(members[.billingGracePeriodEnabled])
        return settings
    }

    private mutating func readSwitch(_ value: JSONValue?) -> Bool? {
        guard let value, value.kind != .null else { return nil }
        guard let isOn = value.boolean else {
            problems.warn(at: value, expected: "true or false")
            return nil
        }
        return isOn
    }

    /// Nil if the file has no setting about failures.
    private mutating func readFailures(
        _ members: JSONMembers<StoreKitKeys.Settings>
    ) -> [CatalogSettings.Failure]? {
        var failures: [CatalogSettings.Failure] = []
        for element in optionalList(members[.storeKitErrors], of: "failures") {
            guard readSwitch(element.member("enabled")) == true,
                let failure = readFailure(element)
            else { continue }
            if failures.contains(where: { $0.interface == failure.interface }) {
                problems.warn(
                    at: element, code: .repeated,
                    found: "a second failure of \(failure.interface.rawValue)",
                    expected: "each interface once")
                continue
            }
            failures.append(failure)
        }
        let failsTransactions = readSwitch(members[.failTransactionsEnabled])
        if failsTransactions == true, !failures.contains(where: { $0.interface == .purchase }) {
            failures.append(
                CatalogSettings.Failure(
                    interface: .purchase, error: readFirstError(members[.storeKitError])))
        }
        return members[.storeKitErrors] == nil && failsTransactions == nil ? nil : failures
    }

    private mutating func readFailure(_ element: JSONValue) -> CatalogSettings.Failure? {
        let name = element.member("name").flatMap { $0.isText ? $0.text : nil } ?? ""
        guard let interface = Self.interfaces[name] else {
            problems.warn(
                at: element, code: .unknownName,
                found: "the failure \(UntrustedText.quote(name)), switched on",
                expected: "one of \(Self.interfaces.keys.sorted().joined(separator: ", "))",
                suggestion: SpellingSuggestion.nearest(to: name, among: Self.interfaces.keys))
            return nil
        }
        var error = readError(element.member("current"))
        if let likely = interface.errors.first, !interface.errors.contains(error) {
            if element.member("current") != nil {
                problems.warn(
                    at: element, found: "the error \(error) of \(UntrustedText.quote(name))",
                    expected: "one that it can fail with; the calls fail with \(likely)")
            }
            error = likely
        }
        return CatalogSettings.Failure(interface: interface, error: error)
    }

    /// By its number or its name in StoreKit; `unknown` without either.
    private mutating func readError(_ current: JSONValue?) -> StoreError.Code {
        guard let current, current.kind != .null else { return .unknown }
        let type = current.member("type").flatMap { $0.isText ? $0.text : nil } ?? "generic"
        // Writers of such files also spell it as StoreKit does: `refundRequest`.
        let known = Self.errors[type == "refundRequest" ? "refund request" : type] ?? []
        if let name = current.member("name"), name.isText, let code = Self.errorsByName[name.text] {
            return code
        }
        if let index = current.member("index")?.integer, index >= 0, index < known.count {
            return known[Int(index)]
        }
        problems.warn(
            at: current,
            expected: "an error by `type` and `index`, or by `name`; the calls fail "
                + "with an unknown error")
        return .unknown
    }

    private mutating func readFirstError(_ value: JSONValue?) -> StoreError.Code {
        guard let value, value.kind != .null else { return .unknown }
        let code = Self.firstErrors.first { $0.skError.map { Int64($0.code) } == value.integer }
        if let code { return code }
        problems.warn(
            at: value,
            expected: "one of the numbers 0, 11, 12, 13, 14 of SKError; the calls fail "
                + "with an unknown error")
        return .unknown
    }
}
