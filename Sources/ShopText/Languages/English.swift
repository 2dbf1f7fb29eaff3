import StoreModel

/// English: the language used where a text or a locale has no other.
enum English: Language {
    static let code = "en"
    static let sentenceGap = " "
    static let needsUnicode = false

    // MARK: - Errors

    /// The account in a message: "account "aoi"", or the reader's own.
    static func account(_ name: String?) -> String {
        name.map { "account \"\($0)\"" } ?? "your account"
    }

    /// What to do with a key; a word of the shop in lines (`Strings.key`) is typed. No label of keys
    /// is such a word: "r", "r x", "Space".
    static func press(_ key: String, inside: Bool = false) -> String {
        let isWord = KeyName.allCases.compactMap(\.word).contains { text($0) == key }
        let verb = isWord ? (inside ? "type" : "Type") : (inside ? "press" : "Press")
        return verb + " " + key
    }

    /// The name for persons of a stored answer or a file of the device.
    static func keptAnswer(_ name: String) -> String {
        switch name {
        case "contact": "the time of the last contact with the store"
        case "entitlements": "the list of what you own"
        case "settings": "the account's settings"
        case "catalog", "products": "the list of products"
        case "family": "the record of your family"
        case "subscriptions": "the record of your subscriptions"
        case "requests": "the list of your requests"
        case "unfinished": "the list of unfinished transactions"
        case "history": "the history of your account"
        case "unlocks.jws": "the signed record of what your purchases unlock"
        case "reports": "what the app's backend is to be told"
        case "backendList": "the app's list of products"
        default: "a record"
        }
    }

    static func server(
        _ failure: ContentServerFailure?, _ address: String, _ cause: String?
    ) -> String {
        let server = failure?.isOfStart == true ? "The server" : "The app's own server"
        return "\(server) at \(address) \(does(failure))\(because(cause))."
    }

    /// What a server of the app does.
    static func does(_ failure: ContentServerFailure?) -> String {
        switch failure {
        case .addressRefused:
            "is not reached: only http addresses of this machine are, with no second one in them"
        case .unreachable: "does not answer"
        case .connectionLost: "closed the connection before anything came"
        case .stalled: "sent nothing for too long"
        case .redirected: "sends this device elsewhere, which is not followed"
        case .wrongRange: "sent other bytes than were asked for"
        case .wrongLength: "sent fewer bytes than it announced"
        case .tooMuch: "sent more bytes than were asked for"
        case .wrongAnswer, nil: "sent an answer that cannot be read"
        case .serverError: "says that it failed"
        case .portTaken: "cannot start: another program listens there"
        case .hostRefused: "cannot start: that is no address of this machine"
        case .portForbidden: "cannot start: the port needs rights that you do not have"
        case .startFailed: "cannot start"
        }
    }

    static func server(_ address: String, refuses refusal: ContentRefusal?) -> String {
        let why =
            switch refusal {
            case .authorizationMissing: "no proof of the purchase came with the request"
            case .notSigned: "what was shown is no signed text"
            case .tampered: "the signed text was changed"
            case .untrusted: "another store signed the purchase"
            case .certificateRevoked: "the certificate that signed the purchase was revoked"
            case .wrongApp: "the purchase is of another app"
            case .wrongEnvironment: "the purchase is of another environment"
            case .wrongAccount: "the purchase is another account's or device's"
            case .wrongProduct: "the purchase is of another product"
            case .unknownTransaction: "the store has no such purchase"
            case .revoked: "the purchase was refunded or revoked"
            case .expired: "the purchase has expired"
            case nil: "it gives no reason"
            }
        return "The app's own server at \(address) hands nothing out: \(why)."
    }

    static func because(_ cause: String?) -> String { cause.map { " (\($0))" } ?? "" }

    // MARK: - The command line

    static func step(_ kind: UpcomingItem.Kind, of product: String) -> String {
        switch kind {
        case .renewal: "renewal of \(product)"
        case .billingRetry: "payment retry for \(product)"
        case .expiry: "expiry of \(product)"
        }
    }

    static func change(_ kind: PlanChange.Kind) -> String {
        switch kind {
        case .present: "your plan"
        case .upgrade: "upgrade"
        case .downgrade: "downgrade"
        case .crossgrade: "switch"
        }
    }

    /// "An upgrade"
    static func changeNoun(_ kind: PlanChange.Kind) -> String {
        switch kind {
        case .present: "Your plan"
        case .upgrade: "An upgrade"
        case .downgrade: "A downgrade"
        case .crossgrade: "A switch at the same level"
        }
    }

