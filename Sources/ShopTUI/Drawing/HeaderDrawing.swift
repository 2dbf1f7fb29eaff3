import ShopCore
import StoreModel
import Terminal

extension Canvas {
    /// Whose shop it is, and what must never be overlooked: the environment, and faults in force.
    mutating func drawHeader() {
        let row = layout.headerRow
        let name = state.place == .console ? words.say("Console", "コンソール") : state.shop.appName
        var end = layout.columns
        let gap = layout.isCompact ? 1 : 3
        let nameColumns = min(columns(name), layout.isCompact ? 16 : 30)
        let start = 1 + nameColumns + 2
        for part in headerParts {
            // From the right; what has no room is left out, the most important stands first in line.
            let width = columns(part.text)
            guard end - width >= start else { continue }
            putRight(part.text, before: end, row, part.style)
            end -= width + gap
        }
        put(name, layout.isCompact ? 0 : 1, row, theme.strong, before: end)
    }

    /// The most important first: it gets its room before the others. Drawn from the right.
    private var headerParts: [(text: String, style: Style)] {
        var parts: [(String, Style)] = []
        let account = "\(state.shop.account) \(glyphs.dot) \(state.shop.device)"
        let territory = state.settings.map { settings in
            texts.territory(
                settings.territory, currency: state.shelf.products.first?.price.currency,
                locale: state.shop.locale)
        }
        let environment = (words.environment(state.shop.environment), theme.strong)
        let faults = faultText.map { ($0, theme.fault) }
        let isNarrow = layout.size.columns < 64
        if isNarrow {
            if let faults { parts.append(faults) }
            parts.append(environment)
            if state.opening == .opening {
                parts.append((words.opening + glyphs.underWay, theme.quiet))
            } else if let territory {
                parts.append((territory, theme.quiet))
            }
        } else {
            parts.append((account, theme.quiet))
            if let territory { parts.append((territory, theme.quiet)) }
            parts.append(environment)
            if let faults { parts.append(faults) }
            if state.opening == .opening {
                parts.append((words.opening + glyphs.underWay, theme.quiet))
            }
            if !state.holdsLease {
                parts.append((words.say("another shop delivers", "別のショップが配信中"), theme.quiet))
            }
        }
        return parts
    }

    private var faultText: String? {
        let count = state.faults.reduce(0) { $0 + $1.remaining }
        guard count > 0 else { return nil }
        return words.say(" \(count) \(count == 1 ? "fault" : "faults") ", " 障害設定 \(count) ")
    }

    mutating func drawNews() {
        guard let news = state.news else {
            if state.opening == .open, state.areProductsKnown, state.standing.isEmpty {
                put(
                    words.say(
                        "Nothing bought yet. Enter opens a product, b buys it, ? helps.",
                        "まだ購入はありません。Enter で開く、b で購入、? でヘルプ。"),
                    layout.isCompact ? 0 : 1, layout.newsRow, theme.quiet)
            }
            return
        }
        var at = layout.isCompact ? 0 : 1
        let time = texts.time(news.at)
        at = put(layout.isCompact ? String(time.prefix(5)) : time, at, layout.newsRow, theme.quiet)
        at += layout.isCompact ? 1 : 2
        put(words.news(news.what), at, layout.newsRow, newsStyle(news.what))
    }

    private func newsStyle(_ what: News.What) -> Style {
        switch what {
        case .failed, .restoreFailed, .downloadFailed, .trouble, .unverified, .catalogRefused:
            theme.bad
        default: .plain
        }
    }
}
