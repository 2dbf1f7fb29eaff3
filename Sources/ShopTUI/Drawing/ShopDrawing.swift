package import ShopCore
package import Terminal

/// The shop as a frame: a pure function of state, size and what the terminal can show.
package struct ShopDrawing {
    package let frame: Frame
    /// What the next viewport should say of it.
    package let pageScrollMax: Int
    private let targets: [Canvas.Target]

    package init(
        _ state: ShopState, size: Size, capabilities: Capabilities, texts: LocalTexts
    ) {
        let glyphs = Glyphs(isASCII: capabilities.isASCII)
        var canvas = Canvas(
            frame: Frame(size: size), state: state, layout: Layout(size),
            words: Words(state: state, glyphs: glyphs, texts: texts),
            theme: Theme(level: capabilities.colors), glyphs: glyphs, texts: texts,
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
        let need = "\(Layout.smallest.columns)x\(Layout.smallest.rows)"
        let size = "\(layout.size.columns)x\(layout.size.rows)"
        let text = choose(
            [
                "The shop needs \(need), this is \(size); q quits",
                "needs \(need), is \(size); q quits",
                "needs \(need); q quits", need,
            ], columns: layout.size.columns)
        frame.put(
            measure.fit(text, columns: layout.size.columns), column: 0,
            row: (layout.size.rows - 1) / 2)
    }
}
