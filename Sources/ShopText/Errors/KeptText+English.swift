extension English {
    static func text(_ text: KeptText) -> String {
        switch text {
        case .nothingCharged: "You weren't charged."
        case .nothingMoreCharged(let sale):
            "It was sold as transaction \(sale); nothing more was charged."
        case .nothingChanged: "Nothing was changed."
        case .purchaseKept: "You still own what you bought."
        case .nothingSoldIsLost: "No purchase is lost."
        case .nothingSpent: "Nothing was spent."
        case .partialKept: "What was downloaded so far is kept."
        case .thrownAway: "It was thrown away; you still own what you bought."
        case .unlocksNothing: "It unlocks nothing."
        case .lastCatalogSells: "The last good catalog stays on sale."
        case .nothingBelieved: "Nothing it signed was accepted."
        case .addedUpAgain: "It was added up again from what you bought."
        case .notChargedNotSold:
            "You weren't charged, and nothing is sold to this device until this is settled."
        case .notRecorded: "No purchase is lost; this was not recorded."
        case .nothingWritten: "Nothing more was written."
        case .packageNotTaken:
            "The package was not taken into the store, and everybody keeps what they bought."
        case .notUsed: "It is not used, and unlocks nothing."
        case .purchaseAndPartKept:
            "You still own what you bought; what was downloaded so far is kept."
        case .reportsWait: "Purchases arrive all the same; what it was not told waits for it."
        }
    }
}
