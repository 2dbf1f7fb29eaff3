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

extension Product.SubscriptionPeriod {
    /// One period from a date on, written by a style for ranges of dates.
    public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
    where S: FormatStyle, S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// The time that one period takes from a date on, written by a style for durations.
    public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
    where S: FormatStyle, S.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// Writes a unit as a word of a language: English, where it knows no word.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        private var locale: Locale

        init(locale: Locale) { self.locale = locale }

        /// The unit's word.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            let language = locale.language.languageCode?.identifier ?? ""
            guard let words = Self.words[language] else { return value.localizedDescription }
            return switch value {
            case .day: words.day
            case .week: words.week
            case .month: words.month
            case .year: words.year
            }
        }

        /// The style in another locale.
        public func locale(_ locale: Locale) -> FormatStyle { FormatStyle(locale: locale) }

        private typealias Words = (day: String, week: String, month: String, year: String)
        private static let words: [String: Words] = [
            "de": ("Tag", "Woche", "Monat", "Jahr"), "es": ("día", "semana", "mes", "año"),
            "fr": ("jour", "semaine", "mois", "an"), "it": ("giorno", "settimana", "mese", "anno"),
            "ja": ("日", "週間", "か月", "年"), "ko": ("일", "주", "개월", "년"),
            "pt": ("dia", "semana", "mês", "ano"), "zh": ("天", "周", "个月", "年"),
        ]
    }

    /// The unit, written by a style for units.
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }
}

extension DateComponents {
    /// As many of the period's calendar units as the period has.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        switch period.unit {
        case .day: self.init(day: period.value)
        case .week: self.init(weekOfMonth: period.value)
        case .month: self.init(month: period.value)
        case .year: self.init(year: period.value)
        }
    }
}

extension Product {
    /// Writes the unit of a period in the language of the account.
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle(locale: Locale(identifier: model.priceLocale))
    }

    /// Not on Linux, whose Foundation makes no such style.
    @available(*, unavailable, message: "Foundation on Linux makes none: use another style")
    public var subscriptionPeriodFormatStyle: Date.ComponentsFormatStyle {
        preconditionFailure("never called")
    }
}
#endif
