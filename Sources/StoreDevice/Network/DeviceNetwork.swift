import DurableFiles
import Foundation
package import StoreModel
import Synchronization

/// The network of one device: on, or cut on purpose. The state is a small file in the device's
/// folder, replaced by a rename. So all processes of the device see a change at once, and the state
/// survives them. A file that is missing, is a link or holds other contents means that the network
/// is on.
///
/// It is off, too, in a process that could not reach the store's server, until that answers again:
/// the device then does what it does while its network is cut.
package final class DeviceNetwork: Sendable {
    private let folder: String
    private let elapsed: any Clock<Duration>
    private let time: @Sendable () -> NetworkTime
    private let signal = ChangeSignal()
    /// Nil before the first wait.
    private let watching = Mutex<Bool?>(nil)
    /// Why the store's server was not reached; nil if it was, the last time.
    private let unreachable = Mutex<StoreError?>(nil)

    /// - Parameters:
    ///   - folder: the device's folder, which need not exist yet.
    ///   - elapsed: elapsed time, for waiting.
    ///   - time: the system's times.
    package init(
        folder: String, elapsed: any Clock<Duration> = ContinuousClock(),
        time: @escaping @Sendable () -> NetworkTime = { .now() }
    ) {
        self.folder = folder
        self.elapsed = elapsed
        self.time = time
    }

    /// The store as this device reaches it. While the network is cut, every call throws
    /// `StoreError.networkIsOff` without reaching the store, and feeds end with that error.
    package func reached(_ store: any Store) -> some Store {
        NetworkedStore(store, network: self)
    }

    private static let fileName = "network"
    /// Written by this program at most.
    private static let bytesMax = 1024

    // MARK: - The state

    package func state() -> NetworkState {
        let chosen = chosenState()
        return chosen.isOff || unreachable.withLock({ $0 == nil }) ? chosen : .serverAway
    }

    /// As a person has set it.
    private func chosenState() -> NetworkState {
        guard let bytes = SmallFile.read(Self.fileName, in: folder, bytesMax: Self.bytesMax),
            let file = NetworkFile(bytes)
        else { return .on }
        return file.state(at: time())
    }

    package var isOff: Bool { state().isOff }

    /// Whether a person has cut it.
    var isCut: Bool { chosenState().isOff }

    /// The error of a call that does not reach the store from this device; nil while it is on.
    func obstacle(on device: DeviceName) -> StoreError? {
        guard !isCut else { return .networkIsOff(on: device) }
        return unreachable.withLock { $0 }
    }

    /// Throws `StoreError.networkIsOff` while the network is cut, and `storeUnreachable` while the
    /// store's server cannot be reached.
    func check(on device: DeviceName) throws(StoreError) {
        if let obstacle = obstacle(on: device) { throw obstacle }
    }

    /// Returns after the delay of a slow network, at once otherwise. Throws as `check` if the network
    /// is off before or meanwhile.
    func delay(on device: DeviceName) async throws(StoreError) {
        try check(on: device)
        guard case .slow(let milliseconds) = chosenState() else { return }
        try? await elapsed.sleep(for: .milliseconds(milliseconds))
        try check(on: device)
    }

    // MARK: - The store's server

    /// Looks at the error of a call that the store itself has answered, or could not: after
    /// `storeUnreachable` the network is off until `probe` throws that no more.
    func note(_ error: StoreError, probe: @escaping @Sendable () async throws(StoreError) -> Void) {
        guard error.code == .storeUnreachable else { return }
        let isNew = unreachable.withLock { known in
            defer { known = error }
            return known == nil
        }
        guard isNew else { return }
        signal.notify()
        Task { [weak self, elapsed] in
            repeat {
                try? await elapsed.sleep(for: DeviceLimits.probePause)
            } while await self?.isStillUnreachable(probe) == true
        }
    }

    private func isStillUnreachable(
        _ probe: @Sendable () async throws(StoreError) -> Void
    ) async -> Bool {
        do throws(StoreError) { try await probe() } catch  where error.code == .storeUnreachable {
            return true
        } catch {}
        unreachable.withLock { $0 = nil }
        signal.notify()
        return false
    }

    /// Durable when it returns.
    ///
    /// - Throws: `invalidName` for a time that is not from 1 ms to `NetworkChange.millisecondsMax`,
    ///   or a delay that is not from 1 ms to `NetworkChange.delayMax`; `deviceUnreadable`,
    ///   `deviceFull`.
    package func set(_ change: NetworkChange) throws(StoreError) {
        try Self.checkLength(of: change)
        try SmallFile.replace(Self.fileName, in: folder, with: NetworkFile(change, at: time()))
        signal.notify()
    }

    private static func checkLength(of change: NetworkChange) throws(StoreError) {
        switch change {
        case .on, .off(nil), .offAfterPayment(nil): return
        case .off(let length?), .offAfterPayment(let length?):
            guard (1...NetworkChange.millisecondsMax).contains(length) else {
                throw StoreError(
                    .invalidName, subject: "time", found: "\(length) ms", expected: "1s to 30d")
            }
        case .slow(let delay):
            guard (1...NetworkChange.delayMax).contains(delay) else {
                throw StoreError(
                    .invalidName, subject: "time", found: "\(delay) ms", expected: "1s to 60s")
            }
        }
    }

    // MARK: - Waiting

    /// Waits until the network is cut, or until it is not if `wanted` is false.
    ///
    /// - Returns: false if the task was cancelled.
    func wait(untilOff wanted: Bool) async -> Bool {
        let isWatching = watch()
        let wakes = signal.subscribe()
        while !Task.isCancelled {
            let state = state()
            if state.isOff == wanted { return true }
            let timer = pause(in: state, isWatching).map { pause in
                Task { [elapsed, signal] in
                    do { try await elapsed.sleep(for: pause) } catch { return }
                    signal.notify()
                }
            }
            defer { timer?.cancel() }
            guard await wakes.nextWake() else { return false }
        }
        return false
    }

    /// The pause before the file is read again without a wake: until the cut ends, but at most a
    /// second during a cut, because the deletion of the file causes no wake. Also a second if the
    /// file cannot be watched; nil if a wake suffices.
    private func pause(in state: NetworkState, _ isWatching: Bool) -> Duration? {
        let second = Duration.seconds(1)
        switch state {
        case .off(let remaining):
            return min(second, remaining.map { .milliseconds($0) } ?? second)
        case .serverAway: return second
        case .on, .offAfterPayment, .slow: return isWatching ? nil : second
        }
    }

    /// Done once; later calls return the first result.
    private func watch() -> Bool {
        watching.withLock { watching in
            if let watching { return watching }
            let canWatch =
                FileWatcher.shared?.watchEntry(Self.fileName, ofFolder: folder) { [weak signal] in
                    signal?.notify()
                    return signal != nil
                } ?? false
            watching = canWatch
            return canWatch
        }
    }
}

extension StoreError {
    /// The error for a payment that reached the store while its answer was lost in the cut network.
    static let answerLost = StoreError(
        .outcomeUnknown, reason: .network, found: Code.networkError.rawValue)
}
