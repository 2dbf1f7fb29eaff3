import ArgumentParser
import Foundation
import ShopCore
import StoreDevice
import StoreEngine
import StoreModel

struct Buy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Buy products; return when each is delivered, downloaded and finished.",
        discussion: """
            The payment is written to the device's queue before it is sent: after a kill at any \
            moment it is sent again with the same id, and never charged twice. Naming a product \
            twice makes two payments.

            EXAMPLES
              storefront buy lantern.coins.10 --quantity 3
              storefront buy lantern.book.lighthouse.1 --bandwidth 20k
              storefront buy lantern.theme.sepia --leave-unfinished
              storefront buy lantern.coins.10 --payment 6f1c8f8e-2a63-4f0e-9d0a-3b5a3c1f9a10

            EXIT CODES
              0 purchased   10 pending   11 cancelled   12 failed
            """)

    @OptionGroup var options: GlobalOptions

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

    @Flag(help: "Ignore the transaction, as an app that crashed: it returns at the next launch.")
    var leaveUnfinished = false

    @Flag(help: "Return once it is sold; delivery goes on whenever a device is open.")
    var noWait = false

    @Flag(help: "If the purchase needs approval, wait for the answer too.")
    var waitForApproval = false

    func validate() throws {
        if let payment {
            guard PaymentID(payment) != nil else {
                throw ValidationError("--payment wants a UUID, found '\(payment)'.")
            }
            guard identifiers.count == 1 else {
                throw ValidationError("--payment names one payment: give one product.")
            }
        }
        if let appAccountToken, UUID(uuidString: appAccountToken) == nil {
            throw ValidationError("--app-account-token wants a UUID, found '\(appAccountToken)'.")
        }
    }

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let device = try await store.device()
            // First of all: whatever comes is handled from here on.
            let updates = device.updates()
            if !leaveUnfinished && !noWait { try await device.launch() }
            let products = try await products(in: store)
            var till = Till(
                command: self, store: store, device: device, updates: updates)
            for product in products { try await till.buy(product) }
            if let code = till.exitCode { throw code }
        }
    }

    private func products(in store: OpenStore) async throws(StoreError) -> [Product] {
        let asked = identifiers.map { ProductID($0) }
        let answer = try await store.session.products(asked)
        let known = Dictionary(
            answer.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try asked.map { id throws(StoreError) in
            if let product = known[id] { return product }
            let all = store.catalog.catalog?.products.map(\.id.rawValue) ?? []
            if all.contains(id.rawValue) {
                let territory = try await store.session.settings().territory
                throw StoreError(.notAvailableInStorefront, productID: id, found: territory)
            }
            throw StoreError(
                .productUnavailable, productID: id,
                expected: NearestWord.nearest(to: id.rawValue, among: all))
        }
    }
}

/// Buys one product after the other and waits for what follows.
private struct Till {
    let command: Buy
    let store: OpenStore
    let device: Device
    let updates: AsyncStream<DeviceUpdate>
    /// The worst outcome so far; nil while all is well.
    var exitCode: ExitCode?

    mutating func buy(_ product: Product) async throws {
        let payment = Payment(
            id: command.payment.flatMap { PaymentID($0) } ?? PaymentID(UUID()),
            productID: product.id, quantity: command.quantity, shownPrice: product.price,
            appAccountToken: command.appAccountToken.flatMap { UUID(uuidString: $0) })
        let outcome = try await device.buy(payment)
        switch outcome {
        case .failed(let error): fail(payment, error)
        case .pending(let request):
            tellPending(payment, product, request)
            guard command.waitForApproval else {
                exitCode = exitCode ?? Exit.pending
                return
            }
            try await awaitAnswer(payment, product)
        case .purchased(let signed, let id, let alreadyOwned):
            try await purchased(
                payment, product, signed, id: id, alreadyOwned: alreadyOwned)
        }
    }

    private mutating func fail(_ payment: Payment, _ error: StoreError) {
        exitCode = Exit.code(for: error)
        if command.options.json {
            var line = PurchaseLine(
                outcome: error.code == .userCancelled ? "userCancelled" : "failed",
                paymentId: payment.id, productId: payment.productID)
            line.error = error
            line.message = error.message.line
            try? Output.json(line)
        } else {
            Output.error(error.message.line)
        }
    }

