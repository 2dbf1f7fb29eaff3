import ArgumentParser
import Basics
import Foundation
import Shop
import StoreDevice
import StoreEngine
import StoreModel

struct Buy: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy products; return when each is delivered, downloaded and finished.",
        discussion: """
            The payment is written to the device's queue before it is sent: after a kill at any \
            moment it is sent again with the same id, and never charged twice. Naming a product \
            twice makes two payments.

            EXAMPLES
              storefront buy lantern.coins.10 --quantity 3
              storefront buy lantern.book.lighthouse.1 --bandwidth 20k
              storefront buy lantern.theme.sepia --leave-unfinished
              storefront buy lantern.coins.10 --payment $(uuidgen)
              storefront buy lantern.membership.plus.month --offer plus.half
              storefront buy lantern.membership.plus.year --billing-plan monthly

            A subscription's introductory offer applies by itself where the account is eligible. Any \
            other is asked for with --offer; storefront offers lists them. A promotional offer is \
            signed as the app's own server would, unless --signature gives a signature.

            A purchase that stands is said so whatever fails after it. Where it cannot be known, that \
            is said, with the payment's id: the same id again tells, and never charges twice. A \
            command that is interrupted (Ctrl-C, SIGTERM) says what is known until then, and with \
            --json prints it as its document.

            EXIT CODES
              0 purchased   10 pending   11 cancelled   12 failed   13 sold, but not verified here
              14 sold, but not complete yet: a download stopped or waits, or another process delivers
              69 unknown, or store unavailable
            """)

    @Argument(help: ArgumentHelp("The products, bought one after the other.", valueName: "id"))
    var identifiers: [String]

    @Option(help: ArgumentHelp("How many of each, 1 to 10.", valueName: "number"))
    var quantity = 1

    @Option(
        help: ArgumentHelp(
            "The payment's id (a UUID): the same id again is the same payment.",
            valueName: "uuid"))
    var payment: String?

    @Option(
        name: .customLong("app-account-token"),
        help: ArgumentHelp("The app's own token for its user (a UUID).", valueName: "uuid"))
    var appAccountToken: String?

    @Option(
        help: ArgumentHelp(
            "The app's own name of its user; only its SHA-256 is kept (applicationUsername).",
            valueName: "name"))
    var username: String?

    @Option(help: ArgumentHelp("The SHA-256 of that name, in place of it.", valueName: "hex"))
    var usernameHash: String?

    var applicationUsernameHash: String? {
        usernameHash?.lowercased() ?? username.map(ApplicationUsername.hash)
    }

    @Option(help: ArgumentHelp("A promotional or win-back offer of the product.", valueName: "id"))
    var offer: String?

    @Option(
        help: ArgumentHelp(
            "The promotional offer's signature, as storefront operator sign-offer prints it.",
            valueName: "text"))
    var signature: String?

    @Option(
        help: ArgumentHelp(
            "How a subscription is paid: upFront, or monthly with a commitment.",
            valueName: "plan"))
    var billingPlan: String?

    @Option(
        name: .customLong("intro-eligibility"),
        help: ArgumentHelp(
            "The app's signed word on the introductory offer, as storefront operator "
                + "sign-eligibility prints it.", valueName: "jws"))
    var introductoryEligibility: String?

    @Flag(help: "Ignore the transaction, as an app that crashed: it returns at the next launch.")
    var leaveUnfinished = false

    @Flag(help: "Return once it is sold; delivery continues whenever a device is open.")
    var noWait = false

    @Flag(help: "Buy it also if a family member shares it with the account already.")
    var again = false

    @Flag(help: "If the purchase needs approval, wait for the answer too.")
    var waitForApproval = false

    @OptionGroup var given: DownloadingOptions

    func validate() throws {
        try UUIDArgument.validate(payment, of: "--payment")
        if payment != nil, identifiers.count != 1 {
            throw ValidationError("--payment names one payment: give one product.")
        }
        if offer != nil, identifiers.count != 1 {
            throw ValidationError("--offer is an offer of one product: give one product.")
        }
        if let billingPlan, BillingPlanType(name: billingPlan) == nil {
            throw ValidationError(
                "--billing-plan wants upFront or monthly, found '\(billingPlan)'.")
        }
        if billingPlan != nil || introductoryEligibility != nil, identifiers.count != 1 {
            throw ValidationError(
                "--billing-plan and --intro-eligibility are for one product: give one product.")
        }
        if let signature {
            guard offer != nil else { throw ValidationError("--signature needs --offer.") }
            guard OfferSignature(signature) != nil else {
                throw ValidationError(
                    "--signature wants a JWS, or key:nonce:milliseconds:base64, as storefront "
                        + "operator sign-offer prints it.")
            }
        }
        try UUIDArgument.validate(appAccountToken, of: "--app-account-token")
        if username != nil, usernameHash != nil {
            throw ValidationError("Give --username or --username-hash, not both.")
        }
        if username?.isEmpty == true {
            throw ValidationError("--username wants a name, found none.")
        }
        if let usernameHash, !Payment.isUsernameHash(usernameHash.lowercased()) {
            throw ValidationError(
                "--username-hash wants 64 hexadecimal digits, found '\(usernameHash)'.")
        }
    }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        let watcher = DeviceWatcher(device, remarksOf: store)
        if let payment = terms.payment { watcher.leaveOut(payment) }
        let products = try await products(in: store)
        try await PurchaseRun.buy(
            products, terms, store, device, watcher,
            resendingAtMost: leaveUnfinished || noWait ? nil : total(of: products))
    }

    private var terms: PurchaseTerms {
        var terms = PurchaseTerms(isJSON: options.json)
        terms.payment = payment.flatMap { PaymentID($0) }
        terms.quantity = quantity
        terms.again = again
        terms.appAccountToken = appAccountToken.flatMap { UUID(uuidString: $0) }
        terms.applicationUsernameHash = applicationUsernameHash
        if !leaveUnfinished && !noWait { terms.wait.insert(.delivery) }
        terms.leavesUnfinished = leaveUnfinished
        if waitForApproval { terms.wait.insert(.approval) }
        terms.billingPlan = billingPlan.flatMap { BillingPlanType(name: $0) }
        terms.introductoryEligibility = introductoryEligibility
        if let offer {
            terms.offer = .named(OfferID(offer), signature.flatMap { OfferSignature($0) })
        }
        return terms
    }

    private func products(in store: OpenStore) async throws(StoreError) -> [Product] {
        let asked = identifiers.map { ProductID($0) }
        let answer = try await store.session.products(asked)
        let known = Dictionary(
            answer.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var products: [Product] = []
        for id in asked {
            if let product = known[id] {
                products.append(product)
            } else if let sold = await productOfKnownPayment(id, in: store) {
                products.append(sold)
            } else {
                throw try await store.refusal(of: id)
            }
        }
        return products
    }

    /// A stand-in for a product that the store does not sell now, if the store knows the payment
    /// that was given: it then answers with the payment's outcome, whatever it sells.
    private func productOfKnownPayment(_ id: ProductID, in store: OpenStore) async -> Product? {
        guard let payment = terms.payment else { return nil }
        let price = Money(milliunits: 0, currency: "")
        do {
            let asked = Payment(id: payment, productID: id, shownPrice: price)
            guard try await store.session.outcome(of: asked) != nil else { return nil }
        } catch {
            // Other contents, or no answer: buying it says which.
        }
        return Product(
            id: id, type: .consumable, displayName: id.rawValue, price: price,
            priceLocale: store.locale)
    }

    /// The sum that this command may charge for all its products, in the currency of the first one.
    private func total(of products: [Product]) -> Money {
        let currency = products.first?.price.currency ?? ""
        let sum = products.reduce(0 as Int64) {
            $0.addingClamped($1.price.multiplied(by: quantity).milliunits)
        }
        return Money(milliunits: sum, currency: currency)
    }
}
