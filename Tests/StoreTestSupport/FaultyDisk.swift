import CFaultyVFS

/// A folder in which SQLite's n-th write, sync or truncate fails: tests loop n until none does.
package final class FaultyDisk: @unchecked Sendable {
    /// How the disk fails.
    package enum Kind: CaseIterable, Sendable {
        /// The n-th step fails once: a write for lack of space, others with an I/O error.
        case full
        /// The n-th step fails once, with an I/O error.
        case broken
        /// Every step from the n-th on fails, and unsynced data is lost.
        case powerCut
        /// Every write from the n-th step on fails for lack of space, until `stop`.
        case fullOn

        /// All kinds but `fullOn`, which tests choose by name.
        package static let allCases: [Kind] = [.full, .broken, .powerCut]
    }

    // Set once; a lock in the C code guards the object it points to.
    private let world: OpaquePointer

    /// Makes the `failAt`-th step (write, sync or truncate) in `folder` fail; none if that is 0.
    package init?(folder: String, failAt: Int, kind: Kind) {
        let code =
            switch kind {
            case .full: FAULTY_FULL
            case .broken: FAULTY_IO
            case .powerCut: FAULTY_CUT
            case .fullOn: FAULTY_FULL_ON
            }
        guard let world = faulty_world_begin(folder, Int32(failAt), Int32(code)) else {
            return nil
        }
        self.world = world
    }

    deinit { end() }

    /// Makes the n-th step from now on fail.
    package func arm(failAt: Int) { faulty_world_arm(world, Int32(failAt)) }

    /// The pages that SQLite has read from the disk instead of from its cache, so far.
    package var reads: Int { Int(faulty_world_reads(world)) }

    /// Removes the folder from this disk: files opened later use the system's VFS.
    package func end() { faulty_world_end(world) }

    /// Lets all later steps succeed, even of a connection that is still closing; a power cut stays
    /// in effect. Returns whether the failing step was reached.
    package func stop() -> Bool { faulty_world_stop(world) != 0 }

    /// Copies what survives a power cut into another folder. Returns false if that failed.
    package func saveSynced(to folder: String) -> Bool {
        faulty_world_save_synced(world, folder) != 0
    }

    /// Whether SQLite's integrity check finds no error in a database.
    package static func isWhole(_ database: String) -> Bool {
        faulty_integrity_is_ok(database) != 0
    }
}
