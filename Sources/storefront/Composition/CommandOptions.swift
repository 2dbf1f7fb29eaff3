import ArgumentParser

// The shared options of several commands each. Every group lists its parts itself: the parser takes
// seconds to build groups that are nested in one another.

/// The options of a command that reads or writes files and opens no store.
struct PlainFileOptions: ParsableArguments {
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// An operator's change of the store: without `--ephemeral`, which would lose it at once.
struct ActionOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that changes one account.
struct AccountActionOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var account: AccountPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a command that prints the paths of files and opens none.
struct PathsOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that reads the whole store.
struct OperatorOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that reads one account.
struct AccountOperatorOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that reads one device.
struct DeviceOperatorOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a customer's command that downloads nothing.
struct CustomerOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: TerritoryPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a customer's command that may download.
struct DownloadingOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: MovingPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a command that shows the shop of a store that stays.
struct ShopOptions: ParsableArguments {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: MovingPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
}
