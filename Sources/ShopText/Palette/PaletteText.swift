package import StoreModel

/// The palette: the lines of its actions.
package enum PaletteText: Hashable, Sendable {
    case networkAlias, callName(Fault.Call), thisProduct, aRequest, aPurchase, aSubscription
    case aProduct, nameOfAccount(name: String, account: String), typeToFilter, nothingMatches
    case really(String), enterAgain, enterAgainShort, askedBy(item: String, account: String)
    case offerApprove(String), offerDecline(String), offerClearFailure(String)
    case offerRefund(name: String), offerRefundPart(name: String, percent: Int)
    case offerRefundUnused(name: String), offerRevoke(name: String), offerReverse(name: String)
    case offerDelete(name: String), offerDeleteAll(name: String)
    case offerAutoRenew(name: String, isOn: Bool), offerRenew(name: String)
    case offerExpire(name: String), offerResolveBilling(name: String)
    case offerPriceIncrease(name: String, PriceIncreaseStep), offerExtend(name: String, days: Int)
    case offerExtendAll(name: String, days: Int), offerCancelSubscription(name: String)
    case offerBilling(fails: Bool), offerGrace(isOn: Bool), offerClockStop, offerClockResume
    case offerClockAdvance(String), offerClockTo(String), offerClockNext, offerRealTime
    case offerRate(of: String, time: String), offerRateOfAll(time: String)
    /// `after`: the number of purchases that a restore returns before it fails.
    case offerFailure(Fault.Call, String, after: Int?)
    case offerAskToBuy(isOn: Bool), offerPayments(isOn: Bool), offerBank(isOn: Bool)
    case offerInterrupts(isOn: Bool), offerResolve(String), offerDialogs(isOn: Bool)
    case offerLocale(language: String?), offerFamily(FamilyAction, product: String)
    case offerDeclineRefund(name: String), offerBuyOutside(name: String), offerPromote(name: String)
    case offerPublish(name: String), offerTakeOff(name: String), offerBandwidth(String)
    case offerLatency(milliseconds: Int64)
    case offerTrouble(DownloadFaults.Trouble, DownloadFaults.Place, name: String), atByte(Int64)
    case offerClearDownloadFaults, offerHostPackage
    case offerPackage(name: String, package: String, PackageState)
}
