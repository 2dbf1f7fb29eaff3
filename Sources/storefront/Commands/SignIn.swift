import ArgumentParser
import Foundation
import ShopText
import StoreDevice
import StoreModel

struct SignIn: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign the account in to the App Store on this device.",
        discussion: """
            A device is signed in until somebody signs out (storefront sign-out). Where nobody is \
            signed in, buying in the shop asks for the account first, names the environment, and \
            continues afterwards; so does storefront buy on a terminal.

            EXAMPLE
              storefront sign-in --account aoi --device phone
            """)

    @OptionGroup var given: CustomerOptions

    func run(in store: OpenStore) async throws { try await sign(in: true, store) }
}

struct SignOut: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign the account out of the App Store on this device.",
        discussion: """
            What the account owns stays on the device. What needs an account is refused \
            (notSignedIn) before anything is sent: buying, restoring, claiming, refund requests, \
            refreshing the receipt, counting trials anew. A payment that was sent before still gets \
            its outcome.

            EXAMPLE
              storefront sign-out --account aoi --device phone
            """)

    @OptionGroup var given: CustomerOptions

    func run(in store: OpenStore) async throws { try await sign(in: false, store) }
}

extension StoreCommand {
    fileprivate func sign(in isSignedIn: Bool, _ store: OpenStore) async throws {
        try await store.device().setSignedIn(isSignedIn)
        let account = store.account.rawValue
        let environment = store.session.identity.environment.rawValue
        try write(
            json: [
                "account": account, "device": store.session.device, "environment": environment,
                "isSignedIn": isSignedIn,
            ] as JSONFields
        ) {
            Output.line(
                isSignedIn
                    ? .signedInAs(account: account, environment: environment)
                    : .signedOutOf(account: account))
        }
    }
}

extension Device {
    /// Asks the person at the terminal to sign in, and names the environment, if no account is
    /// signed in. Without a terminal it asks nothing, and the store refuses the purchase.
    func askToSignIn(_ store: OpenStore, json: Bool) async throws(StoreError) {
        guard !json, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
            try await !isSignedIn()
        else { return }
        Output.remark(
            Output.strings[
                .signInPrompt(
                    account: store.account.rawValue,
                    environment: store.session.identity.environment.rawValue)])
        guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else { return }
        try await setSignedIn(true)
    }
}
