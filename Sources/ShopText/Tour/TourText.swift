/// The tour's steps, and the keys that it asks a person to press.
package enum TourText: Hashable, Sendable {
    case tourStep(Int, of: Int), tourStates, tourPage, tourSheet, tourPaid, tourConsole
    case tourApproved, tourFollowed, tourLibrary, tourReader, tourTakingBack, tourRefunded
    case tourOpenKey(name: String), tourBuyKey, tourPayKey, tourConsoleKey, tourApproveKey
    case tourShopKey, tourLibraryKey, tourReadKey, tourCloseBookKey, tourRefundKey
    case tourRefundAtConsoleKey, tourLeaveKey, tourNotSold, tourNotFollowed, tourRefundWord
    case tourMoves(back: String, next: String), tourNothingWaited, tourWaiting, tourKept
}
