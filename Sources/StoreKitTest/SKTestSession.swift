#if os(Linux)
public import Foundation
package import StoreKit
import StoreModel
import Synchronization

/// A store of a test's own, over a StoreKit configuration. It is the store of the process while it
/// is the newest session that lives; `StoreKitHost.with` binds a task to one. It ends, and leaves
/// nothing, when nobody refers to it any more.
/// The effects of a call are visible when it returns: in every list, and to every listener. What a
/// call throws that names no other error is an `SKTestError`.
// Sendable: it has only constants of Sendable types and a mutex.
open class SKTestSession: NSObject, @unchecked Sendable {
    package let store: AppStoreSession
    /// To which `resetToDefaultState` returns.
    let standard: (account: AccountSettings, renewals: RenewalSettings, faults: [Fault])
    let failures = Mutex(Failures())

    /// As the test has set them.
    struct Failures {
        var simulated: [Fault.Call: any StoreFailing] = [:]
        var failsTransactions = false
        var failureError = SKError.Code.unknown
    }

    /// Opens a store over the configuration of this name, with or without `.storekit`: one of the
    /// test's resources, else a file of the working folder or its parents up to that of a
    /// `Package.swift`, else one below that. The error lists the files if several have the name.
    public convenience init(configurationFileNamed name: String) throws {
        try self.init(contentsOf: URL(filePath: NamedConfiguration.find(name)))
    }

    /// Opens a store over a configuration. Throws `fileNotFound`, `invalidURL` for another file.
    public convenience init(contentsOf url: URL) throws {
        try self.init(contentsOf: url, isProcesses: true)
    }

    /// - Parameter isProcesses: false for a session that only bound tasks see.
    package init(contentsOf url: URL, isProcesses: Bool) throws {
        guard ["storekit", "json"].contains(url.pathExtension) else {
            throw SKTestError(.invalidURL, "\(url.path) is no .storekit file.")
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "There is no file \(url.path).")
        }
        let choice = AppStoreSession.Choice(file: url.path)
        (store, standard) = try SKTestSession.waiting {
            let store = try await AppStoreSession.open(choice)
            let console = store.console
            let standard = (
                account: try await console.settings(of: choice.account),
                renewals: try await console.clock().renewals,
                faults: try await console.faults()
            )
            return (store, standard)
        }
        super.init()
        if isProcesses { AppStoreProcess.begin(store) }
    }

    deinit {
        AppStoreProcess.end(store)
        // Tasks that are bound to the store may still hold it.
        Task { [store] in await store.close() }
    }

    /// Ends the session now. Returns when it has left nothing.
    package func close() async {
        AppStoreProcess.end(store)
        await store.close()
    }

    var account: AccountName { standard.account.name }

    /// Waits for work on a thread of its own.
    static func waiting<Value: Sendable>(
        for work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        do { return try Blocking.run(work) } catch let error as StoreError {
            throw SKTestError(error)
        }
    }

    func act(_ action: OperatorAction) throws {
        _ = try Self.waiting { [store] in try await store.perform(action) }
    }

    /// For calls that throw nothing, as Apple's: a value that is not allowed changes nothing.
    func set(_ action: OperatorAction) { try? act(action) }
}
#endif
