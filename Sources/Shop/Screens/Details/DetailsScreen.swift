import ShopText
import StoreModel

/// The part of the details of a transaction.
package struct DetailsPart: Hashable, Sendable {
    /// Of the transaction whose details were opened last; nil until they have been read.
    package var signed: SignedDetails?
    /// In rows.
    package var scroll = 0
    /// The transaction whose signed text is copied when it arrives; nil if none is.
    var copies: TransactionID?
}

/// All facts about the selected line of the history or the console.
package enum DetailsScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.details.scroll = shop.viewport.scrolled(from: shop.details.scroll, by: movement)
        return []
    }

    /// Shows the details of the line above or below.
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        let effects =
            shop.navigation.view == .console
            ? shop.moveInConsole(step > 0 ? .down : .up)
            : shop.moveInLog(step > 0 ? .down : .up)
        shop.details.scroll = 0
        return effects + shop.readDetails(copies: false, moment)
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        goBack(in: &shop, moment)
    }
}

extension ShopState {
    /// The selected line, note, request, fault or due item; nil if nothing is selected.
    package var selectedItem: ConsolePart.Item? {
        if isConsoleInFocus { return consoleItem }
        return navigation.view == .history ? history.selectedLine.map { .line($0) } : nil
    }

    /// The transaction of the selection, whose signed text can be read.
    var selectedTransaction: TransactionID? {
        guard case .line(let line)? = selectedItem else { return nil }
        return line.transaction
    }

    /// The identifier of the selection, for copying; on a product's page the product's identifier.
    var selectedIdentifier: String? {
        switch selectedItem {
        case .line(let line): line.identifier
        case .note(let note): note.identifier
        case .request(let request): request.number.description
        case .refund(let refund): refund.transactionID.description
        case .fault(let fault): fault.error.rawValue
        case .upcoming(let item): item.chain.description
        case nil: if case .product(let id) = screen { id.rawValue } else { nil }
        }
    }

    mutating func openDetails(_ moment: ShopMoment) -> [ShopEffect] {
        guard selectedItem != nil else { return [] }
        let effects = navigation.view.isBesidePage ? show(.console, moment) : []
        navigation.open(.details)
        details.scroll = 0
        return effects + readDetails(copies: false, moment)
    }

    /// In its newest state; `copies` tells whether the text is copied when it arrives.
    mutating func readDetails(copies: Bool, _ moment: ShopMoment) -> [ShopEffect] {
        guard let id = selectedTransaction else {
            return copies ? refuse(.nothingToCopy, moment) : []
        }
        guard opening == .open else { return refuse(.stillOpening, moment) }
        if copies { details.copies = id }
        let scope: LogQuery.Scope = isConsoleInFocus ? .store : .account
        let query = ShopEffect.readTransaction(id, scope)
        return queries.isUnderWay(query) ? [] : queries.ask(query)
    }

    mutating func takeDetails(
        _ arrived: SignedDetails, _ scope: LogQuery.Scope, _ moment: ShopMoment
    ) -> [ShopEffect] {
        if arrived.id == selectedTransaction { details.signed = arrived }
        let ended = queries.ended(.readTransaction(arrived.id, scope))
        guard details.copies == arrived.id else { return ended }
        details.copies = nil
        return copy(.signedText(arrived.id, arrived.signed), moment) + ended
    }

    mutating func failDetails(
        _ id: TransactionID, _ scope: LogQuery.Scope, _ error: StoreError, _ moment: ShopMoment
    ) -> [ShopEffect] {
        if details.copies == id { details.copies = nil }
        return queryFailed(.readTransaction(id, scope), error, moment)
    }
}
