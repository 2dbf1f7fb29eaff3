/// Lines of the palette that are listed as one line until it is opened, in their order.
package enum PaletteGroup: Hashable, Sendable, CaseIterable {
    case failures, downloadFaults, network, clock, renewals, purchases, family
    case theme, language, territory, account, device
}

/// What only a command does, by its words in a shell: the palette finds it and names the command.
package enum ShellTask: String, Sendable, CaseIterable {
    case tour = "storefront demo --tour"
    case finish = "storefront finish TRANSACTION"
    case export = "storefront catalog export FILE"
}
