import ArgumentParser
import Foundation
import ShopText
import StoreHost
import StoreModel
import StoreServer

/// Causes a notification.
struct TriggerCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Make what a notification tells of truly happen.",
        discussion: """
            It truly happens in this store, to a new account unless one is given: purchases, \
            actions of the operator and moves of the clock, each told as the command that does it. \
            The notification is sent like any other.

            EXAMPLES
              storefront trigger --list
              storefront trigger DID_RENEW
              storefront trigger DID_FAIL_TO_RENEW.GRACE_PERIOD
              storefront trigger SUBSCRIBED.INITIAL_BUY --account nia
            """)

    @Argument(
        help: ArgumentHelp("A type, with its subtype if it has one.", valueName: "TYPE.SUBTYPE"))
    var name: String?
    @Flag(help: "List every type and subtype, and which of them this store never sends.")
    var list = false
    @OptionGroup var given: AccountActionOptions

    func validate() throws {
        guard (name == nil) == list else {
            throw ValidationError("Give a notification, or --list.")
        }
        guard let name else { return }
        let kind = try NotificationArgument.kind(name)
        guard !kind.type.isNeverSent else {
            let why = Output.strings[.notification(.whyNever(kind.type))]
            throw ValidationError("This store never sends \(kind): \(why).")
        }
    }

    func run(in store: OpenStore) async throws {
        let outbox = try store.outbox
        guard let name else { return try writeList() }
        let kind = try NotificationArgument.kind(name)
        if kind.type == .test, try await outbox.server().notifications?.url == nil {
            throw ValidationError(Output.strings[.notification(.sentTo(address: nil))])
        }
        let position = try await store.console.head().position
        let account =
            options.account == nil ? AccountName("trigger-\(position)") : store.account
        let isForPeople = !options.json
        let trigger = Trigger(
            kind, console: store.console, outbox: outbox, walk: store.clockWalk(),
            session: store.host.session(
                account: account, device: store.deviceName, locale: store.locale)
        ) { step in
            if isForPeople { Output.line("storefront " + step) }
        }
        let item: OutboxItem?
        do { item = try await trigger.run() } catch let need as TriggerNeed {
            throw ValidationError(Output.strings[.notification(.needs(need))])
        }
        try await store.sendDue(tells: Output.errorIsTerminal)
        guard let item else {
            Output.error(.notification(.notCaused(kind: kind.description)))
            throw Exit.failed
        }
        let now = try await outbox.item(item.id) ?? item
        try write(json: now.fields) {
            Output.line(.notification(.triggered(kind: kind.description)))
            if !now.attempts.isEmpty {
                Output.line("\(kind)  " + Output.strings[.notification(now.tried)])
            }
        }
        if isForPeople { try await store.noteUnsent() }
    }

    private func writeList() throws {
        for kind in NotificationKind.all {
            let why =
                kind.type.isNeverSent
                ? Output.strings[.notification(.whyNever(kind.type))] : nil
            try write(
                json: ["notification": kind.description, "never": why] as JSONFields
            ) {
                Output.line(kind.description + (why.map { "  (\($0))" } ?? ""))
            }
        }
    }
}
