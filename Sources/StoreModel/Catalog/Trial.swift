/// A text in each of several languages, by their codes ("en", "ja").
package struct TrialText: Codable, Hashable, Sendable {
    package var byLanguage: [String: String]

    package init(_ byLanguage: [String: String]) { self.byLanguage = byLanguage }

    /// In English if the text has none in the language, else in any language that it has.
    package func text(in language: String) -> String {
        byLanguage[language] ?? byLanguage["en"] ?? byLanguage.min { $0.key < $1.key }?.value ?? ""
    }
}

/// What a trial needs of the catalog that is open, by the words of a list.
package enum TrialNeed: String, CaseIterable, Sendable {
    case consumable, nonConsumable, nonRenewing, autoRenewable, freeSubscription
    /// It renews, or its free trial ends, within a month.
    case shortPeriod
    /// One of two levels of the same subscription group.
    case higherLevel, lowerLevel
    case freeTrial, payAsYouGo, offerCode
    /// A non-consumable that costs nothing now.
    case noCharge
    /// A non-consumable whose content the store has.
    case hosted
    case familyShareable
}

/// Something that a tester should have seen happen: how to make it happen, and by which lines of
/// the history the store has seen it.
package struct Trial: Hashable, Sendable {
    /// What the lines by which a trial is seen have in common.
    package enum Link: String, CaseIterable, Sendable {
        /// One transaction or request; of a subscription, its chain.
        case transaction
        case product
        case nothing
    }

    /// Where the shop leads to whoever wants to make the trial happen.
    package struct Place: Hashable, Sendable {
        /// Its page opens; nil for another place.
        package var product: ProductID?
        /// One of the shop's views, by its name; nil with a product, or to stay.
        package var view: String?
        /// The palette opens there with this filter; nil for no palette.
        package var palette: String?

        package init(product: ProductID? = nil, view: String? = nil, palette: String? = nil) {
            self.product = product
            self.view = view
            self.palette = palette
        }
    }

    package var id: String
    /// The id of a `TrialList.Area`.
    package var area: String
    package var title: TrialText
    /// With the keys of the shop.
    package var how: TrialText
    /// Commands that make it happen in a new store, without `storefront`.
    package var commands: [String]
    /// Filters of the history, at least one: lines that match them in this order are the evidence.
    package var seen: [String]
    package var link: Link
    package var place: Place?
    /// Products and codes of one catalog that a trial may name, with what may take their place in
    /// another catalog.
    package var needs: [String: TrialNeed]
    /// What the open catalog does not sell; nil if the trial can be made to happen.
    package var unmet: TrialNeed?

    package init(
        id: String, area: String, title: TrialText, how: TrialText, commands: [String] = [],
        seen: [String], link: Link = .transaction, place: Place? = nil,
        needs: [String: TrialNeed] = [:]
    ) {
        self.id = id
        self.area = area
        self.title = title
        self.how = how
        self.commands = commands
        self.seen = seen
        self.link = link
        self.place = place
        self.needs = needs
    }
}

/// A team's list of trials, or the one in the program.
package struct TrialList: Hashable, Sendable {
    /// A subject of trials, by which they are filtered.
    package struct Area: Hashable, Sendable {
        package var id: String
        package var name: TrialText

        package init(id: String, name: TrialText) {
            self.id = id
            self.name = name
        }
    }

    package var areas: [Area]
    package var trials: [Trial]

    package init(areas: [Area] = [], trials: [Trial] = []) {
        self.areas = areas
        self.trials = trials
    }

    /// The name of a trial's area.
    package func areaName(_ id: String, in language: String) -> String {
        areas.first { $0.id == id }?.name.text(in: language) ?? id
    }
}
