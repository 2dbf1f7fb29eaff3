import ArgumentParser
import CursesTerminal
import Shop
import StoreDevice
import StoreHost
import StoreModel

struct Demo: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Open the shop on a throwaway store.",
        discussion: """
            The store lives in a temporary folder and is gone when the shop is left. It is filled \
            through the real engine: owned, downloading, paused, waiting for approval, declined, \
            owned on another device, subscribed. Its network is slow enough to be watched: any \
            package takes about 12 seconds, unless --bandwidth says otherwise. With --clock its \
            clock stands at a time, and its dates are the same in every rehearsal. Ctrl-R starts it \
            anew.

            With --tour, two rows at the lower edge lead through a purchase step by step: paying, the \
            store's console, an approval, the library, a refund. They say what is happening and which \
            keys to press next; all other keys work too. They need 14 rows.

            EXAMPLES
              storefront demo
              storefront demo --tour
              storefront demo --presenter --clock 2027-01-31T09:00:00Z
              storefront demo --empty --territory JP --locale ja_JP
              storefront screenshot --demo --size 120x40
            """)

    @OptionGroup var screen: ScreenOptions

    @Flag(help: "Begin with a store that has sold nothing.") var empty = false

    @Flag(help: "Lead through a purchase as customer and as operator, step by step.")
    var tour = false

    @OptionGroup var audience: AudienceOptions

    @OptionGroup var catalog: CatalogPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: MovingPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart

    func validate() throws {
        guard !tour || !screen.linear else {
            throw ValidationError("--tour is drawn below a screen, which --linear does not have.")
        }
        guard !tour || !options.isCustomers(.current) else {
            throw ValidationError(
                "--tour shows the console, which a customer's shop (--customer or "
                    + "$STOREFRONT_CUSTOMER=1) does not have.")
        }
    }

    /// Called before the screen opens, so that an error is printed where the person can read it.
    private func demoOptions() throws -> GlobalOptions {
        do {
            return try screen.applied(to: audience.applied(to: options.throwaway()))
        } catch {
            Output.report(error, json: false)
            throw Exit.code(for: error)
        }
    }

    @MainActor func run() async throws {
        let options = try demoOptions()
        if ShopProgram.isLinear(screen) {
            return try await reporting(options, notesMistakes: false) {
                try await ShopProgram.runInLines(
                    options, isASCII: screen.screen.isASCII ?? false,
                    demo: empty ? nil : DemoStore(options))
            }
        }
        guard let terminal = ShopProgram.openTerminal(screen.screen) else {
            throw ValidationError(
                "The demo needs a terminal. For a picture of it: storefront screenshot --demo")
        }
        do {
            try await reporting(options, notesMistakes: false) {
                try ShopProgram.run(
                    terminal, options, demo: empty ? nil : DemoStore(options),
                    tour: tour ? Tour() : nil)
            }
        } catch {
            terminal.close()
            throw error
        }
    }
}

extension GlobalOptions {
    /// The same options for a store in a temporary folder, which is removed when the process ends.
    /// Until then other processes may use the store.
    ///
    /// - Parameter speed: unless `--bandwidth` names one; nil for the person's setting, else slow
    ///   enough for a person to watch.
    func throwaway(speed: NetworkSpeed? = nil) throws(StoreError) -> GlobalOptions {
        var copy = self
        copy.store = try EphemeralFolder.make() + "/store"
        copy.isThrowaway = true
        copy.ephemeral = false
        copy.bandwidth =
            bandwidth ?? speed.map { Bandwidth(speed: $0) } ?? PersonSettings.current.bandwidth
            ?? Bandwidth(speed: .secondsPerPackage(DemoStore.secondsPerPackage))
        return copy
    }
}
