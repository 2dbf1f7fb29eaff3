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
            if state.opening != .open {
                parts.append((words.opening + glyphs.underWay, theme.quiet))
            } else if let territory {
                parts.append((territory, theme.quiet))
            }
        } else {
            parts.append((account, theme.quiet))
            if let territory { parts.append((territory, theme.quiet)) }
            parts.append(environment)
            if let faults { parts.append(faults) }
            if state.opening != .open {
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
            if state.opening == .open, state.areProductsKnown, state.standing.isEmpty,
                state.place != .console
            {
                let hint = choose(words.firstRunHints, columns: layout.columns - 1)
                put(hint, layout.isCompact ? 0 : 1, layout.newsRow, theme.quiet)
            }
            return
        }
        let left = layout.isCompact ? 0 : 1
        let time = layout.isCompact ? String(texts.time(news.at).prefix(5)) : texts.time(news.at)
        let start = left + columns(time) + (layout.isCompact ? 1 : 2)
        let text = words.news(news.what)
        var lines = measure.wrap(text, columns: layout.columns - start)
        if lines.count > 2 {
            // Two rows are all there is; the end is told to be missing.
            let rest = measure.measure(text).dropFirst(lines[0].glyphs.count)
            lines = [lines[0], measure.fit(rest, columns: layout.columns - start)]
        }
        let first = layout.newsRow - lines.count + 1
        frame.clear(
            Area(column: 0, row: first, columns: layout.columns, rows: lines.count))
        put(time, left, first, theme.quiet)
        for (offset, line) in lines.enumerated() {
            frame.put(line, column: start, row: first + offset, style: newsStyle(news.what))
        }
    }

    private func newsStyle(_ what: News.What) -> Style {
        switch what {
        case .failed, .restoreFailed, .downloadFailed, .trouble, .unverified, .catalogRefused:
            theme.bad
        default: .plain
        }
    }
}
