/// One outcome of the field, and how it is made to happen: commands in order, the last of which has
/// the outcome, and keys of the shop.
struct Outcome: Sendable {
    var name: String
    var commands: [String]
    var keys: String
    /// The call and the error, for outcomes that are failures set up on purpose.
    var fault: String?

    private static let coins = "buy lantern.coins.10"
    private static let sepia = "buy lantern.theme.sepia"
    private static let plus = "buy lantern.membership.plus.month"

    /// Makes the device known to the store.
    private static let used = "restore"

    static let all = purchases + waiting + afterwards + connection + unverified + failures

    private static let purchases = [
        Outcome("purchased", [coins], "`b`"),
        Outcome("owned already", [sepia, sepia], "`b`"),
        Outcome("sold outside the app", ["operator buy-outside lantern.theme.sepia"], "`:`"),
        Outcome(
            "begun outside the app",
            [
                used, "operator promote lantern.theme.sepia",
                "promoted continue lantern.theme.sepia",
            ], "`:`, the payment sheet opens"),
        Outcome("payments are not allowed", ["operator payments off", coins], "console `p`"),
        Outcome("signed out", ["sign-out", coins], "`I`"),
        Outcome("unknown product", ["buy lantern.coins.11"], "none: the list has what is sold"),
    ]

    private static let waiting = [
        Outcome("pending: Ask to Buy", ["operator ask-to-buy on", coins], "console `t`"),
        Outcome("pending: the bank asks", ["operator ask-bank on", coins], "`:`"),
        Outcome("pending: interrupted", ["operator interrupt-purchases on", coins], "`:`"),
        Outcome(
            "approved", ["operator ask-to-buy on", coins, "operator approve --all"], "console `a`"),
        Outcome(
            "declined", ["operator ask-to-buy on", coins, "operator decline 1000001"], "console `d`"
        ),
        Outcome(
            "resolved",
            ["operator interrupt-purchases on", coins, "requests resolve 1000001"],
            "page, Resolve"),
        Outcome(
            "withdrawn", ["operator ask-to-buy on", coins, "requests withdraw 1000001"],
            "page, Withdraw"),
        Outcome(
            "approved after it was withdrawn",
            [
                "operator ask-to-buy on", coins, "requests withdraw 1000001",
                "operator approve 1000001",
            ], "`:`"),
        Outcome(
            "asked twice for what can be owned once", ["operator ask-to-buy on", sepia, sepia],
            "`b`"),
    ]

    private static let afterwards = [
        Outcome(
            "refund asked for", [coins, "request-refund 1000001"], "page, Ask for a refund"),
        Outcome(
            "refund asked for twice",
            [coins, "request-refund 1000001", "request-refund 1000001"],
            "none: the button is gone"),
        Outcome(
            "refund declined",
            [coins, "request-refund 1000001", "operator decline-refund 1000001"], "`:`"),
        Outcome("refunded", [sepia, "operator refund 1000001"], "`:`"),
        Outcome(
            "refunded in part", [sepia, "operator refund 1000001 --percent 50"],
            "`:`"),
        Outcome(
            "refunded twice", [sepia, "operator refund 1000001", "operator refund 1000001"],
            "none: it says why not"),
        Outcome(
            "refund taken back",
            [sepia, "operator refund 1000001", "operator reverse-refund 1000001"],
            "`:`"),
        Outcome("revoked", [sepia, "operator revoke 1000001"], "`:`"),
        Outcome("deleted", [sepia, "operator delete 1000001"], "`:`"),
        Outcome(
            "subscription ended by the operator",
            [plus, "operator expire 1000001"], "console `E`"),
    ]

    private static let connection = [
        Outcome(
            "no network before the store is reached",
            [used, "operator network terminal off", coins], "`N`"),
        Outcome(
            "no network before the answer comes",
            [used, "operator network terminal off --during-purchase", coins], "`:`"),
        Outcome(
            "a restore without network", [used, "operator network terminal off", "restore"], "`N`"),
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
            "invalidOfferSignature", "paymentInvalid", "paymentDeclined",
        ]).map { Outcome(failing: "purchase", $0, [], by: coins) }
        + storeKit.map { Outcome(failing: "loadProducts", $0, [], by: "products") }
        + storeKit.map { Outcome(failing: "appStoreSync", $0, [], by: "restore") }
        + storeKit.map { Outcome(failing: "subscriptionStatus", $0, [plus], by: "subscriptions") }
        + storeKit.map {
            Outcome(failing: "appTransaction", $0, [], by: "receipt show --app-transaction")
        }
        + storeKit.map {
            Outcome(failing: "manageSubscriptions", $0, [plus], by: "subscriptions --manage")
        }
        + (["duplicateRequest", "refundRequestFailed"] + storeKit).map {
            Outcome(failing: "refundRequest", $0, [coins], by: "request-refund 1000001")
        }
        + storeKit.map { Outcome(failing: "offerCodeRedeem", $0, [], by: "redeem SPRING26") }

    private init(_ name: String, _ commands: [String], _ keys: String) {
        (self.name, self.commands, self.keys) = (name, commands, keys)
    }

    private init(failing call: String, _ error: String, _ before: [String], by command: String) {
        let option = call == "purchase" ? "" : " --call \(call)"
        name = "\(call): \(error)"
        commands = before + ["operator fail-next \(error)\(option)", command]
        keys = "console `f`"
        fault = "\(call) \(error)"
    }
}
