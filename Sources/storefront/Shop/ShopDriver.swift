import Shop
import ShopText
import StoreDevice
import StoreHost
import StoreModel
import Terminal

/// The shop without a screen: presses keys, and waits after each until its effects have ended.
final class ShopDriver {
    private let options: GlobalOptions
    private let size: Size
    private let capabilities: Capabilities
    private let formatters = LocalizedFormatters()
    private let runner: ShopRunner
    private let mailbox: Mailbox
    private let wakes: AsyncStream<Void>

    var state: ShopState { runner.state }

    init(_ options: GlobalOptions, size: Size, capabilities: Capabilities) {
        var options = options
        options.use(capabilities)
        self.options = options
        self.size = size
        self.capabilities = capabilities
        let (wakes, waking) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        mailbox = Mailbox(onFirst: { waking.yield() })
        let formatters = formatters
        var state = ShopState(shop: .unopened(options))
        state.own = options.own
        runner = ShopRunner(
            state, system: SystemClock(),
            elapsed: ContinuousClock(),
            viewport: {
                ShopDrawing.viewport(
                    $0, size: size, capabilities: capabilities, formatters: formatters)
            })
    }

    func open(demo: DemoStore? = nil) async throws {
        let isFilled = demo != nil
        runner.reopen = { [options] shop, empties in
            // A store that was replaced ends the driver (`waitForEffects`).
            guard empties else { return }
            Task.detached { await shop.reopen(options, empties: true, fillsDemo: isFilled) }
        }
        await OpenShop.open(options, mailbox: mailbox, demo: demo)
        try await waitUntilIdle(andDownloading: demo != nil)
    }

    func press(_ key: Key) async throws {
        guard let action = KeyMap.action(for: key, in: state, on: Layout(size)) else { return }
        runner.take(action)
        try await waitUntilIdle()
    }

    /// The folder of a throwaway store has a random name; its files are shown below `/demo`.
    var drawing: ShopDrawing {
        var state = state
        if options.isThrowaway, let folder = try? EphemeralFolder.make() {
            if let path = state.receipt.receipt?.path {
                state.receipt.receipt?.path = path.replacing(folder, with: "/demo")
            }
            if let path = state.receipt.appTransaction?.path {
                state.receipt.appTransaction?.path = path.replacing(folder, with: "/demo")
            }
        }
        return ShopDrawing(state, size: size, capabilities: capabilities, formatters: formatters)
    }

    func close() async { await runner.shop?.device.close() }

    /// Returns once every effect has ended, and the device has delivered what the store has sold
    /// to it: a frame never shows one half of a sale.
    ///
    /// - Parameter andDownloading: also waits until every download has started.
    private func waitUntilIdle(andDownloading: Bool = false) async throws {
        try await waitForEffects(andDownloading: andDownloading)
        guard let shop = runner.shop, !shop.device.network().isOff, await shop.device.holdsLease,
            state.snapshot.isSignedIn
        else { return }
        try await shop.store.waitUntilIdle(
            shop.device, DeviceWatcher(shop.device), forDownloads: false)
        runner.expectNewAnswers()
        try await waitForEffects(andDownloading: andDownloading)
    }

    private func waitForEffects(andDownloading: Bool) async throws {
        while true {
            for message in mailbox.takeAll() { runner.take(message) }
            runner.take(.resized)
            runner.finishCounting()
            if let failure = runner.failure { throw failure }
            if state.opening == .reopening(.replaced) { throw StoreError(.storeReplaced) }
            let isWaiting =
                andDownloading && state.snapshot.downloads.values.contains { $0.state == .waiting }
            if runner.isIdle && !isWaiting { return }
            for await _ in wakes { break }
        }
    }
}

extension ShopIdentity {
    /// The identity before the store is open: only the language, and whom the shop is for.
    static func unopened(_ options: GlobalOptions) -> ShopIdentity {
        ShopIdentity(
            appName: "", environment: .sandbox, account: "", device: "",
            locale: Output.strings.locale, language: Output.strings.language.code,
            hasConsole: !options.isCustomers(.current), isPresenting: options.isPresenting)
    }
}
