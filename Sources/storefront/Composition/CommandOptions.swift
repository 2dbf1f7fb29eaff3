import ArgumentParser

/// Two groups of options, which the help lists one after the other.
struct Both<First: OptionPart, Second: OptionPart>: OptionPart {
    @OptionGroup var first: First
    @OptionGroup var second: Second

    func write(to all: inout GlobalOptions) {
        first.write(to: &all)
        second.write(to: &all)
    }
}

/// The options of a command that reads or writes files and opens no store.
typealias PlainFileOptions = Both<LanguagePart, JSONPart>
/// The options of a command that reads a catalog file and may compare it with a store.
typealias FileOptions = Both<FolderPart, PlainFileOptions>

/// The options that name a store on disk.
typealias KeptStorePart = Both<FolderPart, CatalogPart>
/// The options that name a store on disk or in memory.
typealias AnyStorePart = Both<KeptStorePart, Both<EphemeralPart, ClockPart>>
/// The options that name the customer and the network of its device.
typealias CustomerPart = Both<AccountPart, Both<DevicePart, TerritoryPart>>
typealias NetworkedCustomerPart = Both<CustomerPart, NetworkPart>
/// The options of an operator's command that do not name a store.
typealias OperatorPart = Both<RolePart, PlainFileOptions>

/// The options of an operator's command that changes the store: without `--ephemeral`, because the
/// change would be lost at once.
typealias ActionOptions = Both<KeptStorePart, OperatorPart>
/// The options of an operator's command that changes one account.
typealias AccountActionOptions = Both<KeptStorePart, Both<AccountPart, OperatorPart>>
/// The options of a command that prints the paths of files and opens none.
typealias PathsOptions = Both<KeptStorePart, Both<Both<AccountPart, DevicePart>, PlainFileOptions>>
/// The options of a command about the whole store.
typealias StoreOptions = Both<AnyStorePart, PlainFileOptions>
/// The options of an operator's command that reads the whole store.
typealias OperatorOptions = Both<AnyStorePart, OperatorPart>
/// The options of an operator's command that reads one account.
typealias AccountOperatorOptions = Both<AnyStorePart, Both<AccountPart, OperatorPart>>
/// The options of an operator's command that reads one device.
typealias DeviceOperatorOptions = Both<
    AnyStorePart, Both<Both<AccountPart, DevicePart>, OperatorPart>
>
/// The options of a customer's command that downloads nothing.
typealias CustomerOptions = Both<AnyStorePart, Both<CustomerPart, PlainFileOptions>>
/// The options of a customer's command that may download.
typealias DownloadingOptions = Both<AnyStorePart, Both<NetworkedCustomerPart, PlainFileOptions>>
/// The options of the shop, or of the product list that is printed without a terminal.
typealias ShopOptions = Both<AnyStorePart, Both<NetworkedCustomerPart, OperatorPart>>
/// The options of `screenshot`.
typealias PictureOptions = Both<
    AnyStorePart, Both<NetworkedCustomerPart, Both<RolePart, LanguagePart>>
>
/// The options of `demo`, which has its own temporary store.
typealias DemoOptions = Both<
    Both<CatalogPart, ClockPart>, Both<NetworkedCustomerPart, Both<RolePart, LanguagePart>>
>
