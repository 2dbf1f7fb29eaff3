import ShopText
package import StoreModel

extension ShopState {
    /// Nil if the account bought the product itself, or may not use it.
    package func sharedBy(_ product: ProductID) -> AccountName? {
        guard let entitled = snapshot.entitlements[product]?.transactionID else { return nil }
        return snapshot.family?.owner(of: entitled)
    }

    /// Announces the change and queries the account, whose entitlements it may have changed.
    mutating func followFamily(_ change: FamilyChange, _ moment: ShopMoment) -> [ShopEffect] {
        let name = change.productID.map { self.name(of: $0) }
        if var settings, change.family?.isChild(shop.account) == true, !settings.askToBuy {
            settings.askToBuy = true
            self.settings = settings
        }
        return announce(.familyChanged(change, name: name, to: shop.account), moment)
            + queries.ask(.refreshAccount)
            + (shop.hasConsole ? queries.ask(.refreshConsole) : [])
    }

    /// The possible changes of the account's family, with the accounts known to the console.
    func familyOffers() -> [FamilyAction] {
        guard let family = console.family else { return [.create(organizer: shop.account)] }
        var offers: [FamilyAction] = []
        if family.organizer == shop.account {
            let strangers = Set(console.log.lines.compactMap(\.account))
                .subtracting(family.members.map(\.account)).sorted()
            for account in strangers.prefix(Self.joiningMax) {
                offers += FamilyRole.allCases.map {
                    .join(account, organizer: family.organizer, role: $0)
                }
            }
            for member in family.members where member.account != family.organizer {
                offers.append(
                    .setRole(member.account, member.role == .child ? .adult : .child))
                offers.append(.leave(member.account))
                if member.role == .child { offers.append(.rescindConsent(member.account)) }
            }
        }
        guard let own = family.member(shop.account) else { return offers }
        offers.append(.setSharing(shop.account, nil, !own.sharesPurchases))
        if let product = selectedProduct, product.isFamilyShareable {
            let isOn = own.keptBack.contains(product.id)
            offers.append(.setSharing(shop.account, product.id, isOn))
        }
        return offers + [.leave(shop.account)]
    }

    private static let joiningMax = 5
}

extension LogLine {
    /// Nil for an entry of the device's log.
    fileprivate var account: AccountName? {
        if case .event(let event) = self { event.account } else { nil }
    }
}
