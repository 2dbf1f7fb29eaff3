import ArgumentParser
import ContentServer
import Foundation
import StoreHost
import StoreModel

/// Runs a server until a signal ends the process, or the store is gone.
enum ServerRun {
    /// How long the answers that have begun may take once the process is to end, in milliseconds.
    private static let endMax = 900

    /// The value of `--port`.
    static func check(port: Int) throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port wants a number from 0 to 65535.")
        }
    }

    /// - Parameters:
    ///   - host: has the store.
    ///   - onListening: gets the port. What it throws ends the server.
    ///   - atEnd: called before the process ends, with the error if the store is gone.
    /// - Throws: `storeReplaced` or `storeNewer` once the store was deleted, moved or replaced: no
    ///   request could be answered any more; `contentServerFailed`; errors of `onListening`.
    static func untilSignal(
        _ server: HTTPServer, over host: StoreHost,
        onListening: @escaping @Sendable (_ port: Int) throws(StoreError) -> Void,
        onAnswer: (@Sendable (ServedRequest) -> Void)? = nil,
        atEnd: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) async throws {
        Output.goOnWithoutLines()
        let (refusals, refusal) = AsyncStream.makeStream(of: StoreError.self)
        let serving = Task { () async -> StoreError? in
            do throws(StoreError) {
                try await server.run(
                    onListening: { port in
                        do throws(StoreError) { try onListening(port) } catch {
                            refusal.yield(error)
                        }
                    }, onAnswer: onAnswer)
                return nil
            } catch { return error }
        }
        let refusing = Task { () async -> StoreError? in
            for await error in refusals {
                serving.cancel()
                return error
            }
            return nil
        }
        let (store, wakes) = (host.servedStore, host.outboxStore.changes())
        let watching = Task { () async -> StoreError? in
            let error = await gone(store, wakes)
            if error != nil { serving.cancel() }
            return error
        }
        // Answers that have begun are completed; then the signal ends the process.
        SignalEnd.before(SignalEnd.requests) { _ in
            let isDone = DispatchSemaphore(value: 0)
            serving.cancel()
            Task {
                _ = await serving.value
                isDone.signal()
            }
            _ = isDone.wait(timeout: .now() + .milliseconds(endMax))
            atEnd(nil)
        }
        let failure = await serving.value
        watching.cancel()
        refusing.cancel()
        if let failure { throw failure }
        if let error = await refusing.value { throw error }
        if let error = await watching.value {
            atEnd(error)
            throw error
        }
        // A signal is about to end the process, so that its parent sees a death by signal. A return
        // from here could end the process first, with exit code 0.
        while serving.isCancelled { try? await Task.sleep(for: .seconds(1)) }
    }

    /// Waits until a store is gone. Its wakes come after every commit, too.
    ///
    /// - Returns: nil if the task was cancelled before.
    private static func gone(
        _ store: some ServedStore, _ wakes: AsyncStream<Void>
    ) async -> StoreError? {
        while await wakes.nextWake() {
            do throws(StoreError) { _ = try await store.position() } catch {
                // The latter where one of a newer version was put in its place.
                if [.storeReplaced, .storeNewer].contains(error.code) { return error }
            }
        }
        return nil
    }
}
