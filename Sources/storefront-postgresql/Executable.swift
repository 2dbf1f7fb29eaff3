#if PostgreSQL
import CommandLineProgram
import PostgreSQLLedger

@main
enum Executable {
    @MainActor static func main() async {
        await StorefrontProgram.main(databases: PostgreSQLDatabases())
    }
}
#else
import Glibc

@main
enum Executable {
    /// There is nothing to run without libpq.
    static func main() {
        let text = "Built without the package trait PostgreSQL. Build it with: make postgresql\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(69)
    }
}
#endif
