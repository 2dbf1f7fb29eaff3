#if os(Linux)
public import Foundation
package import StoreModel

extension Product {
    /// A length of time in one calendar unit.
    public struct SubscriptionPeriod: Hashable, Sendable, CustomDebugStringConvertible {
        package let model: StoreModel.SubscriptionPeriod

        package init(_ model: StoreModel.SubscriptionPeriod) { self.model = model }

        private init(_ value: Int, _ unit: StoreModel.SubscriptionPeriod.Unit) {
            model = StoreModel.SubscriptionPeriod(unit: unit, value: value)
        }

        /// The calendar unit.
        public var unit: Unit { Unit(model.unit) }
        /// How many units.
        public var value: Int { model.value }

        /// A calendar unit of periods.
        @nonexhaustive
        public enum Unit: Hashable, Sendable, Comparable, CustomDebugStringConvertible {
            /// A day.
            case day
            /// Seven days.
            case week
            /// A calendar month.
            case month
            /// A calendar year.
            case year

            /// In words.
            public var localizedDescription: String {
                switch self {
                case .day: "day"
                case .week: "week"
                case .month: "month"
                case .year: "year"
                }
            }

            package init(_ unit: StoreModel.SubscriptionPeriod.Unit) {
                self =
                    switch unit {
                    case .day: .day
                    case .week: .week
                    case .month: .month
                    case .year: .year
                    }
            }

            /// The unit's name.
            public var debugDescription: String { localizedDescription }
        }

        /// One week.
        public static let weekly = SubscriptionPeriod(1, .week)
        /// One month.
        public static let monthly = SubscriptionPeriod(1, .month)
        /// One year.
        public static let yearly = SubscriptionPeriod(1, .year)
        /// Three days.
        public static let everyThreeDays = SubscriptionPeriod(3, .day)
        /// Two weeks.
        public static let everyTwoWeeks = SubscriptionPeriod(2, .week)
        /// Two months.
        public static let everyTwoMonths = SubscriptionPeriod(2, .month)
        /// Three months.
        public static let everyThreeMonths = SubscriptionPeriod(3, .month)
        /// Six months.
        public static let everySixMonths = SubscriptionPeriod(6, .month)

        /// From a date to the end of a period that begins then, in the system's time zone.
        public func dateRange(referenceDate: Date = .now) -> Range<Date> {
            let end = model.end(from: referenceDate, by: Calendar(identifier: .gregorian))
            return referenceDate..<max(referenceDate, end)
        }

        /// As an ISO 8601 duration.
        public var debugDescription: String { model.iso8601 }
    }
}
#endif
