import ArgumentParser
import Shop
import ShopText
import StoreCatalog
import StoreModel

/// The catalog has errors, which `reading` names, so no store can sell it.
struct BadCatalog: Error { let reading: CatalogReading }

/// The exit codes, on which scripts rely.
enum Exit {
    static let pending = ExitCode(10)
    static let cancelled = ExitCode(11)
    static let failed = ExitCode(12)
    static let notVerified = ExitCode(13)
    /// Sold and charged, but not complete yet.
    static let incomplete = ExitCode(14)
    static let usage = ExitCode(64)
    static let badCatalog = ExitCode(65)
    static let unavailable = ExitCode(69)
    static let outputLost = ExitCode(74)

    static func code(for error: StoreError) -> ExitCode {
        switch error.code {
        case .userCancelled: cancelled
        case .invalidName, .invalidQuantity, .paymentMismatch, .spendMismatch, .clockOutOfRange:
            usage
        case .storeBusy, .storeReplaced, .storeReadOnly, .storeFull, .storeUnreadable,
            .storeNewer, .storeOlder, .storeOfAnotherApp, .notAStore, .outcomeUnknown,
            .storeOnNetwork, .storeUnreachable, .databaseUnsupported, .storeMoved, .copyUnfinished,
            .storeExists, .copyDiffers,
            .keysUnreadable,
            .rootChanged,
            .deviceBusy, .deviceFull, .deviceUnreadable,
            .storeBehind, .dueNotRecorded, .extendedInPart:
            unavailable
        case .verificationFailed: notVerified
        case .packageInvalid, .listInvalid, .productListInvalid, .fileUnreadable: badCatalog
        case .fileUnwritable, .fileExists: outputLost
        default: failed
        }
    }
}

/// Runs a command's work. Writes an error to standard error and throws its exit code.
///
/// - Parameters:
///   - options: the language of the texts; with `--json` the error is written in JSON, too.
///   - notesMistakes: false where mistakes in the person's settings are told in another way.
func reporting(
    _ options: GlobalOptions, notesMistakes: Bool = true, _ work: () async throws -> Void
) async throws {
    var strings = try options.strings()
    strings.account = options.account ?? options.organizer
    Output.speak(strings)
    if options.json, options.csv { throw ValidationError("Give --json or --csv, not both.") }
    if notesMistakes { PersonSettings.noteMistakes() }
    do {
        try await work()
        if Output.isLost { throw OutputLost() }
    } catch is OutputLost {
        throw Exit.outputLost
    } catch let error as StoreError {
        Output.report(error, json: options.json)
        throw Exit.code(for: error)
    } catch let error as BadCatalog {
        Output.report(error.reading)
        throw Exit.badCatalog
    }
}
