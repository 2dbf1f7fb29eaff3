/// The 256 colours of xterm. Users often change the first 16; this table has xterm's defaults.
package enum XtermPalette {
    package static func color(_ number: UInt8) -> RGB {
        if number < 16 { return first[Int(number)] }
        if number >= 232 {
            let grey = 8 + 10 * (number - 232)
            return RGB(grey, grey, grey)
        }
        let cube = Int(number) - 16
        return RGB(steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6])
    }

    private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let first: [RGB] = [
        RGB(0x000000), RGB(0xCD0000), RGB(0x00CD00), RGB(0xCDCD00),
        RGB(0x0000EE), RGB(0xCD00CD), RGB(0x00CDCD), RGB(0xE5E5E5),
        RGB(0x7F7F7F), RGB(0xFF0000), RGB(0x00FF00), RGB(0xFFFF00),
        RGB(0x5C5CFF), RGB(0xFF00FF), RGB(0x00FFFF), RGB(0xFFFFFF),
    ]
}
