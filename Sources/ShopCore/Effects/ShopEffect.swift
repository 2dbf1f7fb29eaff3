package import StoreModel

/// Something to be done outside: asked for by the reducer, done at the edge, answered by an action.
package enum ShopEffect: Hashable, Sendable {
    case loadProducts
    case refreshAccount
    case refreshConsole
    case makeSearchIndex([Product], revision: Int64?)
    case purchase(Payment)
    case restore
    case pauseDownload(ProductID)
    case resumeDownload(ProductID)
    case cancelDownload(ProductID)
    case deleteContent(ProductID)
    case approve(ApprovalRequest)
    case decline(ApprovalRequest)
    case setAskToBuy(Bool)
    case setPayments(Bool)
    case failNext(StoreError.Code)
    case clearFaults
    /// The store's files are not the ones that were opened: open what is there now.
    case reopen
    case setPointer(Bool)
    case quit

    /// Asks what there is, and changes nothing.
    package var isQuery: Bool {
        switch self {
        case .loadProducts, .refreshAccount, .refreshConsole: true
        case .makeSearchIndex, .purchase, .restore, .pauseDownload, .resumeDownload,
            .cancelDownload, .deleteContent, .approve, .decline, .setAskToBuy, .setPayments,
            .failNext, .clearFaults, .reopen, .setPointer, .quit:
            false
        }
    }
}
