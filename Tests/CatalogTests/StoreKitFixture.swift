/// StoreKit configurations made for these tests, in the layout of each Xcode version.
enum StoreKitFixture {
    /// One product of each type, with the keys that this version of the format introduced.
    ///
    /// - Parameter hasKey: whether the file has a private key, if its version can have one.
    static func file(major: Int, minor: Int, hasKey: Bool = true) -> String {
        let version = (major, minor)
        let codeOffers = version >= (1, 2) ? "\"codeOffers\" : [\n\n          ]," : ""
        let winbackOffers = version >= (4, 0) ? "\"winbackOffers\" : [\n\n          ]," : ""
        let introductoryOffer =
            version >= (5, 0)
            ? "\"introductoryOffers\" : [\n\n          ], \"billingPlans\" : [\n\n          ],"
            : "\"introductoryOffer\" : null,"
        let identifier = version >= (1, 1) ? "\"identifier\" : \"8CFD4D59\"," : ""
        let seasons =
            version >= (1, 1) ? "\"nonRenewingSubscriptions\" : [\(season)]," : ""
        let policies =
            version >= (4, 0) ? "\"appPolicies\" : {\"eula\" : \"\", \"policies\" : []}," : ""
        let keyPair =
            hasKey && version >= (1, 2) && version < (5, 0)
            ? "\"subscriptionOffersKeyPair\" : {\"id\" : \"1\", \"privateKey\" : \"SECRETKEY\"},"
            : ""
        return """
            {
              \(identifier)
              \(seasons)
              \(policies)
              \(keyPair)
              "products" : [
                {
                  "displayPrice" : "0.99",
                  "familyShareable" : false,
                  "internalID" : "3B39ABCF",
                  "localizations" : [
                    {
                      "description" : "Ten coins",
                      "displayName" : "Coins",
                      "locale" : "en_US"
                    },
                    {
                      "description" : "",
                      "displayName" : "金币",
                      "locale" : "zh-Hans"
                    }
                  ],
                  "productID" : "coins",
                  "referenceName" : null,
                  "type" : "Consumable"
                },
                {
                  "displayPrice" : "4",
                  "familyShareable" : true,
                  "internalID" : "free text",
                  "localizations" : [

                  ],
                  "productID" : "pro",
                  "referenceName" : "Pro",
                  "type" : "NonConsumable"
                }
              ],
              "settings" : {
                "_locale" : "en_US",
                "_storefront" : "JPN"
              },
              "subscriptionGroups" : [
                {
                  "id" : "C9E8",
                  "localizations" : [

                  ],
                  "name" : "Club",
                  "subscriptions" : [
                    {
                      "adHocOffers" : [

                      ],
                      \(codeOffers)
                      \(winbackOffers)
                      \(introductoryOffer)
                      "displayPrice" : "9.99",
                      "familyShareable" : false,
                      "groupNumber" : 1,
                      "internalID" : "B1",
                      "localizations" : [
                        {
                          "description" : "",
                          "displayName" : "",
                          "locale" : "en_US"
                        }
                      ],
                      "productID" : "monthly",
                      "recurringSubscriptionPeriod" : "P1M",
                      "referenceName" : "",
                      "subscriptionGroupID" : "C9E8",
                      "type" : "RecurringSubscription"
                    }
                  ]
                }
              ],
              "version" : {
                "major" : \(major),
                "minor" : \(minor)
              }
            }
            """
    }

    private static let season = """
        {"displayPrice" : "5.99", "familyShareable" : false, "internalID" : "S", "localizations" : \
        [], "productID" : "season", "referenceName" : "Season", "type" : "NonRenewingSubscription"}
        """
}
