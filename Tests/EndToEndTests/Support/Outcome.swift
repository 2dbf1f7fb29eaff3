/// One outcome of a purchase in StoreKit, and how to cause it: commands in order, the last of which
/// has the outcome, and keys of the shop.
struct Outcome: Sendable {
    var name: String
    var commands: [String]
    var keys: String
    /// The suite and function of the test that checks this outcome in detail.
    var test: String
    /// The call and the error, for outcomes that the operator sets up as failures.
    var fault: String?
    /// The number of the error in StoreKit 1; nil if StoreKit 1 has none.
    var skError: Int? { error.flatMap { Self.skErrors[$0] } }
    private var error: String?

    /// The numbers in `SKErrorDomain` of the errors with which a purchase can end.
    static let skErrors = [
        "unknown": 0, "systemError": 0, "notEntitled": 1, "unsupported": 1, "userCancelled": 2,
        "notSignedIn": 2, "paymentInvalid": 3, "invalidQuantity": 3, "paymentDeclined": 3,
        "purchaseNotAllowed": 4, "productUnavailable": 5, "notAvailableInStorefront": 5,
        "networkError": 7, "privacyAcknowledgementRequired": 9, "invalidOfferIdentifier": 11,
        "invalidOfferSignature": 12, "missingOfferParameters": 13, "invalidOfferPrice": 14,
        "ineligibleForOffer": 18,
    ]

    private static let coins = "buy lantern.coins.10"
    private static let sepia = "buy lantern.theme.sepia"
    private static let plus = "buy lantern.membership.plus.month"

    /// A command that registers the device with the store.
    private static let used = "restore"

    static let all =
        purchases + waiting + afterwards + around + connection + unverified + failures

    private static let purchases = [
        Outcome("purchased", [coins], "`b`", by: "BuyTests.words"),
        Outcome("owned already", [sepia, sepia], "`b`", by: "BuyTests.owned"),
        Outcome(
            "sold outside the app", ["operator buy-outside lantern.theme.sepia"], "`:`",
            by: "RequestsTests.outside"),
        Outcome(
            "begun outside the app",
            [
                used, "operator promote lantern.theme.sepia",
                "promoted continue lantern.theme.sepia",
            ], "`:`, the payment sheet opens", by: "RequestsTests.outside"),
        Outcome(
            "payments are not allowed", ["operator payments off", coins], "console `p`",
            by: "ApprovalTests.noPayments", error: "purchaseNotAllowed"),
        Outcome(
            "signed out", ["sign-out", coins], "`I`", by: "SignInCommandTests.signedOut",
            error: "notSignedIn"),
        Outcome(
            "unknown product", ["buy lantern.coins.11"], "none: the list has what is sold",
            by: "BadInputTests.product", error: "productUnavailable"),
    ]

    private static let promote = "operator promote lantern.theme.sepia"
    private static let lamp = "buy lantern.tool.lamp"
    private static let guide = "buy lantern.book.fieldguide --bandwidth unlimited"
    private static let openChapter = "content open lantern.book.fieldguide anchorage"
    private static let family = [
        "operator family create mum", "operator family join dad --organizer mum",
    ]
    private static let receipt =
        "verify ../data/storefront/com.example.lantern/devices/terminal/me/receipt.jws"

