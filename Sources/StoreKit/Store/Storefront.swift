#if os(Linux)
public import Foundation
import StoreDevice
package import StoreModel

/// A territory of the App Store with its currency.
public struct Storefront: Identifiable, Sendable {
    /// ISO 3166-1 alpha-3.
    public let countryCode: String
    /// Apple's number of the territory.
    public let id: String
    let currencyCode: String?

    package init(_ storefront: StoreModel.Storefront) {
        countryCode = storefront.countryCode
        id = storefront.id
        currencyCode = storefront.currency
    }

    /// As a payload names it.
    init(id: String, _ countryCode: String) {
        self.countryCode = countryCode
        self.id = id
        currencyCode = StoreModel.Storefront.find(countryCode)?.currency
    }

    /// Of its prices.
    public var currency: Locale.Currency? { currencyCode.map { Locale.Currency($0) } }

    /// The account's; nil if the store cannot say.
    public static var current: Storefront? {
        get async {
            guard let session = try? await AppStoreProcess.current() else { return nil }
            return await current(of: session)
        }
    }

    static func current(of session: AppStoreSession) async -> Storefront? {
        let settings = try? await session.device.accountSettings().value
        return settings.flatMap { StoreModel.Storefront.find($0.territory) }
            .map { Storefront($0) }
    }

    /// The account's territory whenever it changes. Without end.
    public static var updates: Storefronts { Storefronts() }

    /// Territories, one after the other.
    public struct Storefronts: AsyncSequence, Sendable {
        /// A territory.
        public typealias Element = Storefront
        /// None is thrown.
        public typealias Failure = Never

        /// A new reader, which misses nothing from now on.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(updates: AppStoreProcess.updates())
        }

        /// One reader's position.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var updates: AppUpdateReader
            fileprivate var last: String?

            /// The next territory; nil for a reader that was cancelled.
            public mutating func next() async -> Storefront? {
                while let update = await updates.next() {
                    guard case .event(let event, _, _) = update,
                        case .accountChanged(let settings) = event.change,
                        let found = StoreModel.Storefront.find(settings.territory)
                    else { continue }
                    if last == nil { last = await Self.territory(before: event) }
                    defer { last = settings.territory }
                    if settings.territory != last { return Storefront(found) }
                }
                return nil
            }

            /// Other settings of the account change by the same kind of event.
            private static func territory(before event: StoreEvent) async -> String? {
                guard let session = try? await AppStoreProcess.current() else { return nil }
                let page = try? await session.store.events(
                    before: event.cursor, filter: HistoryFilter(kinds: [.accountChanged]), limit: 1)
                guard case .accountChanged(let settings)? = page?.events.first?.change else {
                    return session.territory
                }
                return settings.territory
            }
        }
    }
}
#endif
