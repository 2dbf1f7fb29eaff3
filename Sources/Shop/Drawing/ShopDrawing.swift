package import ShopText
import StoreModel
package import Terminal

/// The shop drawn as a frame: a pure function of state, size, capabilities and formatters.
package struct ShopDrawing {
    package let frame: Frame
    /// The theme of the frame: the theme that `Capabilities` names, otherwise the theme that the
    /// customer has chosen and owns, otherwise the theme for the terminal's background.
    package let theme: Theme
    /// Valid for the next action unless the state or the size changes before it.
    package let viewport: Viewport
    private let targets: [Canvas.Target]

    /// The frame has exactly `size`; if that is smaller than `Layout.smallest`, it says only that
    /// the window is too small.
    ///
    /// - Parameter tour: its strip is drawn below the shop if both fit (`shopSize`).
    package init(
        _ state: ShopState, tour: Tour? = nil, size: Size, capabilities: Capabilities,
        formatters: LocalizedFormatters
    ) {
        var canvas = Canvas(
            Frame(size: size, page: Theme(capabilities, chosen: state.theme).page), state,
            size: Self.shopSize(on: size, besideTour: tour != nil), capabilities: capabilities,
            formatters: formatters)
        if canvas.layout.isTooSmall { canvas.drawTooSmall() } else { canvas.draw() }
        if let tour { canvas.drawTour(tour) }
        frame = canvas.frame
        theme = canvas.theme
        viewport = canvas.viewport
        targets = canvas.targets
    }

    /// An input of the next action (`ShopMoment.viewport`). Beside a tour, the size is `shopSize`.
    package static func viewport(
        _ state: ShopState, size: Size, capabilities: Capabilities,
        formatters: LocalizedFormatters
    ) -> Viewport {
        let canvas = Canvas(
            Frame(size: Size(columns: 0, rows: 0)), state, size: size, capabilities: capabilities,
            formatters: formatters)
        return canvas.viewport
    }

    /// Nil where a click does nothing.
    package func action(at position: Position) -> ShopAction? {
        targets.last { $0.area.contains(position) }?.action
    }
}

extension Canvas {
    /// Before or after the canvas is drawn on.
    var viewport: Viewport {
        let component = state.focus.type
        let scrolling = component.scrolling(on: self)
        return Viewport(
            listRows: ListScreen.listRows(self), rows: scrolling.rows, scroll: scrolling.scroll,
            scrollMax: scrolling.scrollMax, panes: layout.panes, isCompact: layout.isCompact,
            entries: component.entries(on: self), text: scrolling.text,
            kindNames: state.isLogFiltered ? strings.kindNames : [:])
    }

    init(
        _ frame: Frame, _ state: ShopState, size: Size, capabilities: Capabilities,
        formatters: LocalizedFormatters, isLinear: Bool = false
    ) {
        var strings = Strings(
            locale: state.shop.locale, language: state.language,
            isASCII: capabilities.isASCII, formatters: formatters)
        strings.now = state.now
        strings.namesConsole = state.showsCodes
        strings.keys = state.own.keys
        strings.isLinear = isLinear
        strings.productName = { [list = state.productList] in list.product($0)?.displayName }
        let glyphs = Glyphs(isASCII: capabilities.isASCII)
        self.init(
            frame: frame,
            layout: Layout(
                size, hasConsole: state.shop.namesConsole, isZoomed: state.navigation.isZoomed,
                isLinear: isLinear),
            state: state,
            theme: Theme(capabilities, chosen: state.theme), glyphs: glyphs, strings: strings,
            measure: capabilities.measure)
        if layout.panes > 1 { layout.listColumns = listColumns }
        if case .palette(let palette) = state.sheet { allPaletteLines = allLines(of: palette) }
    }

    mutating func draw() {
        drawHeader()
        if state.help != nil {
            Help.draw(on: &self)
        } else {
            drawBody()
            drawMessage()
            if let sheet = state.sheet {
                // Only the sheet can be clicked while it is open.
                targets = []
                sheet.component.type.draw(on: &self)
            }
        }
        drawFooter()
    }

    /// Draws the screen, and beside the list or the library the further panes that fit.
    private mutating func drawBody() {
        guard state.navigation.view.isBesidePage, !state.screen.fillsBody,
            layout.panes > 1
        else {
            state.screen.component.type.draw(on: &self)
            return
        }
        state.navigation.view.root.component.type.draw(on: &self)
        if state.selectedProduct == nil {
            activityRows = ActivityView.rows(layout, left: layout.page.rows)
        }
        PageScreen.draw(on: &self)
        for divider in layout.dividers {
            for row in layout.body.row..<(layout.body.row + layout.body.rows) {
                put(glyphs.divider, divider, row, theme.quiet)
            }
        }
        if layout.panes > 2 { ConsoleScreen.draw(on: &self) }
        if layout.hasActivity { drawActivity() }
    }

    fileprivate mutating func drawTooSmall() {
        guard layout.size.rows > 0 else { return }
        let needed = "\(Layout.smallest.columns)\(glyphs.times)\(Layout.smallest.rows)"
        let size = "\(layout.size.columns)\(glyphs.times)\(layout.size.rows)"
        let text = choose(
            [
                strings[.tooSmall(size: size, needed: needed)],
                strings[.tooSmallShort(size: size, needed: needed)],
                strings[.needs(needed)], needed,
            ], columns: layout.size.columns)
        frame.put(
            measure.fit(text, columns: layout.size.columns), column: 0,
            row: (layout.size.rows - 1) / 2)
    }
}
