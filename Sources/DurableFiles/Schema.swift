extension DurableDatabase {
    /// How a new file is created, and how a file of an earlier version is migrated.
    ///
    /// A file is never migrated in place, because another process may have it open and knows only
    /// the version it found. A new file is made beside it and renamed over it (`FileMigration`).
    package struct Schema: Sendable {
        /// SQLite's `application_id`. A file with another one is refused (`storeUnreadable`).
        let applicationID: Int32
        /// SQLite's `user_version` of a file once it is open. A file with a higher one is refused
        /// (`storeNewer`).
        let version: Int
        let upgrade: Upgrade

        /// How a file of an earlier version becomes one of this version.
        enum Upgrade: Sendable {
            /// Copied, then changed by the migrations it does not have.
            case steps([Migration])
            /// Created anew and filled from the old file.
            case rebuilt(create: @Sendable (SQLConnection) throws -> Void, Rebuild)
        }

        /// A schema that is a list of migrations. A new file applies all of them; an older file is
        /// copied, and the copy applies the migrations that it lacks.
        ///
        /// - Parameter migrations: numbered from 1 without gaps (a precondition). Never change one
        ///   that was released.
        package init(applicationID: Int32, migrations: [Migration]) {
            precondition(migrations.map(\.version) == Array(1...max(1, migrations.count)))
            self.applicationID = applicationID
            version = migrations.count
            upgrade = .steps(migrations)
        }

        /// A schema whose older files are read but never changed: a new file is created and filled
        /// from the old one.
        ///
        /// - Parameters:
        ///   - create: creates the tables of this version in an empty file.
        ///   - rebuild: fills the new file from one of an earlier version.
        package init(
            applicationID: Int32, version: Int,
            create: @escaping @Sendable (SQLConnection) throws -> Void, rebuild: Rebuild
        ) {
            self.applicationID = applicationID
            self.version = version
            upgrade = .rebuilt(create: create, rebuild)
        }

        func create(in connection: SQLConnection) throws {
            switch upgrade {
            case .steps(let migrations):
                for migration in migrations { try migration.run(connection) }
            case .rebuilt(let create, _): try create(connection)
            }
        }
    }

    /// One numbered change of a schema.
    package struct Migration: Sendable {
        let version: Int
        let run: @Sendable (SQLConnection) throws -> Void

        /// `run` is in one transaction with the other migrations.
        package init(_ version: Int, _ run: @escaping @Sendable (SQLConnection) throws -> Void) {
            self.version = version
            self.run = run
        }
    }

    /// Fills a new file, made by `create`, from one of an earlier version.
    package struct Rebuild: Sendable {
        /// The two open files of one call.
        package struct Work {
            /// Read it only.
            package let old: SQLConnection
            /// Has the tables of this version.
            package let new: SQLConnection
            package let oldVersion: Int
            let onProgress: (_ done: Int64, _ total: Int64) throws -> Void

            /// For `OpeningDelay.migrating`. Call it after each small page.
            package func tell(done: Int64, of total: Int64) throws { try onProgress(done, total) }
        }

        let run: @Sendable (Work) throws -> Void

        /// - Parameter run: called twice: first while other processes still write to the old file,
        ///   then while none can. The second call must add the rows that the first did not find.
        ///   Must not change the old file.
        package init(_ run: @escaping @Sendable (Work) throws -> Void) { self.run = run }
    }
}
