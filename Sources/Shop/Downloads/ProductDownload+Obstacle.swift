package import ShopText
import StoreModel

extension ProductDownload {
    /// Nil if the download progresses, is paused, or has ended.
    package var obstacle: DownloadObstacle? {
        guard isUnderWay else { return nil }
        if needsConsent { return .consent(bytes: expected) }
        guard let error else { return nil }
        if error.isNetworkOff { return .network }
        return error.code == .deviceFull ? .room(RoomFigures(error)) : nil
    }
}
