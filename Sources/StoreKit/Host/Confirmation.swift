#if os(Linux)
import Foundation
import StoreDevice
import StoreModel
import Synchronization

extension StoreKitHost {
    /// The person or code that confirms a purchase in place of Apple's sheet. A purchase never waits
    /// where nobody can answer.
    public struct Confirmation: Sendable {
        enum Kind: Sendable {
            case automatic, always, never
            case decided(@Sendable (PurchaseRequest) async -> Bool)
        }
        let kind: Kind

        /// The person at a shop that is open on the app's device, else the person at the terminal.
        /// At once if there is neither, in a test, and if the account's dialogs are off.
        public static let automatic = Confirmation(kind: .automatic)
        /// At once.
        public static let always = Confirmation(kind: .always)
        /// Every purchase is cancelled.
        public static let never = Confirmation(kind: .never)

        /// The app, or its test. False cancels the purchase.
        public static func decided(
            by decide: @escaping @Sendable (PurchaseRequest) async -> Bool
        ) -> Confirmation {
            Confirmation(kind: .decided(decide))
        }
    }

    /// A purchase that waits to be confirmed.
    public struct PurchaseRequest: Sendable {
        /// Of the product to be bought.
        public let productID: String
        /// In the account's language.
        public let displayName: String
        /// For the whole quantity, without an offer.
        public let displayPrice: String
        /// How many.
        public let quantity: Int

        init(_ purchase: AppPurchase) {
            let product = purchase.product
            productID = product.id.rawValue
            displayName = product.displayName
            quantity = purchase.quantity
            displayPrice = product.price.multiplied(by: purchase.quantity)
                .formatted(locale: Locale(identifier: product.priceLocale))
        }
    }

    private static let chosen = Mutex(Confirmation.automatic)

    /// The confirmation of this process's purchases.
    public static var confirmation: Confirmation {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }
}

/// Asks whoever confirms a purchase.
enum PurchaseConfirmation {
    /// Whether the purchase continues.
    static func allows(_ purchase: AppPurchase, in session: AppStoreSession) async -> Bool {
        if !purchase.storefrontChecks.isEmpty,
            let storefront = await changedStorefront(for: purchase, in: session),
            !purchase.storefrontChecks.allSatisfy({ $0.shouldContinue(storefront) })
        {
            return false
        }
        switch StoreKitHost.confirmation.kind {
        case .always: return true
        case .never: return false
        case .decided(let decide): return await decide(StoreKitHost.PurchaseRequest(purchase))
        case .automatic:
            if let answer = await askInShop(purchase, in: session) { return answer }
            guard let reason = await whyNobodyIsAsked(in: session) else {
                return await askOnTerminal(StoreKitHost.PurchaseRequest(purchase))
            }
            logOnce(purchase.product.id, reason)
            return true
        }
    }

    private static func whyNobodyIsAsked(in session: AppStoreSession) async -> String? {
        if isInTest { return "a test is running" }
        guard hasPersonAtTerminal else { return "there is no terminal" }
        let settings = try? await session.device.accountSettings().value
        return settings?.disablesDialogs == true ? "the account's dialogs are off" : nil
    }

    /// Nil if no shop answers. A payment refused before that continues, and fails with that error.
    private static func askInShop(
        _ purchase: AppPurchase, in session: AppStoreSession
    ) async -> Bool? {
        do throws(StoreError) {
            return try await session.device.ask(purchase.payment(at: session.now))
        } catch { return error.code == .notSignedIn || error.isNetworkOff ? true : nil }
    }

    /// The account's territory; nil unless it has changed since the product was loaded.
    static func changedStorefront(
        for purchase: AppPurchase, in session: AppStoreSession
    ) async -> Storefront? {
        let present = await Storefront.current(of: session)
        return present?.currencyCode == purchase.product.price.currency ? nil : present
    }

    private static var isInTest: Bool {
        AppStoreProcess.isTesting || CommandLine.arguments.first?.hasSuffix(".xctest") == true
    }

    /// A process in the background would be stopped if it read, or wait for nobody.
    private static var hasPersonAtTerminal: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
            && tcgetpgrp(STDIN_FILENO) == getpgrp()
    }

    private static let hasLogged = Atomic(false)

    private static func logOnce(_ product: ProductID, _ reason: String) {
        guard !hasLogged.exchange(true, ordering: .acquiringAndReleasing) else { return }
        write(
            "StoreKit: \(product) is bought without a question, since \(reason). "
                + "StoreKitHost.confirmation chooses who confirms.\n")
    }

    private static let lastQuestion = Mutex<Task<Bool, Never>?>(nil)

    /// One question after the other: the terminal has one line for the answer.
    private static func askOnTerminal(_ request: StoreKitHost.PurchaseRequest) async -> Bool {
        let question = lastQuestion.withLock { last in
            let previous = last
            let question = Task {
                _ = await previous?.value
                return await readAnswer(to: request)
            }
            last = question
            return question
        }
        return await question.value
    }

    /// Reads on a thread of its own: a person may take any time.
    private static func readAnswer(to request: StoreKitHost.PurchaseRequest) async -> Bool {
        let name =
            request.quantity == 1
            ? request.displayName : "\(request.quantity) × \(request.displayName)"
        write("Buy \(name) for \(request.displayPrice)? [y/N] ")
        return await withCheckedContinuation { answer in
            Thread.detachNewThread {
                let line = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
                answer.resume(returning: line == "y" || line == "yes")
            }
        }
    }

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
#endif
