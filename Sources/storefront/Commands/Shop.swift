import ArgumentParser
import CursesTerminal
import StoreModel

struct Shop: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "Open the shop (the default).",
        discussion: """
            A screen for a terminal of at least 40x12. Enter opens and presses, b buys, r restores, \
            o is the operator's console, ? shows every key. Where standard output is no terminal, \
            the list of products is printed instead. With a product's identifier, its page is \
            opened; of an unknown one, the shop names the nearest.

            With --linear, and on a terminal without a screen (TERM=dumb), the shop has the same \
            powers in lines: it prints what the screen tells with numbers, and reads a line: a \
            number, a word, or ? for what can be typed. The lines may come from a pipe. If the \
            input ends before a purchase is confirmed, nothing is bought, and the exit code is 11.

            EXAMPLES
              storefront
              storefront shop lantern.book.lighthouse.1
              storefront --territory JP --locale ja_JP
              storefront --theme light
              storefront --ascii --colors mono
              storefront --linear
              storefront --ephemeral --clock 2027-01-31
            """)

    @Argument(help: ArgumentHelp("Open this product's page.", valueName: "id"))
    var product: String?

    @OptionGroup var screen: ScreenOptions

    @OptionGroup var audience: AudienceOptions

    @Flag(help: "After the shop is left, continue its downloads until they have ended.")
    var keepDownloading = false

    @OptionGroup var given: ShopOptions
    @OptionGroup var json: JSONPart

    func validate() throws { try options.checkStoreAndClock() }

    @MainActor func run() async throws {
        if !options.json, ShopProgram.isLinear(screen) {
            return try await reporting(options, notesMistakes: false) {
                try await ShopProgram.runInLines(
                    screen.applied(to: audience.applied(to: options)),
                    isASCII: screen.screen.isASCII ?? false,
                    page: product.map { ProductID($0) })
                try await continueDownloads()
            }
        }
        guard !options.json, let terminal = ShopProgram.openTerminal(screen.screen) else {
            return try await Products.list([product].compactMap(\.self), options)
        }
        try await reporting(options, notesMistakes: false) {
            try ShopProgram.run(
                terminal, screen.applied(to: audience.applied(to: options)),
                page: product.map { ProductID($0) })
            try await continueDownloads()
        }
    }

    @MainActor private func continueDownloads() async throws {
        // A store in memory ends with the process, so there is nothing to download for.
        guard keepDownloading, !options.ephemeral else { return }
        try await Downloads.run(in: options.open(), options)
    }
}
