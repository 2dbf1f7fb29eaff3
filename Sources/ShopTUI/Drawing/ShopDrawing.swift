package import ShopCore
package import ShopText
package import Terminal

/// The shop drawn as a frame: a pure function of state, size, capabilities and formatters.
package struct ShopDrawing {
    package let frame: Frame
    /// How far the drawn page can be scrolled, in rows, for `Viewport.pageScrollMax`.
    package let pageScrollMax: Int
    private let targets: [Canvas.Target]

    /// Draws the state. The frame has exactly `size`; if that is smaller than `Layout.smallest`, it
    /// says only that the window is too small.
    package init(
        _ state: ShopState, size: Size, capabilities: Capabilities,
        formatters: LocalizedFormatters
    ) {
        let strings = Strings(
            locale: state.shop.locale, language: state.shop.language,
            isASCII: capabilities.isASCII, formatters: formatters)
        let glyphs = Glyphs(isASCII: capabilities.isASCII)
        let theme = Theme(capabilities)
        var canvas = Canvas(
            frame: Frame(size: size, page: theme.page), state: state, layout: Layout(size),
            wording: Wording(strings: strings, glyphs: glyphs, now: state.now),
            theme: theme, glyphs: glyphs, strings: strings,
            measure: capabilities.measure)
        if canvas.layout.isTooSmall { canvas.drawTooSmall() } else { canvas.draw() }
        frame = canvas.frame
        pageScrollMax = canvas.pageScrollMax
        targets = canvas.targets
    }

    /// The action of a click at a position; nil where a click does nothing.
    package func action(at position: Position) -> ShopAction? {
        targets.last { $0.area.contains(position) }?.action
    }
}

extension Canvas {
    fileprivate mutating func draw() {
        drawHeader()
        if state.helpScroll != nil {
            drawHelp()
        } else {
            switch state.screen {
            case .console: drawConsole()
            case .product where !layout.hasPageBeside: drawPage()
            case .list where !layout.hasPageBeside: drawList()
            case .list, .product:
                drawList()
                drawDivider()
                drawPage()
            }
            drawStatusMessage()
            if let sheet = state.sheet {
                targets = []
                drawSheet(sheet)
            }
        }
        drawFooter()
    }

    private mutating func drawDivider() {
        guard let divider = layout.divider else { return }
        for row in layout.body.row..<(layout.body.row + layout.body.rows) {
            put(glyphs.divider, divider, row, theme.quiet)
        }
    }

    /// Draws one line that says that the window is too small, as long as fits.
    fileprivate mutating func drawTooSmall() {
        guard layout.size.rows > 0 else { return }
        let needed = "\(Layout.smallest.columns)\(glyphs.times)\(Layout.smallest.rows)"
        let size = "\(layout.size.columns)\(glyphs.times)\(layout.size.rows)"
        let text = choose(
            [
                wording[.tooSmall(size: size, needed: needed)],
                wording[.tooSmallShort(size: size, needed: needed)],
                wording[.needs(needed)], needed,
            ], columns: layout.size.columns)
        frame.put(
            measure.fit(text, columns: layout.size.columns), column: 0,
            row: (layout.size.rows - 1) / 2)
    }
}
