/// A part of the shop that can have the focus: a screen, a sheet, a search or filter, or the help.
/// This file is the one list of them, and the only file without cells that names a drawing: a
/// component's folder has its state, its actions and the effects of its keys (`ShopComponent`), and,
/// in files of their own, its layout, drawing and key bindings (`ComponentView`).
package enum Component: Int, Hashable, Sendable, CaseIterable {
    case list, page, library, subscription, reader, receipt, history, console, details, trials,
        server, paymentSheet, failureSheet, chapterSheet
    case questionSheet, redeemSheet, palette, search, logFilter, addressLine, help

    /// The type that handles the component's keys, and draws it.
    var type: any ComponentView.Type {
        switch self {
        case .list: ListScreen.self
        case .page: PageScreen.self
        case .library: LibraryScreen.self
        case .subscription: SubscriptionScreen.self
        case .reader: ReaderScreen.self
        case .receipt: ReceiptScreen.self
        case .history: HistoryScreen.self
        case .console: ConsoleScreen.self
        case .details: DetailsScreen.self
        case .trials: TrialsScreen.self
        case .server: ServerScreen.self
        case .paymentSheet: PaymentSheet.self
        case .failureSheet: FailureSheet.self
        case .chapterSheet: ChapterSheet.self
        case .questionSheet: QuestionSheet.self
        case .redeemSheet: RedeemSheet.self
        case .palette: Palette.self
        case .search: SearchLine.self
        case .logFilter: LogFilterLine.self
        case .addressLine: AddressLine.self
        case .help: Help.self
        }
    }
}
