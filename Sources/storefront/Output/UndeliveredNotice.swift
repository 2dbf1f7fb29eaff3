import ShopText
import StoreDevice
import StoreModel

extension StoreCommand {
    /// For a command that shows what this device has: notes what was sold and is not delivered here
    /// yet, with the commands that deliver it. Says nothing in JSON, and where the device cannot be
    /// opened.
    func noteUndelivered(in store: OpenStore) async {
        guard !options.json, let waiting = try? await store.deviceToRead().undelivered() else {
            return
        }
        let unclaimed = waiting.filter(\.isUnclaimed)
        let mine = waiting.count - unclaimed.count
        if mine > 0 {
            Output.note(.undeliveredLine(mine, deliver: command("restore")))
        }
        if !unclaimed.isEmpty {
            Output.note(
                .unclaimedLine(
                    unclaimed.count, claim: unclaimed.map { command("claim \($0.id)") }))
        }
    }

    /// A command for the same account and device.
    private func command(_ words: String) -> String {
        "storefront \(words)" + (options.account.map { " --account \($0)" } ?? "")
            + (options.device.map { " --device \($0)" } ?? "")
    }
}
