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
        case .group(.failures): "Fail a call"
        case .group(.downloadFaults): "Break a download"
        case .group(.network): "Cut or slow the network"
        case .group(.clock): "Move the store's clock"
        case .group(.renewals): "Renewal rate and payments"
        case .group(.purchases): "Change how purchases go"
        case .group(.family): "Change the family"
        case .group(.theme): "Choose a theme"
        case .group(.language): "Choose a language"
        case .group(.territory): "Move to another territory"
        case .group(.account): "Sign in as another account"
        case .group(.device): "Continue with another device"
        case .theSelection: "SELECTION"
        case .thisScreen: "THIS SCREEN"
        case .more: "MORE"
        case .notNow: "NOT NOW"
        case .isSoNow: "now"
        case .typeAName: "type a name"
        case .offerTheme(let name): "Use the theme \(name)"
        case .offerLanguage(let name): "Show the shop's words in \(name)"
        case .offerAccount(let name): "Sign in as \(name)"
        case .offerDevice(let name): "Continue with the device \(name)"
        case .shellTask(.tour): "Take the tour"
        case .shellTask(.finish): "Finish a transaction"
        case .shellTask(.export): "Export the catalog"
        }
    }
}
