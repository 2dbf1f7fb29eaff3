package import StoreModel

/// The labels of buttons, on pages and sheets.
package enum ButtonText: Hashable, Sendable {
    case signInButton, endSearch, restorePurchases, update, notNow, makeRoomButton, tryAgainButton
    case free, get, cancel, back, pause, resume, download, cancelDownload, deleteDownload
    case openConsole, read, receipt, use, useStandardTheme, resolvePurchase, withdraw, keepWaiting
    case askForRefund, keepIt, buyFor(price: String), askToBuyFor(price: String), changePlan
    case keepThisPlan, turnRenewalOn, manageSubscription, payNow, acceptPrice, declinePrice
    case keepPlan(name: String), cancelSubscription, subscribeAgain, takeOffer, startTrial
    case operateButton(OperatorAction.Kind), keepDownloading, keepDownload, moveClockButton
    case goOffline, sendPayment
    case signOutButton, openWith(name: String), openFor(String), getMore(unit: String)
    case resetButton(isDemo: Bool)
}
