extension StoreError {
    /// A value that an error names. In JSON every value is a text.
    package enum Figure: Codable, Hashable, Sendable {
        case text(String)
        /// An instant is its milliseconds since 1970, a price its milliunits.
        case number(Int64)

        /// As JSON has it.
        package var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            }
        }
        /// Nil for a text.
        package var number: Int64? { if case .number(let number) = self { number } else { nil } }

        /// A text that is written as JSON has a number is that number, so that a value stays equal
        /// when it is encoded and decoded.
        package init(_ text: String) {
            let number = Int64(text).flatMap { String($0) == text ? $0 : nil }
            self = number.map(Self.number) ?? .text(text)
        }

        package init(from decoder: any Decoder) throws {
            self.init(try decoder.singleValueContainer().decode(String.self))
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// What `subject` says of an error whose causes have sentences of their own.
    package enum Reason: String, Sendable {
        /// The call was an operator's, or for content: it charges nobody.
        case `operator`, content
        /// The device's network is cut; without it, the operator's fault raised the error.
        case network
        /// The product is not for sale before or after the instant `found`, or in the state `found`.
        case availableFrom, availableUntil, publicationState
        /// What the product does not have, or what the app's own server delivers.
        case billingPlan, introductory, ownServer
        /// A refund that cannot be requested: nothing was paid, or another account paid.
        case price, refund
        /// Records that were altered, or were made for another device or account.
        case balances, anotherDevice
        /// The store has never seen a device of this name.
        case unknownDevice
        /// A product that was sold without a package, or has only the package `found`.
        case soldWithoutHosting, lastPackage
        /// The part of its identity by which a store belongs to another app.
        case environment
        case bundleID = "bundle id"
        case appAppleID = "App Apple ID"
    }
}

extension StoreError.Figure: ExpressibleByStringInterpolation {
    /// As `init(_:)`.
    package init(stringLiteral text: String) { self.init(text) }
}

/// A value that an error can name in `found` and `expected`.
package protocol FigureValue {
    /// The value as an error holds it.
    var figure: StoreError.Figure { get }
}

extension String: FigureValue {
    package var figure: StoreError.Figure { .init(self) }
}

extension Int: FigureValue {
    package var figure: StoreError.Figure { .number(Int64(self)) }
}

extension Int64: FigureValue {
    package var figure: StoreError.Figure { .number(self) }
}

extension Timestamp: FigureValue {
    package var figure: StoreError.Figure { .number(milliseconds) }
}
