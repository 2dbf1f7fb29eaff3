import Foundation
import TestBasics
import Testing

/// SIGKILL during a download, many times: the next process resumes at the byte that the killed one
/// reached, and the content at the end equals the hosted one. `STOREFRONT_DOWNLOAD_KILLS` sets how
/// many kills must hit a living process; `STOREFRONT_SEED` repeats a run's random choices.
@Suite("SIGKILL in the middle of a download", .withProgram, .inTurn)
struct DownloadKillTests {
    private static let killsARound = 8

    @Test(
        "a download killed at any byte goes on there, has the hosted bytes, and is sold once [E5]")
    func kill() async throws {
        let environment = ProcessInfo.processInfo.environment
        let wanted = environment["STOREFRONT_DOWNLOAD_KILLS"].flatMap { Int($0) } ?? 40
        let seed =
            environment["STOREFRONT_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
        var random = SplitMix64(seed: seed)
        var tally = DownloadKillTally()
        var rounds = 0
        while tally.kills < wanted {
            // Folders and packages, with few files and with many, in turn.
            let round = try await DownloadKillRound(
                random: random, isPackage: rounds % 2 == 1, hasManyFiles: rounds / 2 % 2 == 1)
            rounds += 1
            try await round.run(kills: min(Self.killsARound, wanted - tally.kills))
            try await round.audit()
            tally.add(round.tally)
            random = round.random
            #expect(
                round.problems.isEmpty, "seed \(seed), round \(rounds): \(round.problems)")
            if !round.problems.isEmpty { break }
        }
        print("Download kill test: seed \(seed), \(rounds) rounds, \(tally.text)")
    }
}

/// Counts the kills by the point of the download at which they came.
struct DownloadKillTally {
    var kills = 0
    /// Runs that ended before their kill.
    var tooLate = 0
    var whileBytesCame = 0
    var whenAllHadCome = 0
    var whenInPlace = 0

    mutating func add(_ other: DownloadKillTally) {
        kills += other.kills
        tooLate += other.tooLate
        whileBytesCame += other.whileBytesCame
        whenAllHadCome += other.whenAllHadCome
        whenInPlace += other.whenInPlace
    }

    var text: String {
        """
        \(kills) kills of a living process (\(tooLate) more came too late): \(whileBytesCame) while \
        bytes came, \(whenAllHadCome) when all had come, \(whenInPlace) when the content was in \
        place.
        """
    }
}
