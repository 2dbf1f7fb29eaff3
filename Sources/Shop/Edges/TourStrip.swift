import ShopText
package import Terminal

extension ShopDrawing {
    private static let tourRows = 2

    /// The size of the shop on a terminal. With a tour, the shop has all rows but the two of the
    /// tour's strip; a terminal that is too small for both shows the shop without the strip.
    package static func shopSize(on terminal: Size, besideTour hasTour: Bool) -> Size {
        let size = Size(columns: terminal.columns, rows: terminal.rows - tourRows)
        return hasTour && !Layout(size).isTooSmall ? size : terminal
    }
}

extension Canvas {
    /// Draws the tour's strip in the two rows below the shop: the step's number, its explanation,
    /// and the keys to press next. Where not all fit, the explanation is left out.
    mutating func drawTour(_ tour: Tour) {
        let row = layout.size.rows
        guard row + 1 < frame.size.rows, let step = tour.step else { return }
        let left = layout.margin
        let number = strings[.tourStep(step.rawValue + 1, of: TourStep.allCases.count)]
        let start = put(" \(number) ", left, row, theme.chosenButton) + 1
        let story = strings.story(of: step)
        let isPresenting = state.shop.isPresenting
        let keys = step.keys(isPresenting: isPresenting).map {
            glyphs.isASCII ? KeyLabels.ascii($0) : $0
        }
        .joined(separator: " ")
        let title = strings.title(
            of: step, product: tour.product.map { state.name(of: $0) }, isPresenting: isPresenting)
        if start + columns(story) <= layout.columns {
            put(story, start, row)
            let at = put(keys, left + 1, row + 1, theme.accent)
            put(title, at + 2, row + 1)
        } else {
            put(keys, start, row, theme.accent)
            put(title, left, row + 1)
        }
    }
}

extension TourStep {
    /// The labels of the keys that carry out the step.
    ///
    /// - Parameter isPresenting: whether the customer's screens offer no operator's action
    ///   (`--presenter`), so that the step needs the keys of the console.
    func keys(isPresenting: Bool) -> [String] {
        switch self {
        case .open: ["↑↓", "Enter"]
        case .buy: ["b"]
        case .pay: ["→", "Enter"]
        case .console: ["4"]
        case .approve: ["a"]
        case .shop: ["1", "1"]
        case .library: ["2"]
        case .read: ["Enter", "Enter"]
        case .closeBook: ["Esc"]
        case .refund: (isPresenting ? ["4", "↑↓"] : []) + [":refund", "Enter", "Enter"]
        case .leave: ["q"]
        }
    }
}

extension Strings {
    /// The explanation of a step of the tour, in one sentence.
    func story(of step: TourStep) -> String {
        switch step {
        case .open: self[.tourStates]
        case .buy: self[.tourPage]
        case .pay: self[.tourSheet]
        case .console: self[.tourPaid]
        case .approve: self[.tourConsole]
        case .shop: self[.tourApproved]
        case .library: self[.tourFollowed]
        case .read: self[.tourLibrary]
        case .closeBook: self[.tourReader]
        case .refund: self[.tourTakingBack]
        case .leave: self[.tourRefunded]
        }
    }

    /// The effect of the step's keys, in a few words.
    ///
    /// - Parameters:
    ///   - product: the name of the product that the tour buys.
    ///   - isPresenting: as in `TourStep.keys`.
    func title(of step: TourStep, product: String?, isPresenting: Bool) -> String {
        switch step {
        case .open: self[.tourOpenKey(name: product ?? "")]
        case .buy: self[.tourBuyKey]
        case .pay: self[.tourPayKey]
        case .console: self[.tourConsoleKey]
        case .approve: self[.tourApproveKey]
        case .shop: self[.tourShopKey]
        case .library: self[.tourLibraryKey]
        case .read: self[.tourReadKey]
        case .closeBook: self[.tourCloseBookKey]
        case .refund: self[isPresenting ? .tourRefundAtConsoleKey : .tourRefundKey]
        case .leave: self[.tourLeaveKey]
        }
    }
}
