import ArgumentParser
import Foundation
import Shop
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

struct Offers: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "List a subscription's offers, and which the account can have.",
        discussion: """
            An introductory offer applies by itself; buy --offer asks for a promotional or win-back \
            offer, and redeem for one with a code. Codes are listed for the operator.

            EXAMPLES
              storefront offers lantern.membership.plus.month
              storefront buy lantern.membership.plus.month --offer plus.half
              storefront offers lantern.membership.plus.month --json
            """)

    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String

    @OptionGroup var given: CustomerOptions

    func run(in store: OpenStore) async throws {
        let id = ProductID(product)
        let offers: [OfferAnswer]
        do throws(StoreError) { offers = try await store.session.offers(of: id) } catch {
            throw error.ofOperator
        }
        let showsCodes = !store.isCustomers
        if offers.isEmpty, !options.json { Output.note(.noOffers(product: product)) }
        var list = ListOutput(options.listFormat)
        try await list.write(offers, line: { $0.fields(showsCodes: showsCodes) }) {
            guard let found = try await store.session.products([id]).products.first else {
                return []
            }
            let strings = Output.strings
            return [
                Column(.columnOffer) { strings[.offerName($0.offer.kind)] },
                Column(.columnIdentifier) { $0.offer.id?.rawValue ?? "" },
                Column(.columnTerms) { strings.terms(of: $0.offer, found) },
                Column(.columnState) { answer in
                    if let refusal = answer.refusal { return strings[.offerRefused(refusal)] }
                    return answer.offer.kind == .introductory
                        ? strings[.offerAppliesByItself] : strings[.offerAvailable]
                },
                Column(.columnCodes) { showsCodes ? $0.codes.joined(separator: " ") : "" },
            ]
        }
    }
}

struct Redeem: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "redeem",
        abstract: "Redeem an offer code: buy the subscription it is for, with its offer.",
        discussion: """
            Each account redeems a code once. Whoever subscribes already has the offer from the next \
            renewal on.

            EXAMPLES
              storefront redeem SPRING26
              storefront redeem SPRING26 --payment $(uuidgen)

            EXIT CODES
              0 redeemed   10 pending   12 failed   14 sold, but not complete yet
              69 unknown, or store unavailable
            """)

    @Argument(help: "The code.") var code: String

    @Option(
        help: ArgumentHelp(
            "The payment's id (a UUID): the same id again is the same payment.",
            valueName: "uuid"))
    var payment: String?

    @OptionGroup var given: DownloadingOptions

    func validate() throws {
        try UUIDArgument.validate(payment, of: "--payment")
    }

    func run(in store: OpenStore) async throws {
        let device = try await store.device()
        let watcher = DeviceWatcher(device, remarksOf: store)
        let redemption = try await store.session.redemption(of: code)
        let answer = try await store.session.products([redemption.productID])
        guard let product = answer.products.first else {
            throw StoreError(.productUnavailable, productID: redemption.productID)
        }
        var terms = PurchaseTerms(isJSON: options.json)
        terms.payment = payment.flatMap { PaymentID($0) }
        terms.wait = [.delivery]
        terms.offer = .asked(redemption.asked)
        try await PurchaseRun.buy(
            [product], terms, store, device, watcher, resendingAtMost: product.price)
    }
}

struct SignOffer: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-offer",
        abstract: "Sign a promotional offer, as the app's own server would.",
        discussion: """
            The signature is good for one payment of this product with this offer, for 24 hours. It \
            is made with the key pair of the .storekit file, else with one that the store makes. The \
            key itself is never shown.

            EXAMPLES
              storefront operator sign-offer lantern.membership.plus.month plus.half
              storefront operator sign-offer lantern.membership.plus.month plus.half --jws
            """)

    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @Argument(help: ArgumentHelp("The offer's id.", valueName: "offer")) var offer: String
    @Flag(help: "As a JWS, in place of the first form.") var jws = false
    @Option(
        name: .customLong("app-account-token"),
        help: ArgumentHelp("The token of the payment it is for (a UUID).", valueName: "uuid"))
    var appAccountToken: String?

    @OptionGroup var given: OperatorOptions

    func validate() throws {
        try UUIDArgument.validate(appAccountToken, of: "--app-account-token")
    }

    func run(in store: OpenStore) async throws {
        let payment = Payment(
            id: PaymentID.made(at: store.now.date), productID: ProductID(product),
            shownPrice: Money(milliunits: 0, currency: ""),
            appAccountToken: appAccountToken.flatMap { UUID(uuidString: $0) },
            offer: PaymentOffer(kind: .promotional, id: OfferID(offer)))
        let signature: OfferSignature
        do throws(StoreError) {
            signature = try await store.engine.signOffer(of: payment, isJWS: jws)
        } catch { throw error.ofOperator }
        guard options.json else { return Output.line(signature.text) }
        // The parameters of `SKPaymentDiscount`, or the JWS; `text` is all of them in one word, for
        // `buy --signature`.
        let common: JSONFields = [
            "productId": payment.productID, "offerIdentifier": payment.offer?.id,
            "text": signature.text,
        ]
        switch signature {
        case .jws(let text): try Output.json(JSONFields(common, ["compactJWS": text]))
        case .parameters(let keyID, let nonce, let timestamp, let bytes):
            try Output.json(
                JSONFields(
                    common,
                    [
                        "keyIdentifier": keyID, "nonce": nonce.uuidString.lowercased(),
                        "timestamp": timestamp.milliseconds,
                        "signature": bytes.base64EncodedString(),
                    ]))
        }
    }
}

struct SignEligibility: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-eligibility",
        abstract: "Sign the app's word on an introductory offer, as its server would.",
        discussion: """
            The text says whether the account gets the introductory offer of this product, in place of \
            the store's own rule. It is good for one purchase by that account, for 24 hours. Of a \
            product without an introductory offer there is nothing to sign.

            EXAMPLES
              storefront operator sign-eligibility lantern.letters.month --account aoi
              storefront operator sign-eligibility lantern.membership.plus.year --deny
            """)

    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @Flag(help: "The customer does not get the offer.") var deny = false

    @OptionGroup var given: AccountOperatorOptions

    func run(in store: OpenStore) async throws {
        let id = ProductID(product)
        try await refuseWithoutOffer(id, in: store)
        let text = try await store.engine.signEligibility(
            of: id, for: store.account, isAllowed: !deny)
        try write(
            json: [
                "account": store.account, "productId": id, "allowIntroductoryOffer": !deny,
                "compactJWS": text,
            ] as JSONFields
        ) { Output.line(text) }
    }

    /// Refuses a product without an introductory offer for this account. The store would refuse the
    /// signed text in every purchase, and the person would look for the fault elsewhere.
    private func refuseWithoutOffer(
        _ id: ProductID, in store: OpenStore
    ) async throws(StoreError) {
        let answers: [OfferAnswer]
        // Ask the store directly: the operator reaches it even if the device has no network.
        let session = store.engine.session(
            account: store.account, device: store.deviceName, locale: store.locale)
        do throws(StoreError) { answers = try await session.offers(of: id) } catch {
            throw error.ofOperator
        }
        guard answers.contains(where: { $0.offer.kind == .introductory }) else {
            throw StoreError(.invalidOfferIdentifier, productID: id, reason: .introductory)
        }
    }
}

extension StoreError {
    /// The same error with texts for the operator, or for a command that buys nothing: they mention
    /// no account and no charge.
    var ofOperator: StoreError {
        guard subject == nil else { return self }
        var error = self
        error.reason = .operator
        return error
    }
}
