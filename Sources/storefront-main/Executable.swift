import CommandLineProgram

@main
enum Executable {
    @MainActor static func main() async { await StorefrontProgram.main() }
}
