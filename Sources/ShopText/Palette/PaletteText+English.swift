import StoreModel

extension English {
    static func text(_ text: PaletteText) -> String {
        switch text {
        case .networkAlias: "offline online network connection internet"
        case .callName(let call): Self.name(call)
        case .thisProduct: "this product"
        case .aRequest: "a request"
        case .aPurchase: "a purchase"
        case .aSubscription: "a subscription"
        case .aProduct: "a product"
        case .nameOfAccount(let name, let account): "\(name) of \(account)"
        case .typeToFilter: "type to filter"
        case .nothingMatches: "Nothing matches."
        case .really(let what): "Really? \(what)"
        case .enterAgain: "Enter again, Esc cancels"
        case .enterAgainShort: "Enter: yes, Esc: no"
        case .askedBy(let item, let account): "\(item), asked by \(account)"
        case .offerBilling(let fails): "Let payments for renewals \(fails ? "fail" : "succeed")"
        case .offerGrace(let isOn):
            isOn ? "Give a grace period after a failed renewal" : "Give no grace period"
        case .offerRealTime: "Renewals: in real time"
        case .offerRate(let length, let time): "Renewals: \(length) takes \(time)"
        case .offerRateOfAll(let time): "Renewals: every period takes \(time)"
        case .offerBandwidth(let size): "Slow downloads down to \(size) a second"
        case .offerLatency(let milliseconds):
            "Let each request of a download take \(milliseconds) ms longer"
        case .offerTrouble(.stall, let at, let name):
            "Let the download of \(name) stand still \(place(at))"
        case .offerTrouble(.disconnect, let at, let name):
            "Lose the connection of \(name) \(place(at)), once"
        case .offerTrouble(.corrupt, let at, let name):
            "Change a byte of \(name) \(place(at)), once"
        case .offerTrouble(.full, let at, let name):
            "Let the disk be full for \(name) \(place(at))"
        case .atByte(let byte): "at byte \(byte)"
        case .offerClearDownloadFaults: "Clear the failures of downloads"
        case .offerHostPackage: "Host a package of content"
        case .offerPage(let name): "Open \(name)"
        }
    }
}
