#if os(Linux)
import Basics
public import Foundation
import StoreKit
import StoreModel
import StoreHost
import StoreEngine

extension SKTestSession {
    /// The store's clock, which Apple's sessions do not have: a year of a subscription is a test of
    /// milliseconds. It runs as the system's until a test asks for something else.
    public var clock: Clock { Clock(store: store) }

    /// Stops and moves a session's time. What is due by then is visible when a call returns.
    public struct Clock: Sendable {
        let store: AppStoreSession

        /// The store's time.
        public var now: Date { store.now.date }

        /// Whether the store's time stands still.
        public var isStopped: Bool { store.isClockStopped }

        /// Lets the store's time stand still, so that nothing happens but what the test does.
        public func stop() throws { try perform(.stop) }

        /// Lets the store's time go on from where it is.
        public func resume() throws { try perform(.resume) }

        /// Moves the store's time forward by the calendar, in UTC: `advance(byAdding: .month, value:
        /// 1)`. Seconds, minutes, hours, days, weeks, months and years; another component, and going
        /// back, is an `invalidAction`.
        public func advance(byAdding component: Calendar.Component, value: Int) throws {
            guard let step = ClockStep(component, value) else {
                throw SKTestError(.invalidAction, "The clock cannot move by \(component).")
            }
            try perform(.advance(step))
        }

        /// Moves the store's time forward to a date. A date that is past is an `invalidAction`.
        public func advance(to date: Date) throws { try perform(.to(Timestamp(date))) }

        /// Moves the store's time forward to the next thing that it does by itself, such as a
        /// renewal, and returns its date; without one nil, and the time stays.
        @discardableResult
        public func advanceToNextEvent() throws -> Date? {
            guard let next = nextEvent else { return nil }
            try perform(.next)
            return next
        }

        /// When the store does something by itself next; nil for never.
        public var nextEvent: Date? {
            let reading = try? SKTestSession.waiting { [store] in try await store.console.clock() }
            return reading?.next?.at.date
        }

        private func perform(_ action: ClockAction) throws {
            _ = try SKTestSession.waiting { [store] in try await store.perform(.clock(action)) }
        }
    }
}

extension ClockStep {
    /// Nil for a component that is no length of time.
    fileprivate init?(_ component: Calendar.Component, _ value: Int) {
        func calendar(_ unit: StoreModel.SubscriptionPeriod.Unit) -> ClockStep {
            .calendar(StoreModel.SubscriptionPeriod(unit: unit, value: value))
        }
        func seconds(_ unit: Int64) -> ClockStep {
            .seconds(Int64(value).multipliedClamped(by: unit))
        }
        switch component {
        case .second: self = seconds(1)
        case .minute: self = seconds(60)
        case .hour: self = seconds(3_600)
        case .day, .dayOfYear: self = calendar(.day)
        case .weekOfYear, .weekOfMonth: self = calendar(.week)
        case .month: self = calendar(.month)
        case .year: self = calendar(.year)
        default: return nil
        }
    }
}
#endif
