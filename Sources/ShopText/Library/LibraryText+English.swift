extension English {
    static func text(_ text: LibraryText) -> String {
        switch text {
        case .onThisDevice: "On this device"
        case .notOnThisDevice: "Not on this device"
        case .subscriptionsAndPasses: "Subscriptions and passes"
        case .appearance: "Appearance"
        case .downloadsHeading: "Downloads"
        case .downloadsRunning(let running, let count): "\(running) of \(count) running"
        case .ownedDownloadCancelled: "owned, download cancelled"
        case .downloadsWaitForRoom(let number): "\(number) waiting for room"
        case .updateLine(let installed, let offered, let size):
            "Version \(offered) is available, \(size). Version \(installed) stays readable until it is here."
        case .standardTheme: "Standard theme"
        case .inUse: "in use"
        case .chosenForLater: "chosen for later"
        case .nothingOwned(let shop, let restore):
            "You don't own anything yet. \(press(shop)) for the shop, \(restore) to restore past "
                + "purchases."
        case .endedOn(let day): "ended \(day)"
        case .since(let day): "since \(day)"
        case .balanceOf(let amount, let unit): "\(amount) \(unit)"
        case .unlocksFact: "Unlocks"
        case .unlocksNames(let names): "Unlocks \(names)"
        case .themeNamed(let name): "the theme \(name)"
        case .appFeature: "a feature of the app"
        case .contentsOf(let name): "Contents of \(name)"
        case .originalLanguage: "original"
        case .openingFile: "Opening"
        case .emptyFile: "This file is empty."
        case .textIsCut: "The file is longer; only its first 16 MiB are shown."
        case .contentIsDeleted: "Removed from this device. This text stays until you leave."
        case .fileOf(let number, let count, let path): "\(number) of \(count): \(path)"
        case .picture(let format, let pixels, let size):
            ["\(format) picture", pixels.map { "\($0) pixels" }, size].compactMap(\.self)
                .joined(separator: ", ")
        case .closed: "closed"
        case .closedOpensWith(let name): "closed, opens with \(name)"
        case .otherFile(let size): "No text, \(size)"
        case .nextTitle(let name): "Next: \(name)"
        case .nextTitleFor(let name, let state): "Next: \(name), \(state)"
        }
    }
}
