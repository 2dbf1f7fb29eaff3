import ArgumentParser
import Foundation
import SQLLedger
import ShopText
import StoreEngine
import StoreHost
import StoreModel

struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make, list, drop and copy whole stores.",
        discussion: """
            A store is made on first use, too. A copy has all sales with their numbers; the store \
            that was copied is closed, and every device and program is told where it continues.

            EXAMPLES
              storefront store list
              storefront store copy ~/stores/old postgresql://db.example.com/shop
              storefront store copy ~/stores/team ~/stores/mine --as-copy
            """,
        subcommands: [Create.self, List.self, Drop.self, Copy.self])

    struct Create: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make an empty store, or say that it is there.",
            discussion: """
                With --roles, a store in a database gets the roles NAME_operator, NAME_customer and \
                NAME_auditor, or those that are there get the rights of this version; the \
                database's administrator grants them to logins.

                EXAMPLES
                  storefront store create --store ~/stores/team
                  storefront store create --roles --store postgresql://db.example.com/shop
                """)
        @Flag(help: "Make the roles operator, customer and auditor (databases only).")
        var roles = false

        @OptionGroup var given: ActionOptions

        func run() async throws {
            try await reporting(options) {
                let place = try options.storeAddress()
                let isNew = try await place.create(withRoles: roles)
                try write(json: ["store": place.text, "created": isNew] as JSONFields) {
                    Output.line(
                        isNew
                            ? .store(.created(store: place.text))
                            : .store(.isThere(store: place.text)))
                }
            }
        }
    }

    struct List: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the stores of a database, or the one of a folder.",
            discussion: """
                With the number of their entries, when they were begun, and where those that were \
                closed continue. With --json an object a line.

                EXAMPLES
                  storefront store list --store ~/stores/team
                  storefront store list --store postgresql://db.example.com/shop
                """)

        @OptionGroup var given: ActionOptions

        func run() async throws {
            try await reporting(options) {
                let place = try options.storeAddress()
                let stores = try await place.stores()
                for store in stores {
                    try write(
                        json: [
                            "store": store.name, "version": store.version,
                            "entries": store.entries, "begunAt": store.begunAt,
                            "goesOnAt": store.goesOnAt,
                        ] as JSONFields
                    ) {
                        Output.line(
                            .store(
                                .listed(
                                    store: store.name, entries: store.entries,
                                    begun: store.begunAt.map { Output.strings.date($0) },
                                    goesOnAt: store.goesOnAt)))
                    }
                }
                if stores.isEmpty, !options.json {
                    Output.note(.store(.absent(store: place.text)))
                }
            }
        }
    }

    struct Drop: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "drop",
            abstract: "Remove a store with its keys and everything in it, for good.",
            discussion: """
                On a terminal it asks for the store's name: of a folder its own, without those \
                above it; of a database that of the store (store=NAME). A store in a folder that \
                another process has open is not removed. Of a database it is, with its roles: \
                programs that have it open say so, and their machines keep what their devices \
                have recorded.

                EXAMPLE
                  storefront store drop --store ~/stores/old --confirm old
                """)
        @Option(help: ArgumentHelp("The store's name, instead of being asked.", valueName: "name"))
        var confirm: String?

        @OptionGroup var given: ActionOptions

        func run() async throws {
            try await reporting(options) {
                let place = try options.storeAddress()
                guard try await place.isThere() else {
                    return try write(
                        json: ["store": place.text, "removed": false] as JSONFields
                    ) { Output.note(.noStoreToReset(store: place.text)) }
                }
                guard try name(of: place) == place.name else {
                    Output.note(.resetDeclined)
                    throw Exit.cancelled
                }
                try await place.drop()
                try write(json: ["store": place.text, "removed": true] as JSONFields) {
                    Output.line(.store(.dropped(store: place.text)))
                }
            }
        }

        private func name(of place: StoreAddress) throws -> String? {
            if let confirm { return confirm }
            guard !options.json, Output.errorIsTerminal, isatty(STDIN_FILENO) == 1 else {
                throw ValidationError(
                    "Nothing was removed. To drop the store, give --confirm with its name.")
            }
            let withDevices = place.hasDevices
            Output.note(.store(.dropTells(store: place.text, withDevices: withDevices)))
            Output.remark(Output.strings[.store(.dropPrompt(name: place.name))])
            return readLine()
        }
    }

    struct Copy: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy a store to another place, where it continues.",
            discussion: """
                FROM and TO are folders or addresses of databases. Copies all entries with their \
                numbers, keys and packages, and compares every table and file. Then the store at \
                FROM is closed: it can be read, and refuses to sell, with the address where it \
                continues. An interrupted copy sells nothing; the same command continues it. \
                Devices stay at FROM; new ones begin at the new place, and restore.

                With --as-copy the store at FROM is not closed. Both then sell, with equal numbers; \
                a device that has read one of them refuses the other, until it is told to \
                (storefront operator accept-store).

                EXAMPLES
                  storefront store copy ~/stores/old postgresql://db.example.com/shop
                  storefront store copy postgresql://db.example.com/shop ~/stores/new
                  storefront store copy ~/stores/team ~/stores/mine --as-copy
                """)
        @Argument(help: "The store that is copied.") var from: String
        @Argument(help: "Where no store is yet.") var to: String
        @Flag(help: "Leave the store open, and begin a history beside it.") var asCopy = false

        @OptionGroup var given: PlainFileOptions

        func run() async throws {
            try await reporting(options) {
                try options.refuseCustomer()
                let paths = StoragePaths.current
                let (first, second) = (try StoreAddress(from, paths), try StoreAddress(to, paths))
                let source = try await first.open(isMade: false)
                let target = try await second.open(isMade: true)
                let entries = try await StoreHost.copy(
                    source, to: target,
                    epoch: asCopy ? Int64.random(in: StoreMove.epochs) : nil, onStep: Self.tell)
                try write(
                    json: [
                        "from": source.address, "to": target.address, "entries": entries,
                        "isCopy": asCopy,
                    ] as JSONFields
                ) {
                    Output.line(
                        asCopy
                            ? .store(.copied(from: source.address, to: target.address, entries))
                            : .store(.moved(from: source.address, to: target.address, entries)))
                }
            }
        }

        /// On a terminal, each page of a large store.
        private static func tell(_ step: LedgerCopy.Step) {
            if case .copied(let done, let total) = step, total > 10_000, Output.errorIsTerminal {
                Output.note(.store(.copying(done: done, of: total)))
            }
        }
    }
}
