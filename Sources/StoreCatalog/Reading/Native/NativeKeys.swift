/// The keys of this program's own catalog files, by object.
enum NativeKeys {
    enum Root: String, MemberKey {
        case schema = "$schema"
        case format, app, defaults, proceedsRate, content, sections, subscriptionGroups, products
    }

    enum App: String, MemberKey { case bundleId, appAppleId, name, productList }

    enum Defaults: String, MemberKey { case territory, locale }

    /// The keys of sections and subscription groups.
    enum Heading: String, MemberKey { case id, name }

    enum Product: String, MemberKey {
        case id, type, section, name, description, prices, familyShareable, delivery, grants
        case subscription, period, unlocks, unlockedBy, availability, campaigns, state, issues
    }

    enum Subscription: String, MemberKey {
        case group, level, period, offers, monthlyPayments, preserveCurrentPrice
    }

    enum Offer: String, MemberKey {
        case kind, id, mode, period, periods, prices
        case eligibility, stackable, codes, limit, paidMonths, lapsedMonths, priority
    }

    enum LapsedMonths: String, MemberKey { case from, until }

    enum Window: String, MemberKey { case from, until }

    enum Campaign: String, MemberKey { case from, until, prices }

    enum Grants: String, MemberKey { case unit, amount }

    enum Delivery: String, MemberKey { case kind, packages, url }

    enum Issue: String, MemberKey { case id, title, date, content }

    enum Package: String, MemberKey { case id, version, path, cost }
}
