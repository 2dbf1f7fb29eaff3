import ShopCore
import StoreModel

/// The shop's own words, in the person's language. What errors say is made elsewhere, in one place.
struct Words: Sendable {
    let isJapanese: Bool
    let glyphs: Glyphs
    let texts: LocalTexts
    let locale: String
    let now: Timestamp

    init(state: ShopState, glyphs: Glyphs, texts: LocalTexts) {
        locale = state.shop.locale
        // A terminal that shows only ASCII cannot show Japanese.
        isJapanese = state.shop.locale.hasPrefix("ja") && !glyphs.isASCII
        self.glyphs = glyphs
        self.texts = texts
        now = state.now
    }

    func say(_ english: String, _ japanese: String) -> String {
        isJapanese ? japanese : english
    }

    func day(_ instant: Timestamp) -> String {
        readable { texts.day(instant, now: now, locale: $0) }
    }

    /// A day and the time on it.
    func instantText(_ instant: Timestamp) -> String {
        "\(day(instant)), \(texts.time(instant))"
    }

    /// A stretch of time as a person says it: `3 h`, `12 d`.
    func roughly(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    func territory(_ countryCode: String, currency: String?) -> String {
        readable { texts.territory(countryCode, currency: currency, locale: $0) }
    }

    /// Money is never shown as question marks.
    func price(_ price: Price) -> String {
        glyphs.isASCII ? texts.asciiPrice(price) : texts.price(price)
    }

    /// In the person's language; in English where that could be shown in question marks only.
    private func readable(_ make: (String) -> String) -> String {
        let text = make(locale)
        guard glyphs.isASCII, text.unicodeScalars.contains(where: { $0.value >= 0x250 }) else {
            return text
        }
        return make("en_US")
    }

    /// "3.2 MB", in thousands as stores count.
    func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(count / 1_000) kB"
        case ..<1_000_000_000: Self.tenths(count, of: 1_000_000) + " MB"
        default: Self.tenths(count, of: 1_000_000_000) + " GB"
        }
    }

    private static func tenths(_ count: Int64, of unit: Int64) -> String {
        "\(count / unit).\(count % unit / (unit / 10))"
    }

    /// "0:07"
    func duration(seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999).rounded(.up))
        let tail = whole % 60 < 10 ? "0\(whole % 60)" : "\(whole % 60)"
        if whole < 3600 { return "\(whole / 60):\(tail)" }
        let minutes = whole / 60 % 60
        return "\(whole / 3600):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    // MARK: - Small words

    var buy: String { say("Buy", "購入") }
    var get: String { say("Get", "入手") }
    var cancel: String { say("Cancel", "キャンセル") }
    var help: String { say("help", "ヘルプ") }
    var opening: String { say("opening", "準備中") }
    var restoreButton: String { say("Restore purchases", "購入を復元") }
    var loading: String { say("Asking the store what is for sale", "商品を読み込んでいます") }
    var nothingForSale: String { say("Nothing is for sale here.", "販売中の商品はありません。") }
    var nothingFound: String { say("Nothing has that name.", "見つかりません。") }
    var onePlan: String { say("one plan at a time", "プランは一つずつ") }
    /// For an empty store: what to do first.
    var firstRunHints: [String] {
        isJapanese
            ? ["まだ購入はありません。Enter で開く、b で購入、? でヘルプ。", "Enter で開く、? でヘルプ。"]
            : [
                "Nothing bought yet. Enter opens a product, b buys it, ? helps.",
                "Enter opens, b buys, ? helps.",
            ]
    }
    var paymentsOff: String {
        say(
            "This account may not make payments. What it owns stays.", "このアカウントでは購入できません。")
    }

    func period(_ period: SubscriptionPeriod) -> String {
        let unit =
            switch period.unit {
            case .day: say("day", "日")
            case .week: say("week", "週")
            case .month: say("month", "月")
            case .year: say("year", "年")
            }
        if period.value == 1 { return isJapanese ? unit : "/\(unit)" }
        return isJapanese ? "\(period.value)\(unit)" : "/\(period.value) \(unit)s"
    }

    func shortPeriod(_ period: SubscriptionPeriod) -> String {
        if isJapanese { return self.period(period) }
        let unit =
            switch period.unit {
            case .day: "d"
            case .week: "w"
            case .month: "m"
            case .year: "y"
            }
        return period.value == 1 ? "/\(unit)" : "/\(period.value)\(unit)"
    }

    func balance(_ balance: Balance) -> String {
        balance.amount < 0
            ? say(
                "you owe \(balance.amount.magnitude)",
                "不足 \(balance.amount.magnitude)")
            : say("\(balance.amount) in your purse", "残高 \(balance.amount)")
    }

    func environment(_ environment: StoreEnvironment) -> String {
        environment.rawValue.uppercased()
    }

    /// That nothing is charged, and that `Production` is only what transactions are signed as.
    func moneyNote(_ environment: StoreEnvironment, isShort: Bool) -> String {
        guard environment == .production else {
            return say("\(environment), no money moves", "\(environment)(請求はありません)")
        }
        return isShort
            ? say("Production, simulated", "Production(模擬)")
            : say("Production, simulated: no money moves", "Production(模擬、請求はありません)")
    }
}
