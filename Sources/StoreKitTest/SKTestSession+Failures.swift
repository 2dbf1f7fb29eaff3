#if os(Linux)
public import StoreKit
import StoreModel
import Synchronization

extension SKTestSession {
    /// Makes every later call fail with an error; nil lets them succeed again. A call or failure that
    /// a client has declared is an `SKTestError.invalidAction`.
    public func setSimulatedError<API: FailableStoreKitAPI>(
        _ error: API.Failure?, forAPI api: API
    ) async throws {
        let failure = error as? any StoreFailing
        guard let call = (api as? any StoreCall)?.call, (failure == nil) == (error == nil) else {
            throw SKTestError(.invalidAction, "StoreKit has no call \(API.self).")
        }
        failures.withLock { $0.simulated[call] = failure }
        try await refreshFault(of: call)
    }

    /// The error with which a call fails; nil if it does not.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        guard let call = (api as? any StoreCall)?.call else { return nil }
        if let simulated = failures.withLock({ $0.simulated[call] }) {
            return simulated as? API.Failure
        }
        let faults = try? await store.console.faults()
        let fault = faults?.first { $0.call == call }
        return fault.flatMap { fault in
            (API.Failure.self as? any StoreFailing.Type)?.init(fault.error) as? API.Failure
        }
    }

    /// Whether purchases fail with `failureError`.
    @available(*, deprecated, message: "setSimulatedError(_:forAPI:) has the errors of StoreKit 2")
    public var failTransactionsEnabled: Bool {
        get { failures.withLock { $0.failsTransactions } }
        set {
            failures.withLock { $0.failsTransactions = newValue }
            refreshPurchaseFault()
        }
    }

    /// The error of `failTransactionsEnabled`. One that a purchase cannot fail with is `unknown`.
    @available(*, deprecated, message: "setSimulatedError(_:forAPI:) has the errors of StoreKit 2")
    public var failureError: SKError.Code {
        get { failures.withLock { $0.failureError } }
        set {
            failures.withLock { $0.failureError = newValue }
            refreshPurchaseFault()
        }
    }

    private func refreshPurchaseFault() {
        _ = try? Self.waiting { try await self.refreshFault(of: .purchase) }
    }

    /// Makes the store fail as `failures` says.
    private func refreshFault(of call: Fault.Call) async throws {
        let wanted: StoreError.Code? = failures.withLock { failures in
            let verification = failures.simulated[.verification] as? SKTestFailures.Verification
            store.simulate(
                failures.simulated.mapValues { (code: $0.code, error: $0.error) },
                reporting: verification?.reportedReason)
            if let simulated = failures.simulated[call] { return simulated.code }
            guard call == .purchase, failures.failsTransactions else { return nil }
            let number = failures.failureError.rawValue
            return call.errors.first { $0.skError?.code == number } ?? .unknown
        }
        for fault in try await store.console.faults() where fault.call == call {
            _ = try await store.console.perform(.clearFault(fault.id))
        }
        if let wanted {
            _ = try await store.console.perform(.failNext(call, error: wanted, count: nil))
        }
        await store.catchUp()
    }
}
#endif
