import StoreModel

extension English {
    static func text(_ text: KeyText) -> String {
        switch text {
        case .keySignIn: "sign in"
        case .keySignOut: "sign out"
        case .keyReason: "reason"
        case .keyContinue: "continue purchase"
        case .keyDropPromoted: "drop outside purchase"
        case .keySendHeld: "send held payment"
        case .keyDropHeld: "drop held payment"
        case .keyNetwork(let turnsOn): turnsOn ? "network on" : "network off"
        case .offerNetworkCut(let seconds): "network off for \(seconds) s"
        case .offerNetworkDelay(false): "slow the network, to watch what is loading"
        case .offerNetworkDelay(true): "stop slowing the network"
        case .offerNetworkCutNext: "cut the network when the store has recorded the next purchase"
        case .keySubscription: "subscription"
        case .helpSubscription: "A SUBSCRIPTION"
        case .keyRedeem: "redeem code"
        case .keyTerms: "terms"
        case .helpRedeem: "OFFER CODE"
        case .keyOperate(let kind): operate(kind)
        case .keyMark: "mark"
        case .keyUnmark: "unmark all"
        case .keySort: "sort by the next column"
        case .keyZoom: "zoom"
        case .keyUnzoom: "all panes"
        case .keyCancel: "cancel"
        case .keyOpen: "open"
        case .keyBuy: "buy"
        case .keyRestore: "restore"
        case .keyConsole: "console"
        case .keyShop: "shop"
        case .keyBack: "back"
        case .content(let operation): title(of: operation)
        case .keyDownload: "download"
        case .keyPackage: "package"
        case .keyUpdate: "update"
        case .keyUpdateAll: "update all content"
        case .setting(let setting, let isOn): title(of: setting, isOn: isOn)
        case .keyMove: "move"
        case .keyUp: "up"
        case .keyDown: "down"
        case .keyPageUp: "page up"
        case .keyPageDown: "page down"
        case .keyFirst: "first"
        case .keyLast: "last"
        case .keyPreviousButton: "previous button"
        case .keyNextButton: "next button"
        case .keySearch: "search"
        case .keyClearSearch: "clear search"
        case .keyKeepSearch: "keep"
        case .keyNext: "next product"
        case .keyPrevious: "previous product"
        case .keyActivate: "activate"
        case .keyChoose: "choose"
        case .keyQuantity: "quantity"
        case .keyTypeQuantity: "type the quantity"
        case .keyApprove: "approve"
        case .keyDecline: "decline"
        case .mode(let mode): Self.text(ConsoleText.mode(mode))
        case .keyFailNext: "fail the next"
        case .keyClearFailures: "clear failures"
        case .keyActions: "actions"
        case .keyDo: "do it"
        case .keyHowMany: "how many, 0 all"
        case .keyCall: "what fails"
        case .keyMouseOff: "mouse off: the terminal selects text"
        case .keyMouseOn: "mouse on: click and wheel"
        case .keySuspend: "suspend (fg returns)"
        case .keyQuit: "quit"
        case .keyHelp: "help"
        case .helpShop: "THE SHOP"
        case .helpPage: "A PRODUCT"
        case .helpSheet: "BEFORE YOU PAY"
        case .helpSearch: "SEARCHING"
        case .helpConsole: "CONSOLE"
        case .helpFailure: "FAIL A CALL ON PURPOSE"
        case .helpPalette: "ACTIONS"
        case .helpLibrary: "YOUR LIBRARY"
        case .helpReader: "READING"
        case .keyLibrary: "library"
        case .keyUse: "use"
        case .keyPreviousChapter: "previous chapter"
        case .keyNextChapter: "next chapter"
        case .keyNextTitle: "next title"
        case .keyContents: "contents"
        case .keyLanguage: "language"
        case .keyCopyPassage: "copy passage"
        case .helpChapters: "CONTENTS OF A BOOK"
        case .keyHistory: "history"
        case .keyFilter: "filter"
        case .keyKinds: "kinds"
        case .keyInspect: "details"
        case .keyCopyIdentifier: "copy id"
        case .keyCopySigned: "copy JWS"
        case .keyClaim: "claim"
        case .keyNeighbours: "next event"
        case .keyRemoveFailure: "remove failure"
        case .keyClockNext: "go to next"
        case .keyNextMatch: "next match"
        case .keyPreviousMatch: "previous match"
        case .keyReset(let isDemo): isDemo ? "reset the demo" : "empty the store"
        case .ofTour(let key): self.key(key)
        case .keyTrials: "trials"
        case .keyAreas: "areas"
        case .helpTrials: "TRIALS"
        case .keyServer: "server"
        case .ofServer(let key): self.key(key)
        case .helpServer: "SERVER"
        case .keyRead: "read"
        case .keyRequestRefund: "ask for a refund"
        case .keyReceipt: "receipt"
        case .keyRefresh: "refresh"
        case .helpReceipt: "RECEIPT"
        case .helpHistory: "HISTORY"
        case .helpDetails: "DETAILS"
        case .helpFilter: "FILTERING EVENTS"
        case .helpQuestion: "BEFORE YOU CONFIRM"
        case .helpEverywhere: "EVERYWHERE"
        }
    }

    private static func key(_ key: KeyText.TourKey) -> String {
        switch key {
        case .back: "previous step of the tour"
        case .next: "next step of the tour"
        case .again: "start the tour again"
        case .end: "end the tour"
        }
    }

    private static func key(_ key: KeyText.ServerKey) -> String {
        switch key {
        case .requests: "requests"
        case .notifications: "notifications"
        case .resend: "send again"
        case .sendTest: "send a test"
        case .setAddress: "set the address"
        }
    }

    private static func operate(_ kind: OperatorAction.Kind) -> String {
        switch kind {
        case .refund: "refund"
        case .renew: "renew now"
        case .expire: "end now"
        case .delete: "delete sale"
        default: text(KeyText.keyDo)
        }
    }

    static func sentence(_ text: KeyText) -> String {
        let title = self.text(text)
        return switch text {
        case .keyConsole, .keyShop, .keyLibrary, .keyHistory, .keyHelp, .keySubscription,
            .keyReceipt, .keyTrials, .keyServer, .ofServer(.requests), .ofServer(.notifications),
            .keyContents, .keyInspect:
            "Show the " + title
        case .keyNetwork, .offerNetworkCut, .keyMouseOn, .keyMouseOff:
            "Turn the " + title
        case .keyRestore: "Restore purchases"
        case .keyFilter: "Filter the events"
        case .keyFailNext: "Choose which calls fail next"
        case .keyClockNext: "Move the store's clock to what is due next"
        default: title.prefix(1).uppercased() + title.dropFirst()
        }
    }
}
