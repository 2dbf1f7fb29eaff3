package import StoreModel

/// The palette: the lines of its actions.
package enum PaletteText: Hashable, Sendable {
    case networkAlias, callName(Fault.Call), thisProduct, aRequest, aPurchase, aSubscription
    case aProduct, nameOfAccount(name: String, account: String), typeToFilter, nothingMatches
    case really(String), enterAgain, enterAgainShort, askedBy(item: String, account: String)
    case offerBilling(fails: Bool), offerGrace(isOn: Bool), offerRealTime
    case offerRate(of: String, time: String), offerRateOfAll(time: String), offerBandwidth(String)
    case offerLatency(milliseconds: Int64)
    case offerTrouble(DownloadFaults.Trouble, DownloadFaults.Place, name: String), atByte(Int64)
    case offerClearDownloadFaults, offerHostPackage, offerPage(name: String)
    case group(PaletteGroup), theSelection, thisScreen, more, notNow, isSoNow, typeAName
    case offerTheme(String), offerLanguage(String), offerAccount(String), offerDevice(String)
    case shellTask(ShellTask)
}
