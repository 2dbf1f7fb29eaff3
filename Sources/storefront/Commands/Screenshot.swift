import ArgumentParser
import CursesTerminal
import Foundation
import ShopText
import Shop
import StoreDevice
import StoreModel
import Terminal

struct Screenshot: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "screenshot",
        abstract: "Print a frame of the shop, without a terminal.",
        discussion: """
            Opens the shop, presses the keys, waits until the store has answered, and prints what \
            the screen would show. Keys act as they do in the shop: they buy.

            With --demo the store is a throwaway one with a product in every state, as that of \
            `storefront demo`, and its network stands still: downloads are where they are, also \
            those of the keys, unless --bandwidth says otherwise. With --clock as well, the same \
            command prints the same bytes every time: transactions, times and bars. Times are in \
            UTC then, unless $TZ is set.

            EXAMPLES
              storefront screenshot
              storefront screenshot --size 40x12 --locale ja_JP --territory JP
              storefront screenshot --keys "o" --format svg --theme light > console.svg
              storefront screenshot --keys "down,enter,enter,right"
              storefront screenshot --demo --clock 2027-01-31T09:00:00Z > list.txt
              storefront screenshot --demo --clock 2027-01-31 --keys o > console.txt
              storefront screenshot --ephemeral --clock 2027-01-31

            KEYS
              letters, and: up down left right enter esc tab btab space home end pgup pgdn \
            backspace del f1 ctrl-r, separated by commas
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, ansi, svg }

    @Option(help: ArgumentHelp("Columns and rows.", valueName: "80x24"))
    var size = FrameSize(size: Size(columns: 80, rows: 24))

    @Option(help: "Plain text, text with escape sequences, or a picture.")
    var format: Format = .text

    @Option(
        help: ArgumentHelp("Keys to press first.", valueName: "keys"),
        transform: { try KeyList($0) })
    var keys = KeyList(keys: [])

    @Option(
        help: ArgumentHelp(
            "How many colours (else truecolor for svg and 256 for ansi).",
            valueName: "level"))
    var colors: ColorChoice?

    @Option(
        help: ArgumentHelp("The theme; auto is dark (else your settings').", valueName: "theme"))
    var theme: ThemeChoice?

    @Flag(help: "Only ASCII: --glyphs ascii.")
    var ascii = false

    @Option(help: ArgumentHelp("auto or ascii (else your settings').", valueName: "glyphs"))
    var glyphs: GlyphChoice?

    @Flag(help: "Of a throwaway store with one product in every state.")
    var demo = false

    @OptionGroup var audience: AudienceOptions

    @OptionGroup var given: ShopOptions

    func validate() throws {
        if !demo { try options.checkStoreAndClock() }
        guard !demo || (options.store == nil && !options.ephemeral) else {
            throw ValidationError(
                "The demo makes a store of its own: leave out --store and --ephemeral.")
        }
    }

    func run() async throws {
        try await reporting(options) {
            TextColumns.prepare()
            let settings = PersonSettings.current
            let isASCII =
                settings.isASCII(glyphs, ascii: ascii) || ProcessLocale.asksForASCII
            let capabilities = Capabilities(
                colors: level, measure: .ofTerminal(isASCII: isASCII),
                themeName: settings.theme(theme))
            var options = audience.applied(
                to: demo ? try options.throwaway(speed: .stopsAt(percent: 0)) : options)
            // Only the demo's own store is filled in the territory; any other is looked at.
            options.movesAccount = demo
            options.own = settings.choices(options, theme: theme)
            let driver = ShopDriver(options, size: size.size, capabilities: capabilities)
            try await driver.open(demo: demo ? DemoStore(options) : nil)
            for key in keys.keys { try await driver.press(key) }
            let drawing = driver.drawing
            let frame = drawing.frame
            let printer = FramePrinter(frame: frame, theme: drawing.theme)
            switch format {
            case .text: Output.line(frame.text)
            case .ansi: Output.line(printer.ansi())
            case .svg: Output.line(printer.svg())
            }
            await driver.close()
        }
    }

    private var level: ColorLevel {
        switch format {
        case .text, .ansi: colors?.level ?? .rich
        case .svg: colors?.level ?? .trueColor
        }
    }
}

/// The size of the picture in cells, such as "80x24".
struct FrameSize: ExpressibleByArgument {
    var size: Size

    init(size: Size) { self.size = size }

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
            (1...500).contains(columns), (1...200).contains(rows)
        else { return nil }
        size = Size(columns: columns, rows: rows)
    }

    var defaultValueDescription: String { "\(size.columns)x\(size.rows)" }
}

/// Keys to press, separated by commas, such as "down,enter,b".
struct KeyList {
    var keys: [Key]

    init(keys: [Key]) { self.keys = keys }

    /// - Throws: `ValidationError` that names the first word that is no key.
    init(_ argument: String) throws {
        keys = []
        for word in argument.split(separator: ",").map(String.init) {
            guard let key = Key(word: word.count == 1 ? word : word.lowercased()) else {
                throw UnknownWord.error("key", word, among: Key.words.map(\.word))
            }
            keys.append(key)
        }
    }

}
