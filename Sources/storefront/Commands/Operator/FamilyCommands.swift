import ArgumentParser
import StoreDevice
import ShopText
import StoreEngine
import StoreModel

struct OperatorFamily: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "family",
        abstract: "Families: who belongs to them, who asks, and what is shared.",
        discussion: """
            A child's purchases wait for the organizer. What the catalog marks familyShareable comes \
            to every member under a number of its own, and is revoked when its owner or the member \
            leaves, sharing is turned off, or the sale is refunded; it comes back under the same \
            number. A family has at most \(Family.membersMax) accounts.

            EXAMPLES
              storefront operator family create me
              storefront operator family join nia --organizer me --role child
              storefront operator family role nia adult
              storefront operator family share me lantern.membership.family.month off
              storefront operator family leave nia
              storefront operator approve --as me 1000002
            """,
        subcommands: [
            ShowFamilies.self, CreateFamily.self, JoinFamily.self, LeaveFamily.self,
            SetFamilyRole.self, ShareWithFamily.self,
        ], defaultSubcommand: ShowFamilies.self)
}

struct ShowFamilies: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "List all families.")

    @OptionGroup var given: OperatorOptions

    func items(in store: OpenStore) async throws -> [FamilyMemberLine] {
        try await store.console.families().flatMap(FamilyMemberLine.all)
    }

    func none(in _: OpenStore) -> String? { Output.strings[.noFamiliesLine] }

    func columns(of _: [FamilyMemberLine], in _: OpenStore) -> [Column<FamilyMemberLine>] {
        FamilyMemberLine.columns
    }
}

/// An account named on the command line, with the same rules as `--account`.
struct FamilyMemberArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The account.", valueName: "account")) var member: String

    /// The account; throws `invalidName` for a name that no account may have.
    var account: AccountName {
        get throws(StoreError) {
            try NameRule.check(member, for: "account")
            return AccountName(member)
        }
    }
}

struct CreateFamily: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a family; the account is its organizer.")
    @OptionGroup var member: FamilyMemberArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) throws -> OperatorAction? {
        .family(.create(organizer: try member.account))
    }
}

struct JoinFamily: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Add an account to an organizer's family.")
    @OptionGroup var member: FamilyMemberArgument
    @Option(help: ArgumentHelp("Whose family.", valueName: "account")) var organizer: String
    @Option(help: ArgumentHelp("adult or child.", valueName: "role"))
    var role = FamilyRole.adult
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) throws -> OperatorAction? {
        try NameRule.check(organizer, for: "account")
        return .family(
            .join(try member.account, organizer: AccountName(organizer), role: role))
    }
}

struct LeaveFamily: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Remove an account from its family; with the organizer the family ends.")
    @OptionGroup var member: FamilyMemberArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) throws -> OperatorAction? {
        .family(.leave(try member.account))
    }
}

struct SetFamilyRole: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Make a member a child, whose purchases wait, or an adult.")
    @OptionGroup var member: FamilyMemberArgument
    @Argument(help: ArgumentHelp("adult or child.", valueName: "role")) var role: FamilyRole
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) throws -> OperatorAction? {
        .family(.setRole(try member.account, role))
    }
}

struct RescindConsent: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescind-consent",
        abstract: "Withdraw a parent's consent to a child's use of the app.")
    @OptionGroup var member: FamilyMemberArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) throws -> OperatorAction? {
        .family(.rescindConsent(try member.account))
    }
}

struct ShareWithFamily: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Whether a member shares a product, or all its purchases.",
        discussion: """
            EXAMPLES
              storefront operator family share me off
              storefront operator family share me lantern.theme.sepia on
            """)
    @OptionGroup var member: FamilyMemberArgument
    @Argument(
        help: ArgumentHelp(
            "A product, then on or off; on or off alone is for all purchases.", valueName: "what"))
    var rest: [String]
    @OptionGroup var given: ActionOptions

    func validate() throws {
        guard (1...2).contains(rest.count), Switch(rawValue: rest.last ?? "") != nil else {
            throw ValidationError("Say on or off, after the product if it is about one.")
        }
    }

    func action(for _: AccountName) throws -> OperatorAction? {
        .family(
            .setSharing(
                try member.account, rest.count == 2 ? ProductID(rest[0]) : nil,
                rest.last == Switch.on.rawValue))
    }
}

extension FamilyRole: ExpressibleByArgument {}

struct Notices: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "notices",
        abstract: "List tokens, user names and devices that many accounts use.",
        discussion: """
            A token or a user name stands for one user: two accounts with it are worth a look, and so \
            are \(AccountNotice.Kind.device.accountsMin) accounts on one device. Nobody is refused \
            for it.
            """)

    @OptionGroup var values: CSVPart
    @OptionGroup var given: OperatorOptions

    func items(in store: OpenStore) async throws -> [AccountNotice] {
        try await store.console.notices()
    }

    func none(in _: OpenStore) -> String? { Output.strings[.noNoticesLine] }

    func columns(of _: [AccountNotice], in _: OpenStore) -> [Column<AccountNotice>] {
        let strings = Output.strings
        return [
            Column(.columnNotice) { strings[ColumnText.noticeKind($0.kind)] },
            Column(.columnValue) { $0.subject },
            Column(.columnAccounts) { notice in
                let more = notice.accounts.count == AccountNotice.accountsMax ? ["…"] : []
                return strings.list(notice.accounts.map(\.rawValue) + more)
            },
        ]
    }
}
