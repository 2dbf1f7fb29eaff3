import ArgumentParser

/// A command about a catalog file, perhaps against a store.
struct FileOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions { GlobalOptions(folder, language, json) }
}

/// A command about files alone.
struct PlainFileOptions: CommandOptions {
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions { GlobalOptions(language, json) }
}

/// The operator's command that changes the store, so that it is for one that stays.
struct ActionOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions { GlobalOptions(folder, catalog, role, language, json) }
}

/// The same about one account.
struct AccountActionOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var account: AccountPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions { GlobalOptions(folder, catalog, account, role, language, json) }
}

/// A command that names files and opens none.
struct PathsOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions { GlobalOptions(folder, catalog, account, device, language, json) }
}

/// A command about the whole store.
struct StoreOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions { GlobalOptions(folder, catalog, ephemeral, clock, language, json) }
}

/// The operator's command, about the whole store.
struct OperatorOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions {
        GlobalOptions(folder, catalog, ephemeral, clock, role, language, json)
    }
}

/// The operator's command about one account.
struct AccountOperatorOptions: CommandOptions {
    @OptionGroup var folder: FolderPart
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var ephemeral: EphemeralPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart
    @OptionGroup var json: JSONPart

    var all: GlobalOptions {
        GlobalOptions(folder, catalog, ephemeral, clock, account, role, language, json)
    }
}

/// The operator's command about one device.
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

    var all: GlobalOptions {
        GlobalOptions(folder, catalog, ephemeral, clock, account, device, role, language, json)
    }
}

/// A customer's command that downloads nothing.
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

    var all: GlobalOptions {
        GlobalOptions(folder, catalog, ephemeral, clock, account, device, territory, language, json)
    }
}

/// A customer's command that may download.
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

    var all: GlobalOptions {
        GlobalOptions(
            folder, catalog, ephemeral, clock, account, device, territory, network, language, json)
    }
}

/// The shop, or the list in its place.
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

    var all: GlobalOptions {
        GlobalOptions(
            folder, catalog, ephemeral, clock, account, device, territory, network, role, language,
            json)
    }
}

/// A picture of the shop.
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

    var all: GlobalOptions {
        GlobalOptions(
            folder, catalog, ephemeral, clock, account, device, territory, network, role, language)
    }
}

/// The shop on a store of its own.
struct DemoOptions: CommandOptions {
    @OptionGroup var catalog: CatalogPart
    @OptionGroup var clock: ClockPart
    @OptionGroup var account: AccountPart
    @OptionGroup var device: DevicePart
    @OptionGroup var territory: TerritoryPart
    @OptionGroup var network: NetworkPart
    @OptionGroup var role: RolePart
    @OptionGroup var language: LanguagePart

    var all: GlobalOptions {
        GlobalOptions(catalog, clock, account, device, territory, network, role, language)
    }
}
