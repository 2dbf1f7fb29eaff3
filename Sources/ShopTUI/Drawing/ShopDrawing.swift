package import ShopCore
package import ShopText
package import Terminal

/// The shop as a frame: a pure function of state, size and what the terminal can show.
package struct ShopDrawing {
    package let frame: Frame
    /// What the next viewport should say of it.
    package let pageScrollMax: Int
    private let targets: [Canvas.Target]

    package init(
        _ state: ShopState, size: Size, capabilities: Capabilities,
        formatters: LocalizedFormatters
    ) {
        let strings = Strings(
            locale: state.shop.locale, language: state.shop.language,
            isASCII: capabilities.isASCII, formatters: formatters)
        let glyphs = Glyphs(isASCII: capabilities.isASCII)
        var canvas = Canvas(
            frame: Frame(size: size), state: state, layout: Layout(size),
            wording: Wording(strings: strings, glyphs: glyphs, now: state.now),
            theme: Theme(level: capabilities.colors), glyphs: glyphs, strings: strings,
            measure: capabilities.measure)
        if canvas.layout.isTooSmall { canvas.drawTooSmall() } else { canvas.draw() }
        frame = canvas.frame
        pageScrollMax = canvas.pageScrollMax
        targets = canvas.targets
    }

    /// What a click at a place means; nil where it means nothing.
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
                drawWall()
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

    private mutating func drawWall() {
        guard let wall = layout.wall else { return }
        for row in layout.body.row..<(layout.body.row + layout.body.rows) {
            put(glyphs.wall, wall, row, theme.quiet)
        }
    }

    /// One honest line, whatever fits of it.
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
