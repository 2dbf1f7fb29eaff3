import StoreHost
import StoreModel
import Testing

@Suite struct StoreAddressTests {
    @Test(
        "an address names a store of a database, and keeps libpq's parameters",
        arguments: [
            ("postgresql://db.example.com/shop", "postgresql://db.example.com/shop", "storefront"),
            ("postgres://aoi@db:5433/shop?store=team-1", "postgresql://aoi@db:5433/shop", "team-1"),
            (
                "postgresql:///shop?host=/run/pg&store=a%20b&sslmode=require",
                "postgresql:///shop?host=/run/pg&sslmode=require", "a b"
            ),
            (
                "POSTGRESQL://h/d?store=x%22%3B%20DROP%20SCHEMA%20public",
                "postgresql://h/d", "x\"; DROP SCHEMA public"
            ),
            ("postgresql://?service=team", "postgresql://?service=team", "storefront"),
        ])
    func addresses(text: String, uri: String, store: String) throws {
        let address = try DatabaseAddress(text)
        #expect(address.uri == uri && address.store == store)
        #expect(try DatabaseAddress(address.text) == address)
    }

    @Test(
        "an address with a password is refused, with the way to give one, and is not repeated",
        arguments: [
            "postgresql://aoi:hunter2@h/d", "postgresql://:hunter2@/d",
            "postgresql://h/d?password=hunter2", "postgresql://h/d?pass%77ord=hunter2",
            "postgresql://h/d?store=a&sslpassword=hunter2", "postgresql://a:hunter2@h?x@y/d",
            "postgresql:hunter2", "postgresql://aoi:hunter2\u{301}@h/d",
        ])
    func passwords(text: String) throws {
        let error = #expect(throws: StoreError.self) { try DatabaseAddress(text) }
        #expect(error?.code == .invalidName && error?.expected != nil)
        #expect(!"\(String(describing: error))".contains("hunter2"))
        guard text.hasPrefix("postgresql://"), text.utf8.count == text.count else { return }
        #expect(error?.expected?.text.contains(".pgpass") == true)
    }

    @Test(
        "a name that PostgreSQL would cut or keeps for itself is refused",
        arguments: [
            "", "pg_catalog", "information_schema", "a%00b", String(repeating: "a", count: 64),
        ])
    func names(name: String) {
        let error = #expect(throws: StoreError.self) {
            try DatabaseAddress("postgresql://h/d?store=" + name)
        }
        #expect(error?.code == .invalidName && error?.subject == "store")
    }

    @Test("the option comes before $STOREFRONT_STORE, and that before a folder by the app's name")
    func chosen() throws {
        var paths = StoragePaths.current
        paths.environment = ["HOME": "/home/aoi", "STOREFRONT_STORE": "postgresql://h/d?store=a"]
        let database = try DatabaseAddress("postgresql://h/d?store=a")
        #expect(try paths.store(option: nil, bundleID: "x.y") == .database(database))
        #expect(try paths.store(option: "/s", bundleID: "x.y") == .folder("/s"))
        paths.environment["STOREFRONT_STORE"] = nil
        let folder = "/home/aoi/.local/share/storefront/x.y"
        #expect(try paths.store(option: nil, bundleID: "x.y") == .folder(folder))
        #expect(try paths.chosenStore(option: nil) == nil)
    }

    @Test("a program without a database's library says so, and makes nothing")
    func unsupported() async throws {
        let address = try DatabaseAddress("postgresql://h/d?store=a")
        let error = await #expect(throws: StoreError.self) { try await address.opened(by: nil) }
        #expect(error?.code == .databaseUnsupported)
        #expect(error?.subject == "postgresql://h/d?store=a")
    }
}
