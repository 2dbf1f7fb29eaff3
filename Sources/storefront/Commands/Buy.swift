import ArgumentParser
import Foundation
import ShopCore
import StoreDevice
import StoreCatalog
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
              storefront buy lantern.coins.10 --payment $(uuidgen)

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
            let watcher = DeviceWatcher(device)
            if !leaveUnfinished && !noWait { try await store.launch(device) }
            let products = try await products(in: store)
            var till = Till(command: self, store: store, device: device, watcher: watcher)
            for product in products { try await till.buy(product) }
            if let code = till.exitCode { throw code }
        }
    }

    private func products(in store: OpenStore) async throws(StoreError) -> [Product] {
        let asked = identifiers.map { ProductID($0) }
        let answer = try await store.session.products(asked)
        let known = Dictionary(
            answer.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var products: [Product] = []
        for id in asked {
            guard let product = known[id] else { throw try await refusal(of: id, in: store) }
            products.append(product)
        }
        return products
    }

    /// Why a product cannot be bought here, with the one that was meant perhaps.
    private func refusal(of id: ProductID, in store: OpenStore) async throws(StoreError)
        -> StoreError
    {
        let all = store.catalog.catalog?.products.map(\.id.rawValue) ?? []
        if all.contains(id.rawValue) {
            let territory = try await store.session.settings().territory
            return StoreError(.notAvailableInStorefront, productID: id, found: territory)
        }
        return StoreError(
            .productUnavailable, productID: id,
            expected: NearestWord.nearest(to: id.rawValue, among: all))
    }
}

/// Buys one product after the other and waits for what follows.
private struct Till {
    let command: Buy
    let store: OpenStore
    let device: Device
    let watcher: DeviceWatcher
    /// The worst outcome so far; nil while all is well.
    var exitCode: ExitCode?

    mutating func buy(_ product: Product) async throws {
        let payment = Payment(
            id: command.payment.flatMap { PaymentID($0) } ?? PaymentID.made(),
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
        // The same id again answers with what has become of it, whoever decided meanwhile.
        for try await _ in watcher.changes() {
            switch try await store.session.purchase(payment) {
            case .pending: continue
            case .failed(let error): return fail(payment, error)
            case .purchased(let signed, let id, let alreadyOwned):
                return try await purchased(
                    payment, product, signed, id: id, alreadyOwned: alreadyOwned)
            }
        }
    }

    private mutating func purchased(
        _ payment: Payment, _ product: Product, _ signed: SignedTransaction, id: TransactionID,
        alreadyOwned: Bool
    ) async throws {
        let many = payment.quantity > 1 ? "\(payment.quantity) × " : ""
        let name = ForeignText.clean(product.displayName)
        let bought =
            "Bought \(many)\(name) for "
            + product.price.multiplied(by: payment.quantity)
            .formatted(locale: Locale(identifier: product.priceLocale)) + ", transaction \(id)."
        // What takes long may be interrupted: that it is bought stands before.
        let waits = !command.leaveUnfinished && !command.noWait
        let mayTakeLong =
            waits && !product.hostedContent.isEmpty && !alreadyOwned && !command.options.json
        if mayTakeLong { Output.line(bought) }
        var isFinished = false
        if waits {
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
        if alreadyOwned {
            return Output.line(
                "Already owned: \(name), transaction \(id). Nothing was charged.")
        }
        let told =
            (mayTakeLong ? [] : [bought]) + (isFinished ? [] : ["It is not finished yet."])
        if !told.isEmpty { Output.line(told.joined(separator: " ")) }
    }

    /// Waits until the transaction is delivered, downloaded and finished, by this process or
    /// another. False when its download stopped short.
    private func awaitFinish(of id: TransactionID, _ product: Product) async throws -> Bool {
        let progress = ProgressLine()
        defer { progress.end() }
        let showing = showProgress(of: product, on: progress)
        defer { showing.cancel() }
        let telling = tellWhoDelivers(product)
        defer { telling.cancel() }
        for try await _ in watcher.changes() {
            let downloads = try await device.downloads().filter { $0.transactionID == id }
            if let stopped = downloads.first(where: \.isStopped) {
                if let error = stopped.error { Output.error(DownloadText.stopped(stopped, error)) }
                return false
            }
            let isFetching = downloads.contains { !$0.state.isSettled }
            guard !isFetching else { continue }
            let unfinished = try await store.session.unfinished(allDevices: true)
            guard unfinished.contains(where: { $0.id == id }) else {
                // The end may have come faster than the last wake of the progress line.
                showing.cancel()
                if !command.options.json { progress.show(downloads) }
                return true
            }
        }
        return false
    }

    /// Another process that delivers for this device may have been stopped, which nobody sees here.
    private func tellWhoDelivers(_ product: Product) -> Task<Void, Never> {
        guard product.hostedContent.isEmpty, !command.options.json else { return Task {} }
        let device = device
        return Task {
            try? await Task.sleep(for: Self.patience)
            guard !Task.isCancelled, await !device.holdsLease else { return }
            Output.note(
                "It is sold. Another shop delivers for \(device.device) and has not done so yet; is "
                    + "it stopped? It goes on when that one does, or ends.")
        }
    }

    private static let patience = Duration.seconds(3)

    private func showProgress(of product: Product, on line: ProgressLine) -> Task<Void, Never> {
        guard !product.hostedContent.isEmpty, !command.options.json else { return Task {} }
        let device = device
        return Task {
            for await _ in device.downloadWakes() {
                let rows = (try? await device.downloads()) ?? []
                line.show(rows.filter { $0.productID == product.id })
            }
        }
    }
}
