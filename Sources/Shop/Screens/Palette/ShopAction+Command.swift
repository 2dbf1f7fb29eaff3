import ShopText
import StoreModel

extension ShopAction {
    /// The name of the command that does the same, by which a person may look for the action in the
    /// palette; nil if there is none.
    var command: String? {
        switch self {
        case .buyChosen: "buy"
        case .restoreChosen: "restore"
        case .downloadToggled: "downloads"
        case .contentChosen(let operation): operation.command
        case .consoleToggled, .viewChosen(.console): "operator"
        case .viewChosen(.shop): "products"
        case .viewChosen(.library): "entitlements"
        case .viewChosen(.history): "history"
        case .component(let action): Self.command(of: action)
        default: nil
        }
    }

    /// Whether it acts on the selected product, sale or line.
    var isOfSelection: Bool {
        switch self {
        case .confirmed, .buyChosen, .downloadToggled, .contentChosen: true
        case .component(let action as ConsoleAction):
            switch action {
            case .requestApproved, .requestDeclined, .failureRemoved, .salesChosen: true
            default: false
            }
        case .component(let action as EventLogAction):
            [.identifierCopied, .signedTextCopied, .saleClaimed].contains(action)
        case .component(let action as PageAction): action != .packageChosen
        case .component(let action): action is SubscriptionAction || action is HeldPurchaseAction
        default: false
        }
    }

    /// Whether it selects what is clicked on; a click on what is selected acts as Enter.
    var isPointing: Bool {
        guard case .component(let action) = self else { return false }
        switch action {
        case ListAction.pointed, LibraryAction.pointed, EventLogAction.pointed,
            ConsoleAction.pointed, SubscriptionAction.pointed, PaletteAction.pointed,
            FailureSheetAction.pointed, HelpAction.pointed, ServerAction.pointed:
            return true
        default: return false
        }
    }

    /// Whether it selects a row of a list; of a trial, more is read before Enter. The choices of a
    /// subscription are above a text.
    var isSelecting: Bool {
        guard case .component(let action) = self else { return false }
        switch action {
        case TrialsAction.pointed: return true
        case SubscriptionAction.pointed: return false
        default: return isPointing
        }
    }

    private static func command(of action: any ComponentAction) -> String? {
        switch action {
        case is NetworkAction: "network"
        case is SubscriptionAction: "subscriptions"
        case is RedeemSheetAction: "redeem"
        case is ReceiptAction: "receipt"
        case is TrialsAction: "trials"
        case let action as ServerAction:
            if case .opened = action { "serve" } else { "notifications" }
        case is HeldPurchaseAction: "promoted"
        case is SignInAction: "sign-in"
        case is ResetAction: "reset"
        case let action as ConsoleAction: command(of: action)
        case let action as LibraryAction where action == .allUpdated: "update"
        case let action as PageAction where action == .chosen(.requestRefund): "request-refund"
        case let action as EventLogAction where action == .saleClaimed: "claim"
        default: nil
        }
    }

    private static func command(of action: ConsoleAction) -> String? {
        switch action {
        case .requestApproved: "approve"
        case .requestDeclined: "decline"
        // The others are found by the operator's lines.
        case .toggled(let mode): mode == .failures ? "fail-next" : nil
        case .failuresCleared: "failures"
        case .failureRemoved: "clear-failure"
        case .nextChosen, .clockMovedToNext: "clock"
        case .previousChosen: "network"
        case .salesChosen(let kind): kind.command
        case .pointed, .accountsArrived, .renewalsArrived, .refundsArrived, .packagesArrived: nil
        }
    }
}

extension ContentOperation {
    fileprivate var command: String {
        switch self {
        case .pauseDownloads: "pause"
        case .resumeDownloads, .consentToDownload: "resume"
        case .makeRoom: "space"
        case .cancelDownloads: "cancel"
        case .deleteContent: "remove"
        }
    }
}
