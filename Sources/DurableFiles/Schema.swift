extension DurableDatabase {
    /// What a file is: how a new one is made, and how one of an earlier version becomes one of this.
    ///
    /// A file is never changed where it lies, since another process may have it open and knows only
    /// the version it found: a new file is made beside it and renamed over it (`FileMigration`).
    package struct Schema: Sendable {
        /// Written into the file's header; another program's database is refused.
        package let applicationID: Int32
        /// The version of a file when it has been opened. A newer one is refused (`storeNewer`).
        package let version: Int
        let growth: Growth

        enum Growth: Sendable {
            case steps([Migration])
            case rebuilt(create: @Sendable (SQLConnection) throws -> Void, Rebuild)
        }

        /// A file that grew step by step. A new one takes all steps; an older one is copied, and the
        /// copy takes those it has not taken.
        ///
        /// - Parameter migrations: numbered from 1 without gaps; what was released is never changed.
        package init(applicationID: Int32, migrations: [Migration]) {
            precondition(migrations.map(\.version) == Array(1...max(1, migrations.count)))
            self.applicationID = applicationID
            version = migrations.count
            growth = .steps(migrations)
        }

        /// A file whose rows can all be made from a record it keeps. An older one is read, and a new
        /// one filled from it.
        ///
        /// - Parameter create: makes the tables of this version.
        package init(
            applicationID: Int32, version: Int,
            create: @escaping @Sendable (SQLConnection) throws -> Void, rebuild: Rebuild
        ) {
            self.applicationID = applicationID
            self.version = version
            growth = .rebuilt(create: create, rebuild)
        }

        func create(in connection: SQLConnection) throws {
            switch growth {
            case .steps(let migrations):
                for migration in migrations { try migration.run(connection) }
            case .rebuilt(let create, _): try create(connection)
            }
        }
    }

    /// One numbered change of a schema.
    package struct Migration: Sendable {
        /// What a file's version is afterwards.
        package let version: Int
        let run: @Sendable (SQLConnection) throws -> Void

        package init(_ version: Int, _ run: @escaping @Sendable (SQLConnection) throws -> Void) {
            self.version = version
            self.run = run
        }
    }

    /// Fills a new file, made by `create`, from one of an earlier version.
    package struct Rebuild: Sendable {
        /// What there is to do, and the old file's version.
        package struct Work {
            package let old: SQLConnection
            package let new: SQLConnection
            package let oldVersion: Int
            let told: (_ done: Int64, _ total: Int64) throws -> Void

            /// Call after each page, which should be small: this is what tells a person how far it
            /// is.
            package func tell(done: Int64, of total: Int64) throws { try told(done, total) }
        }

        let run: @Sendable (Work) throws -> Void

        /// - Parameter run: called twice, first while others still write to the old file and then
        ///   while nobody can; the second call brings over what the first did not find. Changes
        ///   nothing in the old file.
        package init(_ run: @escaping @Sendable (Work) throws -> Void) { self.run = run }
    }
}
