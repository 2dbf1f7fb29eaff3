import ArgumentParser
import Foundation

/// Whether the shop is shown to an audience.
struct AudienceOptions: ParsableArguments {
    @Flag(help: "For an audience: the customer's screens name no fault and nothing of the console.")
    var presenter = false

    /// The same options, for this audience.
    func applied(to options: GlobalOptions) -> GlobalOptions {
        var options = options
        options.isPresenting = presenter
        return options
    }
}

/// A command that shows the shop, whose dates and times are local ones.
protocol ShopCommand: ParsableCommand {
    var options: GlobalOptions { get }
}

extension ShopCommand {
    /// Lets times be shown in UTC where the store's clock was asked for and no time zone is set, so
    /// that the same clock shows the same times on every machine. Called before there is any other
    /// thread, because it changes the environment.
    func chooseTimeZone() {
        if options.clock != nil, getenv("TZ") == nil { setenv("TZ", "UTC", 1) }
    }
}
