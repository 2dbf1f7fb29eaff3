import CFaultyVFS

/// A folder whose n-th write, sync or truncate by SQLite fails. Loop n = 1, 2, 3 … until none
/// fires.
package final class FaultyDisk: @unchecked Sendable {
    package enum Kind: CaseIterable, Sendable {
        /// Once: no room.
        case full
        /// Once: the disk says no.
        case broken
        /// Once and for all: what was not synced is gone.
        case powerCut
        /// Until `stop`: no room.
        case fullOn

        /// Those that strike once.
        package static let allCases: [Kind] = [.full, .broken, .powerCut]
    }

    // Set once; what it points to is guarded by a lock of its own.
    private let world: OpaquePointer

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

    /// The n-th step from now on fails.
    package func arm(failAt: Int) { faulty_world_arm(world, Int32(failAt)) }

    /// Pages SQLite has read so far, from the disk and not from its memory.
    package var reads: Int { Int(faulty_world_reads(world)) }

    /// Everything works again.
    package func end() { faulty_world_end(world) }

    /// From now on nothing more fails, also for a connection that is only now being closed; what was
    /// cut stays cut. Whether the failure was reached.
    package func stop() -> Bool { faulty_world_stop(world) != 0 }

    /// Copies what survives a power cut into another folder.
    package func saveSynced(to folder: String) -> Bool {
        faulty_world_save_synced(world, folder) != 0
    }

    package static func isWhole(_ database: String) -> Bool {
        faulty_integrity_is_ok(database) != 0
    }
}
