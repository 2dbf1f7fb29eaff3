/// The causes of errors about families, and what to do next.
package enum FamilyErrorText: Hashable, Sendable {
    case errorAlreadyInFamily(account: String, organizer: String), errorNotInFamily(String)
    case errorFamilyFull(organizer: String, count: String), errorNotForOrganizer(String)
    case errorNotOrganizer(account: String, organizer: String?), errorChildAsks(String)
    case errorNotShareable(product: String), errorSharedPurchase(String, owner: String)
    case errorOperatorOnly(String), leaveFamilyFirst(String), createFamilyFirst
    case organizerAnswers(String), operatorAnswers, changeRoleFirst(String)
    case changeSaleInstead(String), leaveMemberFirst, familyShareableField
    case ownerAsksForRefund(String), buyItAgain
    case errorSharedAlready(product: String, owner: String, account: String?)
    case errorNoOrganizer(account: String, organizer: String), joinOrganizer(String)
    case createFamilyOf(String)
}
