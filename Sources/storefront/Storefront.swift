import ArgumentParser

@main
struct StorefrontCommand: AsyncParsableCommand {
    func run() async throws {}
}