    /// Rows of cancelled purchases, of family shares, and of texts that are not this app's.
    private static let around = [
        Outcome(
            "cancelled at the payment sheet",
            ["screenshot --keys b,esc", "history --kind purchaseCancelled"], "`b`, `Esc`",
            by: "BuyingTests.cancelIsChosenAtFirstWhateverTheWay"),
        Outcome(
            "held: begun outside the app", [used, promote, "promoted"],
            "the payment sheet opens at the next start", by: "RequestsTests.outside"),
        Outcome(
            "dropped: begun outside the app",
            [used, promote, "promoted drop lantern.theme.sepia"], "`Esc` in the payment sheet",
            by: "RequestsTests.outside"),
        Outcome(
            "shared by a family member",
            family + [lamp + " --account mum", lamp + " --account dad"],
            "page", by: "SubscriptionCommandTests.shares"),
        Outcome(
            "no longer shared by a family member",
            family + [
                lamp + " --account mum", "operator family share mum off", lamp + " --account dad",
            ], "`b`", by: "FamilyTests.childParentAndBank"),
        Outcome(
            "a chapter opened for coins", [guide, coins, openChapter], "reader, `Enter`",
            by: "UnlockedContentTests.cost"),
        Outcome(
            "a chapter opened again", [guide, coins, openChapter, openChapter],
            "reader, `Enter`", by: "UnlockedContentTests.cost"),
        Outcome(
            "too few coins for a chapter", [guide, openChapter], "reader, `Enter`",
            by: "UnlockedContentTests.cost"),
        Outcome(
            "a restore that fails half-way",
            [
                sepia, "buy lantern.theme.contrast",
                "operator fail-next networkError --call appStoreSync --after 1",
                "restore --device tablet",
            ], "`:`", by: "SubscriptionCommandTests.halfRestore", error: "networkError"),
        Outcome(
            "verification: wrongApp",
            [
                coins,
                receipt + " --store ../data/storefront/com.example.lantern"
                    + " --bundle-id com.example.other",
            ], "none", by: "ReceiptCommandTests.foreign"),
        Outcome(
            "verification: wrongEnvironment", [coins, receipt + " --environment Production"],
            "none", by: "ReceiptCommandTests.foreign"),
    ]

    private static let waiting = [
        Outcome(
            "pending: Ask to Buy", ["operator ask-to-buy on", coins], "console `t`",
            by: "ApprovalTests.pending"),
        Outcome(
            "pending: the bank asks", ["operator ask-bank on", coins], "console `A`",
            by: "RequestsTests.bank"),
        Outcome(
            "pending: interrupted", ["operator interrupt-purchases on", coins], "console `i`",
            by: "RequestsTests.interrupted"),
        Outcome(
            "approved", ["operator ask-to-buy on", coins, "operator approve --all"], "console `a`",
            by: "ApprovalTests.approve"),
        Outcome(
            "declined", ["operator ask-to-buy on", coins, "operator decline 1000001"],
            "console `d`", by: "RequestsTests.bank"),
        Outcome(
            "resolved",
            ["operator interrupt-purchases on", coins, "requests resolve 1000001"],
            "page, Resolve", by: "RequestsTests.interrupted"),
        Outcome(
            "withdrawn", ["operator ask-to-buy on", coins, "requests withdraw 1000001"],
            "page, Withdraw", by: "RequestsTests.withdrawn"),
        Outcome(
            "approved after it was withdrawn",
            [
                "operator ask-to-buy on", coins, "requests withdraw 1000001",
                "operator approve 1000001",
            ], "`:`", by: "RequestsTests.withdrawn"),
        Outcome(
            "asked twice for what can be owned once", ["operator ask-to-buy on", sepia, sepia],
            "`b`", by: "ApprovalTests.joins"),
    ]

    private static let afterwards = [
        Outcome(
            "refund asked for", [coins, "request-refund 1000001"], "page, Ask for a refund",
            by: "RequestsTests.refund"),
        Outcome(
            "refund asked for twice",
            [coins, "request-refund 1000001", "request-refund 1000001"],
            "none: the button is gone", by: "RequestsTests.refund"),
        Outcome(
            "refund declined",
            [coins, "request-refund 1000001", "operator decline-refund 1000001"], "`:`",
            by: "ApprovalTests.refundAnsweredBefore"),
        Outcome(
            "refund approved",
            [sepia, "request-refund 1000001", "operator approve 1000001"], "console `a`",
            by: "RequestsTests.refundByAnswer"),
        Outcome(
            "refunded", [sepia, "operator refund 1000001"], "console `$`",
            by: "AfterTheSaleTests.refund"),
        Outcome(
            "refunded in part", [sepia, "operator refund 1000001 --percent 50"],
            "`:`", by: "AfterTheSaleTests.limits"),
        Outcome(
            "refunded twice", [sepia, "operator refund 1000001", "operator refund 1000001"],
            "none: it says why not", by: "AfterTheSaleTests.limits"),
        Outcome(
            "refund reversed",
            [sepia, "operator refund 1000001", "operator reverse-refund 1000001"],
            "`:`", by: "AfterTheSaleTests.refund"),
        Outcome(
            "revoked", [sepia, "operator revoke 1000001"], "`:`", by: "AfterTheSaleTests.limits"),
        Outcome(
            "deleted", [sepia, "operator delete 1000001"], "console `D`",
            by: "AfterTheSaleTests.delete"),
        Outcome(
            "subscription ended by the operator",
            [plus, "operator expire 1000001"], "console `E`", by: "SubscriptionCommandTests.plans"),
    ]

