import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

/// The account's family, as the customer sees it.
struct FamilyCommand: StoreCommand {
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

    var readsDevice: Bool { true }

    func run(in store: OpenStore) async throws {
        let answer = try await store.deviceToRead().familyStatus()
        let status = answer.value
        let account = store.account
        guard !options.json else {
            return try Output.json(
                [
                    "account": account, "organizer": status.family?.organizer,
                    "members": status.family.map(FamilyMemberLine.all) ?? [],
                    "shared": status.shares.map(\.fields), "asOf": answer.age,
                ] as JSONFields)
        }
        store.noteAge(of: answer)
        guard let family = status.family else {
            return Output.note(.noFamilyLine(account: account.rawValue))
        }
        var members = TextTable()
        members.write(FamilyMemberLine.all(family), FamilyMemberLine.columns)
        guard !status.shares.isEmpty else {
            return Output.note(.noSharesLine(account: account.rawValue))
        }
        let products = try await ProductNames(status.shares.map(\.productID), in: store)
        var table = TextTable()
        table.write(
            status.shares,
            [
                Column(.columnTransaction) { $0.transactionID.description },
                Column(.columnProduct, mayBeCut: true) { products.item($0.productID) },
                Column(.columnIdentifier) { $0.productID.rawValue },
                Column(.columnSharedBy) { $0.owner.rawValue },
            ])
    }
}

extension FamilyStatus.Share {
    fileprivate var fields: JSONFields {
        ["transactionId": transactionID, "productId": productID, "sharedBy": owner]
    }
}
