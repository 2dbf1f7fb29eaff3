package import ShopText
package import StoreModel

/// The list of every action that is possible on the present screen, with the operator's actions for
/// the selection. No line pays: buying opens the payment sheet.
package struct Palette: Hashable, Sendable {
    package var list = EntryList()
    /// The group whose lines are listed; nil for those of no group, and a line for each group.
    package internal(set) var group: PaletteGroup?
    /// The product selected at the opening. The palette closes when another product is selected.
    package let product: ProductID?
    /// As of the opening, so that no line changes while the operator reads it.
    package let actions: [OperatorAction]
    /// As of the opening.
    package let gaps: [OperatorGap]
    /// None for a customer.
    package let faults: [DownloadFaultOffer]
    /// As of the opening; nil if the selection has no content to download.
    package let faultedPackage: FaultedPackage?
    /// The subject of `actions`; nil if nothing was selected.
    package let subject: OperatorSubject?
    /// As of the opening.
    package let choices: [PaletteChoice]
    /// The approval requests that `actions` answer.
    package let requests: [ApprovalRequest]
    /// Why the store would refuse some of `actions`; empty until the store has answered.
    package internal(set) var refusals: [OperatorAction: StoreError] = [:]
    /// The line that asks for a confirmation; nil while none does.
    package internal(set) var asking: Entry.ID?

    /// The line that opens the group is chosen.
    mutating func closeGroup() {
        guard let group else { return }
        list = EntryList(filter: "", chosen: .group(group))
        self.group = nil
    }
}

/// The actions of the palette.
package enum PaletteAction: ComponentAction, Hashable {
    case opened
    case typed(String)
    /// Backspace: the last character of the filter.
    case erased
    case pointed(Entry.ID)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if self == .opened { return shop.openPalette() }
        guard shop.focus == .palette, case .palette(var palette) = shop.sheet else { return [] }
        switch self {
        case .opened: return []
        case .typed(let text): palette.list.type(text)
        case .erased: palette.list.erase()
        case .pointed(let id):
            guard moment.viewport.entries.contains(where: { $0.id == id }) else { return [] }
            // A click on the chosen line acts as Enter.
            guard palette.list.choose(id, moment.viewport) else {
                return Palette.confirm(in: &shop, moment)
            }
        }
        palette.asking = nil
        shop.sheet = .palette(palette)
        return []
    }
}

extension ShopAction {
    package static func palette(_ action: PaletteAction) -> ShopAction { .component(action) }
}

extension Palette: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard case .palette(var palette) = shop.sheet else { return [] }
        palette.list.move(movement, moment.viewport)
        palette.asking = nil
        shop.sheet = .palette(palette)
        return []
    }

    /// Carries out the chosen line, announces why it is refused, or asks for a confirmation.
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .palette(var palette) = shop.sheet,
            let entry = palette.list.chosenEntry(in: moment.viewport.entries)
        else { return [] }
        if let reason = shop.refusal(of: entry) {
            return shop.announce(reason.message, moment)
        }
        if entry.needsConfirmation, palette.asking != entry.id {
            palette.asking = entry.id
            shop.sheet = .palette(palette)
            return []
        }
        if case .group(let group) = entry.id {
            palette.group = group
            palette.list = EntryList()
            shop.sheet = .palette(palette)
            return []
        }
        shop.sheet = nil
        switch entry.id {
        case .perform(let action): return [.perform(action)]
        case .choice(let choice): return shop.choose(choice, moment)
        case .fault(let offer):
            let faults = shop.setFault(offer, in: palette.faultedPackage)
            return shop.announce(.downloadFaults(faults), moment) + [.setDownloadFaults(faults)]
        case .missing, .group, .inPalette, .failure: return []
        case .key, .everywhere: return entry.action.map { shop.follow($0, moment) } ?? []
        }
    }

    /// Cancels the confirmation; without one, closes the open group; without one, the palette.
    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .palette(var palette) = shop.sheet else { return [] }
        let isInside = palette.asking != nil || palette.group != nil
        if palette.asking == nil { palette.closeGroup() }
        palette.asking = nil
        shop.sheet = isInside ? .palette(palette) : nil
        return []
    }
}

extension ShopState {
    /// Asks the store which of the operator's actions it would refuse.
    mutating func openPalette(
        in group: PaletteGroup? = nil, list: EntryList = EntryList()
    ) -> [ShopEffect] {
        guard focus == screen.component || focus == .console else { return [] }
        let actions = operatorOffers()
        sheet = .palette(
            Palette(
                list: list, group: group, product: paletteProduct, actions: actions,
                gaps: operatorGaps(), faults: downloadFaultOffers, faultedPackage: packageToFault,
                subject: operatorSubject, choices: paletteChoices, requests: console.requests))
        let doubtful = actions.filter(\.mayBeRefused)
        guard opening == .open, !doubtful.isEmpty else { return [] }
        return queries.ask(.findRefusals(doubtful))
    }

    /// Keeps the store's refusals if the open palette has asked for them.
    mutating func showRefusals(
        _ refusals: [OperatorAction: StoreError], asked: [OperatorAction]
    ) -> [ShopEffect] {
        if case .palette(var palette) = sheet, palette.actions.filter(\.mayBeRefused) == asked {
            palette.refusals = refusals
            sheet = .palette(palette)
        }
        return queries.ended(.findRefusals(asked))
    }

    /// Its lines name the effect on the product selected at its opening.
    mutating func closePaletteOfAnotherProduct() {
        guard case .palette(let palette) = sheet, palette.product != paletteProduct else {
            return
        }
        sheet = nil
    }
}