    private static let connection = [
        Outcome(
            "no network before the store is reached",
            [used, "operator network terminal off", coins], "console `N`",
            by: "OfflineCommandTests.offline", error: "networkError"),
        Outcome(
            "no network before the answer comes",
            [used, "operator network terminal off --during-purchase", coins], "`:`",
            by: "OfflineCommandTests.duringPurchase"),
        Outcome(
            "a restore without network", [used, "operator network terminal off", "restore"],
            "console `N`", by: "OfflineCommandTests.offline", error: "networkError"),
        Outcome(
            "bought while the app's backend is away",
            ["device backend http://127.0.0.1:9", coins], "`b`", by: "DeviceBackendTests.away"),
    ]

    private static let unverified = [
        "invalidSignature", "invalidCertificateChain", "revokedCertificate",
        "invalidDeviceVerification", "invalidEncoding", "missingRequiredProperties",
    ].map { Outcome(failing: "verification", $0, [], by: coins) }

    private static let storeKit = [
        "networkError", "systemError", "notAvailableInStorefront", "notEntitled", "userCancelled",
        "unsupported", "unknown",
    ]

    private static let failures =
        (storeKit + [
            "purchaseNotAllowed", "productUnavailable", "invalidQuantity", "ineligibleForOffer",
            "invalidOfferIdentifier", "invalidOfferPrice", "missingOfferParameters",
            "invalidOfferSignature", "paymentInvalid", "privacyAcknowledgementRequired",
            "paymentDeclined",
        ]).map { Outcome(failing: "purchase", $0, [], by: coins) }
        + storeKit.map { Outcome(failing: "loadProducts", $0, [], by: "products") }
        + storeKit.map { Outcome(failing: "appStoreSync", $0, [], by: "restore") }
        + storeKit.map { Outcome(failing: "subscriptionStatus", $0, [plus], by: "subscriptions") }
        + storeKit.map {
            Outcome(failing: "appTransaction", $0, [], by: "receipt refresh --app-transaction")
        }
        + storeKit.map {
            Outcome(failing: "manageSubscriptions", $0, [plus], by: "subscriptions --manage")
        }
        + (["duplicateRequest", "refundRequestFailed"] + storeKit).map {
            Outcome(failing: "refundRequest", $0, [coins], by: "request-refund 1000001")
        }
        + storeKit.map { Outcome(failing: "offerCodeRedeem", $0, [], by: "redeem SPRING26") }
        + ["deliveredTwice", "deliveredAfterAnswer"].map {
            Outcome(failing: "updates", $0, [], by: coins)
        }
        // The launch of a device that buys may deliver what its feed holds back.
        + ["deliveredLate", "deliveredOutOfOrder"].map {
            Outcome(failing: "updates", $0, [], by: "operator buy-outside lantern.coins.10")
        }

    private init(
        _ name: String, _ commands: [String], _ keys: String, by test: String, error: String? = nil
    ) {
        (self.name, self.commands, self.keys) = (name, commands, keys)
        (self.test, self.error) = (test, error)
    }

    private init(failing call: String, _ error: String, _ before: [String], by command: String) {
        let option = call == "purchase" ? "" : " --call \(call)"
        name = "\(call): \(error)"
        commands = before + ["operator fail-next \(error)\(option)", command]
        keys = "console `f`"
        fault = "\(call) \(error)"
        self.error = error
        test =
            switch call {
            case "purchase": "ApprovalTests.failNext"
            case "verification": "UnverifiedTests.buy"
            case "updates": "DisturbedFeedTests.everyDisorder"
            default: "RequestsTests.failures"
            }
    }
}
