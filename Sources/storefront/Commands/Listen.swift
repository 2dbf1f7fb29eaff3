import ArgumentParser
import ContentClient
import Foundation
import ShopText
import StoreHost
import StoreModel
import StoreServer

/// Forwards notifications to a backend under development.
struct Listen: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Forward the store's notifications to the backend you develop.",
        discussion: """
            Each notification from now on is sent once to the given address, beside the store's own \
            address, which stays as it is. A line tells what your backend answered; who reads the \
            lines too slowly holds nothing up, and is told how many were missed. While it runs it \
            also sends to the store's own address, unless another process of the store does.

            EXAMPLES
              storefront listen --forward-to http://127.0.0.1:3000/apple/notifications
              storefront listen --forward-to http://localhost:3000/ --events REFUND
              storefront listen --forward-to http://localhost:3000/ --print-json
            """)

    @Option(help: ArgumentHelp("http, on this machine.", valueName: "address"))
    var forwardTo: String
    @Option(
        help: ArgumentHelp(
            "Only these, separated by commas: types, or types with subtypes.", valueName: "names"))
    var events: String?
    @Flag(help: "Print what each notification says, decoded.") var printJSON = false

    @OptionGroup var given: OperatorOptions

    private var names: [String] {
        (events ?? "").split(separator: ",").map { $0.uppercased() }
    }

    func validate() throws {
        try NotificationArgument.check(address: forwardTo)
        for name in names where NotificationType(rawValue: name) == nil {
            _ = try NotificationArgument.kind(name)
        }
    }

    func run(in store: OpenStore) async throws {
        let listener = try Listener(
            outbox: store.outbox, poster: HTTPPost(), address: forwardTo,
            names: Set(names))
        Output.goOnWithoutLines()
        let sending = store.startSender()
        defer { sending.cancel() }
        let (isForPeople, printsJSON) = (!options.json, printJSON)
        let lines = Backlog<Listener.Forwarded>(
            isForPeople: isForPeople, missed: { .notification(.notListed($0)) },
            write: { Self.write($0, isForPeople: isForPeople, printsJSON: printsJSON) })
        SignalEnd.before(SignalEnd.requests) { _ in lines.finish() }
        defer { lines.finish() }
        try await listener.run {
            if isForPeople {
                Output.note(.notification(.listening(address: forwardTo)))
            } else {
                try? Output.json(["forwardingTo": forwardTo] as JSONFields)
            }
        } onAnswer: { forwarded in
            lines.add(forwarded)
        }
    }

    private static func write(
        _ forwarded: Listener.Forwarded, isForPeople: Bool, printsJSON: Bool
    ) {
        let notification = forwarded.notification
        let outcome = forwarded.outcome
        guard isForPeople else {
            try? Output.json(
                [
                    "notificationUUID": notification.id,
                    "notificationType": notification.kind.type,
                    "subtype": notification.kind.subtype, "productId": notification.productID,
                    "transactionId": notification.transaction, "result": outcome.result,
                    "status": outcome.status, "milliseconds": forwarded.milliseconds,
                    "contents": printsJSON ? notification.contents : nil,
                ] as JSONFields)
            return
        }
        let status = outcome.status.map(String.init) ?? outcome.result.rawValue
        let product = notification.productID.map { "  \($0)" } ?? ""
        Output.line(
            "\(notification.kind)\(product)  \(status)  \(forwarded.milliseconds) ms")
        if printsJSON { try? Output.json(notification.contents) }
    }
}
