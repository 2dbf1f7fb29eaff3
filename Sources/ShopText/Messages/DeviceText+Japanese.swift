import StoreModel

/// The words of a device's operations and settings, for keys, messages and commands.
extension Japanese {
    static func title(of operation: ContentOperation) -> String {
        switch operation {
        case .pauseDownloads: "停止"
        case .resumeDownloads: "再開"
        case .consentToDownload: "ダウンロード"
        case .makeRoom: "空きを作る"
        case .cancelDownloads: "中止"
        case .deleteContent: "ダウンロードを削除"
        }
    }

    static func announcement(of operation: ContentOperation, _ name: String) -> String {
        switch operation {
        case .pauseDownloads: "\(name)を一時停止しました。途中までの内容は保存されています。"
        case .resumeDownloads, .consentToDownload: "\(name)をダウンロードしています。"
        case .makeRoom: "\(name)のために空きを作っています。"
        case .cancelDownloads:
            "\(name)のダウンロードを中止しました。購入済みなのでいつでも再ダウンロードできます。"
        case .deleteContent:
            "\(name)をこのデバイスから削除しました。購入済みなのでいつでも再ダウンロードできます。"
        }
    }

    static func done(_ operation: ContentOperation, _ product: String) -> String {
        switch operation {
        case .pauseDownloads: "\(product)を一時停止しました。"
        case .cancelDownloads: "\(product)を中止しました。再ダウンロードできます。"
        case .deleteContent: "\(product)の内容を削除しました。"
        default: announcement(of: operation, product)
        }
    }

    /// The effect of the key that turns a setting on or off.
    static func title(of setting: DeviceSwitch, isOn: Bool) -> String {
        switch setting {
        case .isMetered: isOn ? "従量制接続にする" : "従量制接続を解除"
        case .makesRoom: isOn ? "空きを自動で作る" : "空きを作る前に確認する"
        }
    }

    static func announcement(of setting: DeviceSwitch, _ settings: DeviceSettings) -> String {
        switch setting {
        case .isMetered where settings.isMetered:
            "従量制接続にしました。\(Measures.bytes(settings.meteredBytes))以上のダウンロードは確認します。"
        case .isMetered: "従量制でない接続にしました。"
        default: state(of: setting, settings)
        }
    }

    static func state(of setting: DeviceSwitch, _ settings: DeviceSettings) -> String {
        switch setting {
        case .isMetered where settings.isMetered:
            "従量制接続です。\(Measures.bytes(settings.meteredBytes))以上のダウンロードは確認します。"
        case .isMetered: "従量制接続ではありません。"
        case .makesRoom:
            settings.makesRoom ? "空き容量がないときは自動で空けます。" : "空き容量がないときは空ける前に確認します。"
        }
    }
}
