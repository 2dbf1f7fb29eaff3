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
    case network, metered, receipt, refresh
    case choosePackage = "package"
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
    case renewals
    case resend
    case sendTest = "send-test"
    case setAddress = "set-address"
    case reset
    case tourBack = "tour-back"
    case tourNext = "tour-next"
    case tourAgain = "tour-again"
    case tourEnd = "tour-end"

    package var usual: [String] { Self.usual[self] ?? [] }

    private static let usual: [KeyName: [String]] = [
        .help: ["?", "f1"], .actions: [":", "ctrl-p"], .quit: ["q"], .back: ["backspace"],
        .shop: ["1"], .library: ["2"], .history: ["3"], .console: ["4"], .toggleConsole: ["o"],
        .up: ["up", "k"], .down: ["down", "j"], .left: ["left", "h"], .right: ["right", "l"],
        .pageUp: ["pgup", "ctrl-b", "ctrl-u"], .pageDown: ["pgdn", "ctrl-f", "ctrl-d"],
        .first: ["home", "g"], .last: ["end", "G"], .next: ["tab"], .previous: ["shift-tab"],
        .search: ["/"], .sort: ["S"], .zoom: ["+"], .allPanes: ["_"], .mouse: ["m"], .buy: ["b"],
        .restore: ["r"], .refresh: ["r"], .subscription: ["s"], .redeem: ["C"],
        .download: ["space"], .mark: ["space"], .cancelDownload: ["c"], .removeContent: ["del"],
        .continuePurchase: ["u"], .dropPurchase: ["U"], .signIn: ["I"], .network: ["N"],
        .previousMatch: ["N"], .metered: ["M"], .receipt: ["R"], .choosePackage: ["P"],
        .previousChapter: ["["], .nextChapter: ["]"], .contentLanguage: ["L"], .copy: ["y"],
        .copySigned: ["v"], .kinds: ["e"], .nextMatch: ["n"], .claim: ["T"], .refund: ["$"],
        .renew: ["w"], .expire: ["E"], .deleteSale: ["D"], .approve: ["a"], .decline: ["d"],
        .removeFailure: ["x"], .clearFailures: ["X"], .failNext: ["f"], .downloadFailures: ["F"],
        .askToBuy: ["t"], .payments: ["p"], .bank: ["A"], .interruptions: ["i"],
        .paymentSheets: ["W"], .clock: ["."], .slowNetwork: ["z"], .renewals: ["B"],
        .resend: ["r"], .sendTest: ["t"], .setAddress: ["a"], .reset: ["ctrl-r"], .tourBack: ["<"],
        .tourNext: [">"], .tourAgain: ["0"],
        .tourEnd: ["ctrl-x"],
    ]
}

extension KeyName {
    /// The word that does the same in the shop in lines; nil for a key that no advice names.
    var word: KeyText? {
        switch self {
        case .shop: .keyShop
        case .library: .keyLibrary
        case .history: .keyHistory
        case .console: .keyConsole
        case .restore: .keyRestore
        case .refresh: .keyRefresh
        case .subscription: .keySubscription
        case .download: .keyDownload
        case .continuePurchase: .keyContinue
        case .dropPurchase: .keyDropPromoted
        case .signIn: .keySignIn
        case .network: .keyNetwork(turnsOn: true)
        default: nil
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
        guard let first = words.first else { return "" }
        guard words.count > 1, words[1].count == 1 else { return Self.label(first) }
        return "\(Self.label(first)) \(words[1])"
    }

    /// Whether the shop in lines reads the label: a letter or a sign. A digit chooses a line there.
    package static func isTyped(_ label: String) -> Bool {
        label == "+ -" || label.count == 1 && label.first?.isNumber == false
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
