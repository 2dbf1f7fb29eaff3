import ArgumentParser
import Foundation

/// Whether the shop is shown to an audience.
struct AudienceOptions: ParsableArguments {
    @Flag(
        help: "For an audience: the customer's screens name no failure and nothing of the console.")
    var presenter = false

    func applied(to options: GlobalOptions) -> GlobalOptions {
        var options = options
        options.isPresenting = presenter
        return options
    }
}

/// A command that shows the shop, whose dates and times are local ones.
protocol ShopCommand: CommandWithOptions {}

extension ShopCommand {
    /// Shows times in UTC if `--clock` was given and TZ is not set, so that the same clock shows
    /// the same times on every machine. Call before the process starts any thread, because
    /// setenv(3) is not safe beside other threads.
    func chooseTimeZone() {
        if options.clock != nil, getenv("TZ") == nil { setenv("TZ", "UTC", 1) }
    }
}
