import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreHost
import StoreModel
import StoreSigning

/// The notifications that the store has to send, or has sent.
struct NotificationCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "What the store has told, or is to tell, your backend.",
        discussion: """
            EXAMPLES
              storefront notifications
              storefront notifications --failed
              storefront notifications show 0A1B2C3D-…
              storefront notifications resend --failed
            """,
        subcommands: [ListNotifications.self, ShowNotification.self, ResendNotifications.self],
        defaultSubcommand: ListNotifications.self)
}

struct ListNotifications: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the notifications, newest first.")

    @Option(
        help: ArgumentHelp("Only of this type, such as DID_RENEW.", valueName: "type"))
    var type: String?
    @Option(help: ArgumentHelp("Only about this customer.", valueName: "account"))
    var account: String?
    @Flag(help: "Only those that your backend has not received.") var failed = false
    @Option(help: ArgumentHelp("How many at most.", valueName: "number")) var limit = 50

    @OptionGroup var given: OperatorOptions

    func validate() throws {
        guard (1...1_000).contains(limit) else {
            throw ValidationError("--limit wants a number from 1 to 1000.")
        }
        if let type { _ = try NotificationArgument.type(type) }
    }

    func items(in store: OpenStore) async throws -> [OutboxItem] {
        let type = try self.type.map { try NotificationArgument.type($0) }
        let found = try await store.outbox.latest(limit: limit) { query in
            query.type = type
            query.account = account.map { AccountName($0) }
            query.isFailed = failed
        }
        if !options.json { try await store.noteUnsent() }
        return found.items
    }

    func none(in _: OpenStore) -> String? { Output.strings[.notification(.noNotifications)] }

    func columns(of _: [OutboxItem], in _: OpenStore) -> [Column<OutboxItem>] {
        let strings = Output.strings
        return [
            Column(.columnIdentifier) { $0.id.uuidString.lowercased() },
            Column(.columnDate) { strings.date($0.notification.at) },
            Column(.columnEvent) { $0.notification.kind.description },
            Column(.columnProduct, mayBeCut: true) { $0.notification.productID?.rawValue ?? "" },
            Column(.columnState) { strings[.notification(.state($0.state))] },
            Column(.columnDetail, mayBeCut: true) { item in
                let tried = strings[.notification(item.tried)]
                let next = item.next.map { strings[.notification(.next(date: strings.date($0)))] }
                return [tried, next ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
            },
        ]
    }

    func line(_ item: OutboxItem) -> any Encodable { item.fields }
}

struct ShowNotification: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a notification: its attempts, and what it says.")

    @Argument(help: ArgumentHelp("Its number (notificationUUID).", valueName: "uuid"))
    var id: String

    @OptionGroup var given: OperatorOptions

    func validate() throws { try UUIDArgument.validate(id, of: "A notification") }

    func run(in store: OpenStore) async throws {
        let outbox = try store.outbox
        guard let number = UUID(uuidString: id),
            let item = try await outbox.item(number)
        else { throw NotificationArgument.unknown(id) }
        let signed = try outbox.signed(item.notification)
        let contents = item.notification.contents
        try write(
            json: JSONFields(
                item.fields,
                [
                    "transaction": contents.transaction, "renewalInfo": contents.renewalInfo,
                    "status": contents.status, "summary": contents.summary,
                    "appTransaction": contents.appTransaction,
                    "consumptionRequestReason": contents.consumptionRequestReason,
                    "signedPayload": signed,
                ])
        ) {
            let strings = Output.strings
            Output.line(
                "\(item.notification.kind)  \(strings.date(item.notification.at))  "
                    + strings[.notification(.state(item.state))])
            for attempt in item.attempts {
                let status = attempt.status.map { " \($0)" } ?? ""
                Output.line(
                    "  \(strings.date(attempt.at))  \(attempt.result.rawValue)\(status)  "
                        + "\(attempt.milliseconds) ms")
            }
            if contents != NotificationContents() {
                try? Output.json(contents)
            } else if let data = TransactionVerifier.unverifiedPayload(of: signed)?.data {
                // A test tells of nothing that has happened: the app that it is for is left.
                try? Output.json(data)
            }
            Output.line(signed.rawValue)
        }
    }
}

