/// The name of a binding in a person's settings, and its usual keys as words (`Key.init(word:)`).
///
/// This is the one list of the keys that a person may choose. Enter, Esc and Ctrl-C, the digits of
/// numbers, and the keys while text is typed always act as they do.
package enum KeyName: String, Hashable, Sendable, CaseIterable {
    case help, actions, quit, back, shop, library, history, console
    case toggleConsole = "toggle-console"
    case up, down, left, right
    case pageUp = "page-up"
    case pageDown = "page-down"
    case first, last, next, previous, search, sort, zoom
    case allPanes = "all-panes"
    case mouse, buy, restore, subscription, redeem, download
    case cancelDownload = "cancel-download"
    case removeContent = "remove-content"
    case continuePurchase = "continue-purchase"
    case dropPurchase = "drop-purchase"
    case signIn = "sign-in"
    case network, metered, receipt, refresh, package
    case previousChapter = "previous-chapter"
    case nextChapter = "next-chapter"
    case contentLanguage = "content-language"
    case copy
    case copySigned = "copy-signed"
    case mark, kinds
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case claim, refund, renew, expire
    case deleteSale = "delete-sale"
    case approve, decline
    case removeFailure = "remove-failure"
    case clearFailures = "clear-failures"
    case failNext = "fail-next"
    case downloadFailures = "download-failures"
    case askToBuy = "ask-to-buy"
    case payments, bank, interruptions
    case paymentSheets = "payment-sheets"
    case clock
    case slowNetwork = "slow-network"
    case renewals, reset
    case tourBack = "tour-back"
    case tourNext = "tour-next"
    case tourAgain = "tour-again"
    case tourEnd = "tour-end"

    package var usual: [String] {
        switch self {
        case .help: ["?", "f1"]
        case .actions: [":", "ctrl-p"]
        case .quit: ["q"]
        case .back: ["backspace"]
        case .shop: ["1"]
        case .library: ["2"]
        case .history: ["3"]
        case .console: ["4"]
        case .toggleConsole: ["o"]
        case .up: ["up", "k"]
        case .down: ["down", "j"]
        case .left: ["left", "h"]
        case .right: ["right", "l"]
        case .pageUp: ["pgup", "ctrl-b", "ctrl-u"]
        case .pageDown: ["pgdn", "ctrl-f", "ctrl-d"]
        case .first: ["home", "g"]
        case .last: ["end", "G"]
        case .next: ["tab"]
        case .previous: ["shift-tab"]
        case .search: ["/"]
        case .sort: ["S"]
        case .zoom: ["+"]
        case .allPanes: ["_"]
        case .mouse: ["m"]
        case .buy: ["b"]
        case .restore, .refresh: ["r"]
        case .subscription: ["s"]
        case .redeem: ["C"]
        case .download, .mark: ["space"]
        case .cancelDownload: ["c"]
        case .removeContent: ["del"]
        case .continuePurchase: ["u"]
        case .dropPurchase: ["U"]
        case .signIn: ["I"]
        case .network, .previousMatch: ["N"]
        case .metered: ["M"]
        case .receipt: ["R"]
        case .package: ["P"]
        case .previousChapter: ["["]
        case .nextChapter: ["]"]
        case .contentLanguage: ["L"]
        case .copy: ["y"]
        case .copySigned: ["v"]
        case .kinds: ["e"]
        case .nextMatch: ["n"]
        case .claim: ["T"]
        case .refund: ["$"]
        case .renew: ["w"]
        case .expire: ["E"]
        case .deleteSale: ["D"]
        case .approve: ["a"]
        case .decline: ["d"]
        case .removeFailure: ["x"]
        case .clearFailures: ["X"]
        case .failNext: ["f"]
        case .downloadFailures: ["F"]
        case .askToBuy: ["t"]
        case .payments: ["p"]
        case .bank: ["A"]
        case .interruptions: ["i"]
        case .paymentSheets: ["W"]
        case .clock: ["."]
        case .slowNetwork: ["z"]
        case .renewals: ["B"]
        case .reset: ["ctrl-r"]
        case .tourBack: ["<"]
        case .tourNext: [">"]
        case .tourAgain: ["0"]
        case .tourEnd: ["ctrl-x"]
        }
    }
}

/// The keys that a person has chosen in place of the usual ones, as words.
package struct OwnKeys: Hashable, Sendable {
    package var chosen: [KeyName: [String]]

    package init(_ chosen: [KeyName: [String]] = [:]) { self.chosen = chosen }

    package subscript(name: KeyName) -> [String] { chosen[name] ?? name.usual }

    /// As footer, help and palette name the keys: the first, and the second if that is a character:
    /// "↑ k".
    package func label(_ name: KeyName) -> String {
        let words = self[name]
        let shown = words.prefix(1) + words.dropFirst().prefix(1).filter { $0.count == 1 }
        return shown.map(Self.label).joined(separator: " ")
    }

    /// Of the word of a key: "Ctrl-R", "PgUp", "b".
    package static func label(_ word: String) -> String {
        switch word {
        case _ where word.count == 1: word
        case "up": "↑"
        case "down": "↓"
        case "left": "←"
        case "right": "→"
        case "pgup": "PgUp"
        case "pgdn": "PgDn"
        case "btab": "Shift-Tab"
        case "comma": ","
        default:
            word.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined(separator: "-")
        }
    }
}
