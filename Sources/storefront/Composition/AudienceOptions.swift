import ArgumentParser

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