struct ResendNotifications: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send notifications again, under their own numbers.")

    @Argument(help: ArgumentHelp("Their numbers (notificationUUID).", valueName: "uuid"))
    var ids: [String] = []
    @Flag(help: "All that your backend has not received.") var failed = false

    @OptionGroup var given: ActionOptions

    func validate() throws {
        guard ids.isEmpty == failed else {
            throw ValidationError("Give the numbers of notifications, or --failed.")
        }
        for id in ids { try UUIDArgument.validate(id, of: "A notification") }
    }

    func run(in store: OpenStore) async throws {
        let outbox = try store.outbox
        var numbers = ids.compactMap { UUID(uuidString: $0) }
        if failed {
            var query = OutboxQuery(.oldest(after: nil), limit: .max)
            query.isFailed = true
            numbers = try await outbox.outbox(query).items.map(\.id)
        }
        for number in numbers {
            guard try await outbox.resend(number) != nil else {
                throw NotificationArgument.unknown(number.uuidString.lowercased())
            }
        }
        if !options.json { Output.line(.notification(.dueAgain(numbers.count))) }
        try await store.sendDue(tells: Output.errorIsTerminal)
        for number in numbers {
            guard let item = try await outbox.item(number) else { continue }
            try write(json: item.fields) {
                Output.line(
                    "\(item.notification.kind)  " + Output.strings[.notification(item.tried)])
            }
        }
        if !options.json { try await store.noteUnsent() }
    }
}

// MARK: - Parts

/// Words of the command line about notifications.
enum NotificationArgument {
    static func type(_ text: String) throws -> NotificationType {
        guard let type = NotificationType(rawValue: text.uppercased()) else {
            throw UnknownWord.error(
                "notification", text, among: NotificationType.allCases.map(\.rawValue),
                advice: "storefront trigger --list shows them all.")
        }
        return type
    }

    static func kind(_ text: String) throws -> NotificationKind {
        if let kind = NotificationKind(text) { return kind }
        // Where only the subtype is wrong, the type has few of them.
        let type = text.prefix { $0 != "." }.uppercased()
        let ofType = NotificationKind.all.filter { $0.type.rawValue == type }.map(\.description)
        throw UnknownWord.error(
            "notification", text,
            among: ofType.isEmpty ? NotificationKind.all.map(\.description) : ofType,
            advice: ofType.isEmpty
                ? "storefront trigger --list shows them all."
                : "There is " + ofType.joined(separator: ", ") + ".")
    }

    static func unknown(_ id: String) -> ValidationError {
        ValidationError(Output.strings[.notification(.unknown(id: id))])
    }

    /// Throws for an address that nothing is sent to, with the reason and the way.
    static func check(address: String) throws {
        guard ReachableAddress(address) == nil else { return }
        throw ValidationError(
            "'\(UntrustedText.short(address))' is no address to send to. Give one address: "
                + "http, a numeric address of this machine or localhost, and its port (else 80), such as "
                + "http://127.0.0.1:3000/apple/notifications. To reach https or another machine, "
                + "run a forwarder on this machine and give its address.")
    }
}

extension OutboxItem {
    var fields: JSONFields {
        [
            "notificationUUID": id, "notificationType": notification.kind.type,
            "subtype": notification.kind.subtype, "signedDate": notification.at,
            "account": notification.account, "transactionId": notification.transaction,
            "productId": notification.productID, "state": state,
            "sendAttempts": attempts.map { attempt in
                [
                    "attemptDate": attempt.at, "sendAttemptResult": attempt.result,
                    "milliseconds": attempt.milliseconds, "status": attempt.status,
                ] as JSONFields
            }, "next": next,
        ]
    }

    /// How often it was tried, and how that ended last.
    var tried: NotificationText {
        .attempts(attempts.count, last: attempts.last?.result, status: attempts.last?.status)
    }
}
