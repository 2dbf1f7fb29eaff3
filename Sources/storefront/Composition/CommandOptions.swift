import ArgumentParser

/// The options of a command that reads a catalog file and may compare it with a store.
struct FileOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a command that reads or writes files and opens no store.
struct PlainFileOptions: CommandOptions {
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// An operator's change of the store: without `--ephemeral`, which would lose it at once.
struct ActionOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that changes one account.
struct AccountActionOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var account: AccountPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a command that prints the paths of files and opens none.
struct PathsOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of a command about the whole store.
struct StoreOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that reads the whole store.
struct OperatorOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of an operator's command that reads one account.
struct AccountOperatorOptions: CommandOptions {
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
struct DeviceOperatorOptions: CommandOptions {
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
struct CustomerOptions: CommandOptions {
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
struct DownloadingOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: TerritoryPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of the shop, or of the product list that is printed without a terminal.
struct ShopOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: TerritoryPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart
}

/// The options of `screenshot`.
struct PictureOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: TerritoryPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
}

/// The options of `demo`, which has its own temporary store.
struct DemoOptions: CommandOptions {
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: TerritoryPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
}
