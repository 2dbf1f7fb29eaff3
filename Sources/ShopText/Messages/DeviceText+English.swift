import StoreModel

/// The words of a device's operations and settings, for keys, messages and commands.
extension English {
    static func title(of operation: ContentOperation) -> String {
        switch operation {
        case .pauseDownloads: "pause"
        case .resumeDownloads: "resume"
        case .consentToDownload: "download"
        case .makeRoom: "make room"
        case .cancelDownloads: "cancel download"
        case .deleteContent: "remove download"
        }
    }

    static func announcement(of operation: ContentOperation, _ name: String) -> String {
        switch operation {
        case .pauseDownloads: "Paused \(name). What was downloaded is kept."
        case .resumeDownloads, .consentToDownload: "Downloading \(name)."
        case .makeRoom: "Making room for \(name)."
        case .cancelDownloads:
            "Download of \(name) cancelled. You still own it; download it again any time."
        case .deleteContent:
            "Removed \(name) from this device. You still own it; download it again any time."
        }
    }

    static func done(_ operation: ContentOperation, _ product: String) -> String {
        switch operation {
        case .pauseDownloads: "Paused \(product)."
        case .cancelDownloads: "Cancelled \(product); it can be downloaded again."
        case .deleteContent: "Removed the content of \(product)."
        default: announcement(of: operation, product)
        }
    }

    /// The effect of the key that turns a setting on or off.
    static func title(of setting: DeviceSwitch, isOn: Bool) -> String {
        switch setting {
        case .isMetered: isOn ? "connection is metered" : "connection is not metered"
        case .makesRoom: isOn ? "make room by itself" : "ask before making room"
        }
    }

    static func announcement(of setting: DeviceSwitch, _ settings: DeviceSettings) -> String {
        switch setting {
        case .isMetered where settings.isMetered:
            "The connection is metered now: downloads from "
                + "\(Measures.bytes(settings.meteredBytes)) on ask first."
        case .isMetered: "The connection is not metered now."
        default: state(of: setting, settings)
        }
    }

    static func state(of setting: DeviceSwitch, _ settings: DeviceSettings) -> String {
        switch setting {
        case .isMetered where settings.isMetered:
            "The connection is metered: downloads from "
                + "\(Measures.bytes(settings.meteredBytes)) on ask first."
        case .isMetered: "The connection is not metered."
        case .makesRoom:
            "A full disk \(settings.makesRoom ? "makes room by itself" : "asks before it makes room")."
        }
    }
}
