package import StoreModel

/// The effects of keys, for footer, help and palette, and the headings of the help.
package enum KeyText: Hashable, Sendable {
    case keySignIn, keySignOut, keyReason, keyContinue, keyDropPromoted
    case keyNetwork(turnsOn: Bool)
    case offerNetworkCut(seconds: Int64), offerNetworkCutNext, offerNetworkDelay(isSlow: Bool)
    case keySendHeld, keyDropHeld, keyTypeQuantity
    case keySubscription, helpSubscription
    case keyRedeem, keyTerms, helpRedeem, keyOperate(OperatorAction.Kind)
    case keyCancel, keyOpen, keyBuy, keyRestore, keyConsole, keyShop, keyBack
    case keyDownload, keyPackage, keyUpdate, keyUpdateAll, content(ContentOperation)
    case setting(DeviceSwitch, isOn: Bool), keyMove, keyUp, keyDown, keyPageUp, keyPageDown,
        keyFirst, keyLast
    case keyPreviousButton, keyNextButton, keySearch, keyClearSearch, keyKeepSearch, keyNext
    case keyPrevious, keyActivate, keyChoose, keyQuantity, keyApprove, keyDecline, mode(ConsoleMode)
    case keyFailNext, keyClearFailures, keyActions, keyDo, keyHowMany, keyCall
    case keyMouseOff, keyMouseOn, keySuspend, keyQuit, keyHelp, helpShop, helpPage, helpSheet
    case helpSearch, helpConsole, helpFailure, helpPalette, helpLibrary, helpReader, keyLibrary
    case keyUse, keyPreviousChapter, keyNextChapter, keyNextTitle, keyContents, keyLanguage
    case keyCopyPassage
    case helpChapters, keyHistory, keyFilter, keyKinds, keyInspect, keyCopyIdentifier, keyCopySigned
    case keyClaim, keyNeighbours, keyRemoveFailure, keyClockNext, keyNextMatch, keyPreviousMatch
    case keyRead, keyRequestRefund
    case keyReceipt, keyRefresh, helpReceipt, helpHistory, helpDetails, helpFilter, helpQuestion
    case helpEverywhere
    case keyMark, keyUnmark, keySort, keyZoom, keyUnzoom
    case keyReset(isDemo: Bool)
    case keyTrials, keyAreas, helpTrials
    case keyServer, ofServer(ServerKey), helpServer
    case ofTour(TourKey)

    /// On the server's screen.
    package enum ServerKey: Hashable, Sendable {
        case requests, notifications, resend, sendTest, setAddress
    }

    /// In a tour of the demo.
    package enum TourKey: Hashable, Sendable { case back, next, again, end }
}
