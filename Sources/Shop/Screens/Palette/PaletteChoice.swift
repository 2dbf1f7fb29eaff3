package import ShopText
package import StoreModel

/// A line of the palette about the shop itself, in a group of its kind.
package enum PaletteChoice: Hashable, Sendable {
    /// Nil is the standard theme.
    case theme(UnlockID?)
    /// A `Language.code`: the words of the screens.
    case language(String)
    case account(AccountName)
    case device(DeviceName)
    case shell(ShellTask)
    /// Of the product whose identifier is typed.
    case page(ProductID)

    /// Nil for what is in no group.
    package var group: PaletteGroup? {
        switch self {
        case .theme: .theme
        case .language: .language
        case .account: .account
        case .device: .device
        case .shell, .page: nil
        }
    }
}

extension Entry.ID {
    /// Of the palette's line; nil for a line that is in no group.
    package var group: PaletteGroup? {
        switch self {
        case .fault: .downloadFaults
        case .choice(let choice): choice.group
        case .perform(let action):
            switch action {
            case .failNext, .clearFault, .clearFaults: .failures
            case .setRenewals: .renewals
            case .clock: .clock
            case .family: .family
            case .changeAccount(let change):
                change.territory != nil ? .territory : change.locale != nil ? .language : .purchases
            default: nil
            }
        case .key, .everywhere, .missing, .group, .inPalette, .failure: nil
        }
    }
}

extension ShopState {
    /// Only a shop that names the console continues as somebody else or names commands.
    var paletteChoices: [PaletteChoice] {
        var choices: [PaletteChoice] = themes.isEmpty ? [] : [.theme(nil)]
        choices += themes.map { .theme($0) }
        choices += Languages.all.map { .language($0.code) }
        guard shop.namesConsole else { return choices }
        let events = console.log.lines.compactMap { line -> StoreEvent? in
            if case .event(let event) = line { event } else { nil }
        }
        let accounts = Set(
            [shop.account] + events.compactMap(\.account) + console.requests.map(\.account)
                + (console.family?.members.map(\.account) ?? []))
        let ours = events.filter { $0.account == shop.account }
        let devices = Set([shop.device] + ours.compactMap(\.device))
        choices += accounts.sorted().map { .account($0) }
        choices += devices.sorted().map { .device($0) }
        choices += ShellTask.allCases.filter { $0 != .tour || tour == nil }.map { .shell($0) }
        return choices
    }

    /// Whether the shop is so already, and Enter changes nothing.
    package func isSoNow(_ choice: PaletteChoice) -> Bool {
        switch choice {
        case .theme(let unlock): theme == unlock
        case .language(let code):
            Languages.named(snapshot.settings.language ?? shop.language).code == code
        case .account(let account): account == shop.account
        case .device(let device): device == shop.device
        case .shell, .page: false
        }
    }

    func refusal(of choice: PaletteChoice) -> EntryRefusal? {
        // A page that is asked for opens when the products are known.
        if case .page = choice { return nil }
        guard opening == .open else { return .shop(.stillOpening) }
        if let actor = shop.actor, choice.group == .account || choice.group == .device {
            return .shop(.operatorOnly(actor))
        }
        do throws(StoreError) {
            switch choice {
            case .account(let account): try NameRule.check(account.rawValue, for: "account")
            case .device(let device): try NameRule.check(device.rawValue, for: "device")
            case .shell(let task): return .shop(.inShell(command: task.rawValue))
            case .theme, .language, .page: break
            }
        } catch { return .store(error) }
        return nil
    }

    mutating func choose(_ choice: PaletteChoice, _ moment: ShopMoment) -> [ShopEffect] {
        guard !isSoNow(choice) else { return [] }
        switch choice {
        case .theme(let unlock): return chooseTheme(unlock, moment)
        case .language(let code): return use(language: code, moment)
        case .account(let account): return continueAs(account, on: shop.device, moment)
        case .device(let device): return continueAs(shop.account, on: device, moment)
        case .page(let product): return follow(.page(.asked(product)), moment)
        case .shell: return []
        }
    }

    /// Leaves the account or device; the screens are empty until the other one has answered.
    private mutating func continueAs(
        _ account: AccountName, on device: DeviceName, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let saving = rememberPlace(moment)
        _ = reopen(.replaced)
        opening = .opening
        settings = nil
        snapshot = AccountSnapshot()
        reckonEnds()
        return saving + announce(.customerChanged(account, device), moment)
            + [.continueAs(account, on: device)]
    }
}
