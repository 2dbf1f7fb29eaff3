import Foundation
import ShopText
import StoreModel
import Terminal

/// What the screen shows of the place with the focus, as lines: the open sheet, otherwise the help
/// or the screen. What can be clicked is a line with a number. It is read from the same drawing as
/// the screen's frame, so a new screen, button or text needs nothing here.
package struct LinearPage: Sendable {
    /// A line that is chosen by its number, from 1.
    package struct Choice: Sendable {
        /// Without the number.
        package fileprivate(set) var text: String
        /// What the line begins with, such as a product's name.
        let name: String
        let action: ShopAction
        /// Whether it is a row of a list, and the selected one.
        let isSelected: Bool

        /// What choosing the line does: a row is opened.
        package var actions: [ShopAction] {
            action.isPointing && !isSelected ? [action, .confirmed] : [action]
        }

        /// What makes a row the selected one.
        var selecting: [ShopAction] { isSelected ? [] : [action] }

        /// Whether the line has the same name and does the same.
        func isSame(as other: Choice) -> Bool {
            name == other.name && "\(action)" == "\(other.action)"
        }
    }

    /// Where the page is. The lines of another place are all told.
    struct PlaceKey: Hashable {
        var focus: Component
        var screen: Screen
        var group: PaletteGroup?
    }

    /// The app, the view, and what else the header says.
    package let heading: String
    package private(set) var lines: [String] = []
    package private(set) var choices: [Choice] = []
    let place: PlaceKey
    let state: ShopState
    let strings: Strings

    /// Wide enough for rows without a cut name. Longer lists have a mark that shows more.
    static let size = Size(columns: 240, rows: 60)

    init(_ state: ShopState, capabilities: Capabilities, formatters: LocalizedFormatters) {
        self.state = state
        var group: PaletteGroup?
        if case .palette(let palette) = state.sheet { group = palette.group }
        place = PlaceKey(focus: state.focus, screen: state.screen, group: group)
        // Messages are told as they come.
        var silent = state
        silent.forgetMessages()
        var canvas = Canvas(
            Frame(size: Self.size), silent, size: Self.size, capabilities: capabilities,
            formatters: formatters, isLinear: true)
        canvas.draw()
        heading = canvas.headerLine
        strings = canvas.strings
        var last: Int?
        for row in canvas.linearRows {
            for piece in canvas.pieces(of: row) {
                add(piece, continues: last == row - 1)
                if piece.target != nil { last = row }
            }
        }
    }

    /// - Parameter continues: whether the row above has a line with a number.
    private mutating func add(_ piece: Canvas.Piece, continues: Bool) {
        guard let first = piece.fields.first else { return }
        let rest = strings.list(Array(piece.fields.dropFirst()))
        guard let target = piece.target else {
            lines.append(rest.isEmpty ? first : strings[.about(name: first, text: rest)])
            return
        }
        let text = strings.list(piece.fields)
        // A text of several rows is one line.
        if continues, let last = choices.last, "\(last.action)" == "\(target)" {
            choices[choices.count - 1].text += " " + text
            lines[lines.count - 1] += " " + text
            return
        }
        choices.append(
            Choice(text: text, name: first, action: target, isSelected: piece.isSelected))
        lines.append("\(choices.count). \(text)")
    }
}

extension Canvas {
    /// A part of a row: what one click does, or the text beside it.
    struct Piece {
        /// The texts between gaps, without symbols: a text beside a symbol says the same.
        var fields: [String]
        var target: ShopAction?
        var isSelected = false
    }

    /// The rows of the place with the focus. Reader and help use the message's row, too.
    fileprivate var linearRows: Range<Int> {
        if state.help == nil, let sheet = state.sheet {
            let area = layout.sheet(rows: sheet.component.type.rows(sheet, on: self))
            return (area.row + 1)..<max(area.row + 1, area.row + area.rows)
        }
        let usesMessageRow = state.focus == .reader || state.help != nil
        return layout.body.row..<(layout.messageRow + (usesMessageRow ? 1 : 0))
    }

    /// From the left. A target inside a larger one is left out: it acts on the selection only.
    fileprivate func pieces(of row: Int) -> [Piece] {
        let all = targets.filter { $0.area.row == row && $0.area.columns > 0 }
        let outer = all.filter { one in
            !all.contains { $0.area.columns > one.area.columns && $0.area.covers(one.area) }
        }
        var pieces: [Piece] = []
        var at = 0
        for target in outer.sorted(by: { $0.area.column < $1.area.column }) {
            let start = max(at, target.area.column)
            let end = min(target.area.column + target.area.columns, frame.size.columns)
            guard start < end else { continue }
            pieces.append(Piece(fields: fields(at..<start, row)))
            let isSelected = frame[start, row].text == glyphs.marker
            pieces.append(
                Piece(
                    fields: fields((isSelected ? start + 1 : start)..<end, row),
                    target: target.action, isSelected: isSelected))
            at = end
        }
        pieces.append(Piece(fields: fields(at..<frame.size.columns, row)))
        return pieces.filter { !$0.fields.isEmpty }
    }

    private func fields(_ columns: Range<Int>, _ row: Int) -> [String] {
        columns.map { frame[$0, row].text }.joined().components(separatedBy: "  ")
            .map(withoutSigns).filter { !$0.isEmpty }
            .reduce(into: [String]()) { fields, text in
                // The period of a price is part of it.
                if text.hasPrefix("/"), let price = fields.last, price.contains(where: \.isNumber) {
                    fields[fields.count - 1] = price + " " + text
                } else {
                    fields.append(text)
                }
            }
    }

    /// Without the symbols around a text and its buttons; empty for a line that separates.
    private func withoutSigns(_ field: String) -> String {
        var text = field.trimmingCharacters(in: .whitespaces)
        if text.count > 3, text.allSatisfy({ String($0) == glyphs.rule }) { return "" }
        let signs = [glyphs.marker, glyphs.done, glyphs.underWay, glyphs.wrong, glyphs.less]
        for sign in signs + (glyphs.isASCII ? [] : [glyphs.up, glyphs.down])
        where text.hasPrefix(sign + " ") {
            text.removeFirst(sign.count + 1)
        }
        if text.hasSuffix(" " + glyphs.more) { text.removeLast(2) }
        // Also inside a text: a price that is a button, a choice of terms.
        let inside = ["[ ", " ]"] + (glyphs.isASCII ? [] : [glyphs.less + " ", " " + glyphs.more])
        for sign in inside { text = text.replacing(sign, with: "") }
        return text.trimmingCharacters(in: .whitespaces)
    }
}

extension Area {
    /// In a row of both.
    fileprivate func covers(_ other: Area) -> Bool {
        column <= other.column && other.column + other.columns <= column + columns
    }
}
