import ArgumentParser
import Basics
import ShopText
import StoreDevice
import StoreModel

/// The account's family, as the customer sees it.
struct FamilyCommand: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "family",
        abstract: "The account's family: its members, and what they share with it.",
        discussion: """
            The operator and the organizer change it: storefront operator family.

            EXAMPLES
              storefront family
              storefront --account kai --json family
            """)

    @OptionGroup var given: CustomerOptions

    func run() async throws {
        try await reporting(options) {
            let store = try await options.open()
            let answer = try await store.deviceToRead().familyStatus()
            let status = answer.value
            if options.json {
                return try Output.json(
                    FamilyStatusLine(
                        status, of: store.account, asOf: answer.isFresh ? nil : answer.asOf))
            }
            store.noteAge(of: answer)
            guard let family = status.family else {
                return Output.note(.noFamilyLine(account: store.account.rawValue))
            }
            FamilyTable.write([family])
            guard !status.shares.isEmpty else {
                return Output.note(.noSharesLine(account: store.account.rawValue))
            }
            let products = try await ProductNames(status.shares.map(\.productID), in: store)
            var table = TextTable([
                .init(.columnTransaction), .init(.columnProduct), .init(.columnIdentifier),
                .init(.columnSharedBy),
            ])
            table.write(
                status.shares.map { share in
                    [
                        share.transactionID.description,
                        products.item(share.productID, quantity: 1),
                        share.productID.rawValue, share.owner.rawValue,
                    ]
                })
        }
    }
}

/// Families as a table: a line for each member.
enum FamilyTable {
    static func write(_ families: [Family]) {
        let strings = Output.strings
        var table = TextTable([
            .init(.columnAccount), .init(.columnRole), .init(.columnShares),
        ])
        table.write(
            families.flatMap { family in
                family.members.map { member in
                    [
                        member.account.rawValue,
                        strings[
                            CommandText.familyRole(
                                member.role, isOrganizer: member.account == family.organizer)],
                        strings[
                            CommandText.familyShares(
                                all: member.sharesPurchases,
                                keptBack: member.keptBack.map(\.rawValue).joined(
                                    separator: strings[.listSeparator]))],
                    ]
                }
            })
    }
}
