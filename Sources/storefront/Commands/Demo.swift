import ArgumentParser
import CursesTerminal
import StoreDevice
import StoreModel

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the shop on a throwaway store.",
        discussion: """
            The store lives in a temporary folder and is gone when the shop is left. With --state \
            it is filled through the real engine: owned, downloading, paused, waiting for \
            approval, declined, owned on another device, subscribed. Its network is slow enough \
            to be watched: any package takes about 12 seconds, unless --bandwidth says otherwise.

            EXAMPLES
              storefront demo --state
              storefront demo --state --territory JP --locale ja_JP
              storefront screenshot --demo --size 120x40
            """)

    @OptionGroup var screen: ScreenOptions

    @Flag(help: "Fill the store with one product in every state.")
    var state = false

    @OptionGroup var options: GlobalOptions

    /// Made before the screen is up, so that trouble can be read.
    private func demoOptions() throws -> GlobalOptions {
        do { return try options.throwaway() } catch {
            Output.report(error, json: false)
            throw Exit.code(for: error)
        }
    }

    func validate() throws {
        guard options.store == nil, !options.ephemeral, !options.json else {
            throw ValidationError(
                "The demo makes a store of its own: leave out --store, --ephemeral and --json.")
        }
    }

    @MainActor func run() async throws {
        let options = try demoOptions()
        guard let terminal = ShopProgram.openTerminal(screen.screen) else {
            throw ValidationError(
                "The demo needs a terminal. For a picture of it: storefront screenshot --demo")
        }
        do {
            try await reporting(options) {
                try ShopProgram.run(
                    terminal, options, demo: state ? DemoStore(options) : nil)
            }
        } catch {
            terminal.close()
            throw error
        }
    }
}

extension GlobalOptions {
    /// The same on a store in a temporary folder that is gone at the end. Other processes may use it
    /// while it is there. Its network is slow enough to be watched, unless a speed was asked for.
    func throwaway() throws(StoreError) -> GlobalOptions {
        var copy = self
        copy.store = try EphemeralFolder.make() + "/store"
        copy.isThrowaway = true
        copy.ephemeral = false
        copy.bandwidth =
            bandwidth ?? Bandwidth(speed: .secondsPerPackage(DemoStore.secondsPerPackage))
        return copy
    }
}