    static func subscriptionMessage(
        _ event: SubscriptionEvent, _ name: String, _ next: String?, _ day: String?,
        key: String
    ) -> String {
        switch event.kind {
        case .expired where event.isAtRenewalLimit == true:
            "\(name) has ended: the limit of renewals was reached."
        case .expired: "\(name) has ended" + (event.reason.map { ": \(ended($0))." } ?? ".")
        case .billingFailed:
            "The payment for \(name) failed."
                + (day.map { " You keep access until \($0)." } ?? "") + " \(key) shows what to do."
        case .graceBegan:
            "\(name) is not paid."
                + (day.map { " You keep access until \($0)." } ?? "") + " \(key) shows what to do."
        case .graceEnded, .billingRetryBegan:
            "\(name) is not paid, and access has ended. \(key) shows what to do."
        case .billingRetryFailed:
            "Another payment for \(name) failed. \(key) shows what to do."
        case .priceIncreaseAsked:
            "The price of \(name) goes up. Accept or decline it"
                + (day.map { " by \($0)" } ?? "") + ": \(key)."
        case .priceIncreaseAgreed: "You accepted the new price of \(name)."
        case .priceIncreaseNotified:
            "\(name) has a new price" + (day.map { " from \($0)" } ?? "")
                + ". You need not agree; \(key) shows it."
        case .planChangePlanned:
            "\(name) changes to \(next ?? "another plan")" + (day.map { " on \($0)" } ?? "")
                + ". Nothing was charged."
        case .planChangeTakenBack: "You keep \(name). Nothing was charged."
        case .offerRedeemed:
            "Your offer for \(name) begins" + (day.map { " on \($0)" } ?? " with the next renewal")
                + ". Nothing was charged."
        }
    }

    static func paid(_ plan: BillingPlanType) -> String {
        switch plan {
        case .upFront: "paid up front"
        case .monthly: "paid by the month"
        }
    }

    static func ended(_ reason: ExpirationReason) -> String {
        switch reason {
        case .autoRenewDisabled: "auto-renew was off"
        case .billingError: "the payment failed"
        case .didNotConsentToPriceIncrease: "no consent to the higher price"
        case .productUnavailable: "the product is not for sale"
        case .other: "by the store"
        }
    }

    /// "the next purchase", "the next 3 purchases", "every purchase"
    static func next(_ count: Int?, _ call: Fault.Call) -> String {
        switch count {
        case nil: "every \(name(call))"
        case 1: "the next \(name(call))"
        case let count?: "the next \(count) \(name(call))s"
        }
    }

    static func name(_ call: Fault.Call) -> String {
        switch call {
        case .loadProducts: "product request"
        case .purchase: "purchase"
        case .verification: "verification"
        case .appStoreSync: "restore"
        case .subscriptionStatus: "status request"
        case .appTransaction: "app transaction"
        case .manageSubscriptions: "subscription sheet"
        case .refundRequest: "refund request"
        case .offerCodeRedeem: "code redemption"
        case .updates: "update"
        case .notification: "notification"
        case .anyEndpoint: "server request"
        default: "\(call.rawValue) request"
        }
    }

    /// The values of a catalog's settings, one text for each value.
    static func catalogSettings(
        _ settings: CatalogSettings, _ rate: RenewalRate?
    ) -> [String] {
        let failures = settings.failures.map { failures in
            failures.isEmpty
                ? "no failures"
                : failures.map { "\($0.interface.rawValue) fails (\($0.error.rawValue))" }
                    .joined(separator: ", ")
        }
        return [
            settings.askToBuy.map { "Ask to Buy \($0 ? "on" : "off")" },
            settings.interruptsPurchases.map {
                "purchases \($0 ? "interrupted" : "not interrupted")"
            },
            settings.disablesDialogs.map { $0 ? "payment without a sheet" : "payment sheets" },
            settings.entersBillingRetry.map {
                "payments for renewals \($0 ? "fail" : "succeed")"
            },
            settings.hasGracePeriod.map { $0 ? "grace period" : "no grace period" },
            settings.territory.map { "storefront \($0)" }, settings.locale.map { "locale \($0)" },
            failures, rate.map { "renewal rate \($0.name)" },
        ].compactMap(\.self)
    }

    /// "2 kB a second, connection lost at byte 4850"
    static func list(_ faults: DownloadFaults) -> String {
        [
            faults.bytesPerSecond.map { "\(Measures.bytes($0)) a second" },
            faults.latencyMilliseconds.map { "\($0) ms for each request" },
            faults.stallAt.map { "standstill at byte \($0)" },
            faults.disconnectAt.map { "connection lost at byte \($0)" },
            faults.corruptAt.map { "byte \($0) changed" },
            faults.fullAt.map { "disk full at byte \($0)" },
            faults.diskBytes.map { "a disk of \(Measures.bytes($0))" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    static func place(_ place: DownloadFaults.Place) -> String {
        switch place {
        case .quarter: "at a quarter"
        case .half: "halfway"
        case .nearEnd: "near the end"
        }
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
