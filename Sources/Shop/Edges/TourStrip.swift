import ShopText
package import Terminal

extension ShopDrawing {
    private static let tourRows = 2

    /// All rows but the tour's two; a terminal too small for both shows the shop without the strip.
    package static func shopSize(on terminal: Size, besideTour hasTour: Bool) -> Size {
        let size = Size(columns: terminal.columns, rows: terminal.rows - tourRows)
        return hasTour && !Layout(size).isTooSmall ? size : terminal
    }
}

extension Canvas {
    /// In the two rows below the shop. Where not all fits, the explanation is left out.
    mutating func drawTour(_ tour: Tour) {
        let row = layout.size.rows
        guard row + 1 < frame.size.rows, let step = tour.step else { return }
        let left = layout.margin
        let number = strings[.tourStep(step.rawValue + 1, of: TourStep.allCases.count)]
        let start = put(" \(number) ", left, row, theme.badge) + 1
        let story = strings.story(of: tour, in: state)
        let keys = step.keys(in: state, strings).map {
            glyphs.isASCII ? KeyLabels.ascii($0) : $0
        }
        .joined(separator: " ")
        let title = strings.title(
            of: step, product: tour.product.map { state.name(of: $0) },
            refundsAtConsole: state.refundsAtConsole)
        if start + columns(story) <= layout.columns {
            put(story, start, row)
            let at = put(keys, left + 1, row + 1, theme.accent)
            let end = put(title, at + 2, row + 1)
            let moves = strings[
                .tourMoves(back: strings.key(.tourBack), next: strings.key(.tourNext))]
            if end + 2 + columns(moves) <= layout.columns {
                putRight(moves, before: layout.columns, row + 1, theme.quiet, from: end + 2)
            }
        } else {
            put(keys, start, row, theme.accent)
            put(title, left, row + 1)
        }
    }
}

extension TourStep {
    /// - Parameter state: where the step cannot begin there, its first keys lead to where it can.
    func keys(in state: ShopState, _ strings: Strings) -> [String] {
        let (shop, console) = (strings.key(.shop), strings.key(.console))
        let own = state.own.keys
        let move =
            own.chosen[.up] == nil && own.chosen[.down] == nil
            ? "↑↓" : "\(own.label(.up)) \(own.label(.down))"
        let right = own.chosen[.right] == nil ? "→" : own.label(.right)
        return switch self {
        case .open:
            (state.navigation.view == .shop && state.navigation.isAtRoot ? [] : [shop, shop])
                + [move, "Enter"]
        case .buy: [strings.key(.buy)]
        case .pay: [right, "Enter"]
        case .console: [console]
        case .approve: [strings.key(.approve)]
        case .shop: [shop, shop]
        case .library: [strings.key(.library)]
        case .read:
            (state.selectedProduct.map { state.isReadable($0) } == true ? [] : [move])
                + ["Enter", "Enter"]
        case .closeBook: ["Esc"]
        case .refund:
            (state.refundsAtConsole ? [console, move] : [])
                // The word finds the refund in the palette.
                + [strings.key(.actions) + strings[.tourRefundWord], "Enter", "Enter"]
        case .leave: [strings.key(.quit)]
        }
    }
}

extension ShopState {
    /// Whether the tour's refund needs the console: nothing that was sold is selected, or the
    /// customer's screens offer no operator's action (`--presenter`).
    fileprivate var refundsAtConsole: Bool { shop.isPresenting || operatorSubject?.sale == nil }
}

extension Strings {
    /// What the present step shows, as far as it has happened; empty before the first step.
    func story(of tour: Tour, in state: ShopState) -> String {
        guard let step = tour.step else { return "" }
        let answer = tour.answer(in: state)
        return switch step {
        case .open: self[.tourStates]
        case .buy: self[.tourPage]
        case .pay: self[.tourSheet]
        case .console: self[.tourPaid]
        case .approve: self[.tourConsole]
        case .shop, .library:
            switch answer {
            case .nothingWaited: self[.tourNothingWaited]
            case .waiting: self[.tourWaiting]
            case .sold: self[step == .shop ? .tourApproved : .tourFollowed]
            case .notSold: self[step == .shop ? .tourNotSold : .tourNotFollowed]
            }
        case .read: self[.tourLibrary]
        case .closeBook: self[.tourReader]
        case .refund: self[.tourTakingBack]
        case .leave:
            self[
                TourStep.refund.isDone(in: state, buying: tour.product)
                    ? .tourRefunded : .tourKept]
        }
    }

    /// In a few words; `product` is the name of the one that the tour buys.
    func title(of step: TourStep, product: String?, refundsAtConsole: Bool) -> String {
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
        case .refund: self[refundsAtConsole ? .tourRefundAtConsoleKey : .tourRefundKey]
        case .leave: self[.tourLeaveKey]
        }
    }
}