    private func tellPending(_ payment: Payment, _ product: Product, _ request: TransactionID) {
        if command.options.json {
            var line = PurchaseLine(
                outcome: "pending", paymentId: payment.id, productId: payment.productID)
            line.requestId = request
            try? Output.json(line)
        } else {
            Output.line(
                "Pending: \(ForeignText.clean(product.displayName)) waits for approval as request "
                    + "\(request). Nothing was charged yet.")
        }
    }

    private mutating func awaitAnswer(_ payment: Payment, _ product: Product) async throws {
        // Asking again with the same id answers with what has become of it, so an approval that
        // came between is not missed.
        for await update in updates {
            switch update {
            case .failed(let failed, let error) where failed.id == payment.id:
                return fail(payment, error)
            case .transaction(.verified(let payload), let signed, _):
                guard case .purchased(_, let id, let owned) = try await device.buy(payment),
                    id == payload.transactionId
                else { continue }
                return try await purchased(
                    payment, product, signed, id: id, alreadyOwned: owned)
            case .trouble(let error, let ended):
                if ended { throw error }
            default: continue
            }
        }
    }

    private mutating func purchased(
        _ payment: Payment, _ product: Product, _ signed: SignedTransaction, id: TransactionID,
        alreadyOwned: Bool
    ) async throws {
        var isFinished = false
        if !command.leaveUnfinished && !command.noWait {
            isFinished = try await awaitFinish(of: id, product)
            if !isFinished { exitCode = Exit.failed }
        }
        if command.options.json {
            var line = PurchaseLine(
                outcome: "purchased", paymentId: payment.id, productId: payment.productID)
            line.transactionId = id
            line.alreadyOwned = alreadyOwned
            line.finished = isFinished
            line.signedTransactionInfo = signed
            return try Output.json(line)
        }
        let name = ForeignText.clean(product.displayName)
        if alreadyOwned {
            Output.line("Already owned: \(name), transaction \(id). Nothing was charged.")
        } else {
            let many = payment.quantity > 1 ? "\(payment.quantity) × " : ""
            let price = product.price.multiplied(by: payment.quantity)
                .formatted(locale: Locale(identifier: product.priceLocale))
            let rest = isFinished ? "" : " It is not finished yet."
            Output.line("Bought \(many)\(name) for \(price), transaction \(id).\(rest)")
        }
    }

    /// Waits until the transaction is delivered, downloaded and finished, by this process or
    /// another. False when its download stopped short.
    private func awaitFinish(of id: TransactionID, _ product: Product) async throws -> Bool {
        let progress = ProgressLine()
        defer { progress.end() }
        let showing = showProgress(of: product, on: progress)
        defer { showing.cancel() }
        while try await isUnfinished(id) {
            guard try await nextChange(of: id, product) else { return false }
        }
        return true
    }

    private func isUnfinished(_ id: TransactionID) async throws(StoreError) -> Bool {
        try await store.session.unfinished(allDevices: true).contains { $0.id == id }
            || hasUnfetched(id)
    }

    /// What was owned before is finished already, but its content may still be on its way.
    private func hasUnfetched(_ id: TransactionID) async throws(StoreError) -> Bool {
        try await device.downloads().contains {
            $0.transactionID == id && ($0.state == .waiting || $0.state == .active)
        }
    }

    /// Waits for something to happen that may have ended it; false when its download has stopped.
    private func nextChange(of id: TransactionID, _ product: Product) async throws -> Bool {
        await withTaskGroup { group in
            let (updates, device) = (updates, device)
            group.addTask {
                for await update in updates {
                    if case .finished(id) = update { return }
                    if case .trouble(_, ended: true) = update { return }
                }
            }
            group.addTask {
                for await _ in device.downloadWakes() {
                    let rows = (try? await device.downloads()) ?? []
                    let own = rows.filter { $0.transactionID == id }
                    if own.isEmpty { continue }
                    if own.allSatisfy({ $0.state.isSettled || $0.state == .paused }) { return }
                }
            }
            await group.next()
            group.cancelAll()
        }
        let own = try await device.downloads().filter { $0.transactionID == id }
        let stopped = own.first { $0.state == .failed || $0.state == .paused }
        if let error = stopped?.error { Output.error(error.message.line) }
        return stopped == nil
    }

    private func showProgress(of product: Product, on line: ProgressLine) -> Task<Void, Never> {
        guard !product.hostedContent.isEmpty, !command.options.json else { return Task {} }
        let device = device
        return Task { @MainActor in
            for await _ in device.downloadWakes() {
                let rows = (try? await device.downloads()) ?? []
                line.show(rows.filter { $0.productID == product.id })
            }
        }
    }
}
