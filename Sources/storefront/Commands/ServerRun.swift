import ArgumentParser
import ContentServer
import Foundation
import StoreModel

/// Runs a server until a signal ends the process.
enum ServerRun {
    /// How long the answers that have begun may take once the process is to end, in milliseconds.
    private static let endMax = 900

    /// The value of `--port`.
    static func check(port: Int) throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port wants a number from 0 to 65535.")
        }
    }

    /// - Parameter atEnd: called before the process ends by a signal.
    static func untilSignal(
        _ server: HTTPServer, onListening: @escaping @Sendable (_ port: Int) async -> Void,
        onAnswer: (@Sendable (ServedRequest) -> Void)? = nil,
        atEnd: @escaping @Sendable () -> Void = {}
    ) async throws {
        let serving = Task { () async -> StoreError? in
            do throws(StoreError) {
                try await server.run(onListening: onListening, onAnswer: onAnswer)
                return nil
            } catch { return error }
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
            atEnd()
        }
        if let error = await serving.value { throw error }
        // A signal is about to end the process, so that its parent sees a death by signal. A return
        // from here could end the process first, with exit code 0.
        while serving.isCancelled { try? await Task.sleep(for: .seconds(1)) }
    }
}
