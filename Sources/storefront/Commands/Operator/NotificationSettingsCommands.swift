import ArgumentParser
import Foundation
import ShopText
import StoreEngine
import StoreHost
import StoreModel
import StoreServer

/// Where the store's notifications go.
struct NotificationSettingsCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Where the store sends its App Store Server Notifications.",
        discussion: """
            They are sent while serve or listen runs, and when the clock is moved. A failed one is \
            sent again after 1, 12, 24, 48 and 72 hours of the store's clock in production; in the \
            sandbox, as in the field, only if retry is on.

            EXAMPLES
              storefront operator notifications url http://127.0.0.1:3000/notifications
              storefront operator notifications test
              storefront operator notifications retry on
              storefront operator notifications off
            """,
        subcommands: [
            ShowNotificationSettings.self, SetNotificationAddress.self, StopNotifications.self,
            TestNotification.self, RetryNotifications.self,
        ],
        defaultSubcommand: ShowNotificationSettings.self)
}

struct ShowNotificationSettings: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Where notifications go, and whether they are sent again.")

    @OptionGroup var given: OperatorOptions

    func run(in store: OpenStore) async throws {
        let server = try await store.outbox.server()
        try write(server, of: store)
        if !options.json { try await store.noteUnsent() }
    }
}

/// A command that changes where notifications go.
protocol NotificationsChangeCommand: OperatorCommand {
    var change: NotificationsChange { get }
}

extension NotificationsChangeCommand {
    func run(in store: OpenStore) async throws {
        try write(try await store.outbox.change(change), of: store)
    }
}

struct SetNotificationAddress: NotificationsChangeCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Send notifications to an address of this machine, over http.")

    @Argument(
        help: ArgumentHelp(
            "Such as http://127.0.0.1:3000/apple/notifications.", valueName: "address"))
    var address: String

    @OptionGroup var given: ActionOptions

    func validate() throws { try NotificationArgument.check(address: address) }

    var change: NotificationsChange { .send(to: address, host: NotificationSettings.thisHost) }
}

struct StopNotifications: NotificationsChangeCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Send no notifications.")

    @OptionGroup var given: ActionOptions

    var change: NotificationsChange { .stop }
}

struct RetryNotifications: NotificationsChangeCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Whether failed notifications are sent again in the sandbox, too.")

    @Argument(help: "on or off") var state: Switch

    @OptionGroup var given: ActionOptions

    var change: NotificationsChange { .retryInSandbox(state == .on) }
}

struct TestNotification: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a notification of type TEST to the address.")

    @OptionGroup var given: ActionOptions

    func run(in store: OpenStore) async throws {
        let outbox = try store.outbox
        guard let queued = try await outbox.queueTest() else {
            throw ValidationError(Output.strings[.notification(.sentTo(address: nil))])
        }
        try await store.sendDue(tells: Output.errorIsTerminal)
        let item = try await outbox.item(queued.id) ?? queued
        try write(json: item.fields) {
            Output.line(
                item.attempts.isEmpty
                    ? Output.strings[.notification(.queued(id: item.id.uuidString.lowercased()))]
                    : "TEST  " + Output.strings[.notification(item.tried)])
        }
    }
}

extension CommandWithOptions {
    fileprivate func write(_ server: ServerSettings, of store: OpenStore) throws {
        let settings = server.notifications
        let isProduction = store.host.engine.identity.environment == .production
        let retries = isProduction || settings?.retriesInSandbox == true
        try write(
            json: ["url": settings?.url, "host": settings?.host, "retries": retries] as JSONFields
        ) {
            Output.line(.notification(.sentTo(address: settings?.url)))
            if settings?.url != nil { Output.line(.notification(.retries(retries))) }
        }
    }
}
