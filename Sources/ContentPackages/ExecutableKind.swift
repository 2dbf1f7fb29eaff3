/// A kind of program that some system runs, recognized by the first bytes of a file.
package enum ExecutableKind: String, Codable, Hashable, Sendable, CaseIterable {
    case elf = "an ELF program"
    /// Programs of Apple's systems. Their fat files start with the same bytes as Java classes.
    case machO = "a Mach-O program or a Java class"
    case pe = "a Windows program"
    /// A script with the line that names its interpreter.
    case script = "a script (#!)"

    /// So many bytes at a file's start decide its kind.
    static let startLength = 64

    /// Nil for other content. `start` has at least `startLength` bytes if the file is that long.
    package init?(start: some Collection<UInt8>) {
        let bytes = Array(start.prefix(Self.startLength))
        func begins(_ magic: [UInt8]) -> Bool { bytes.starts(with: magic) }
        let text = begins([0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if begins([0x7F, 0x45, 0x4C, 0x46]) {
            self = .elf
        } else if text.starts(with: [0x23, 0x21]) {
            self = .script
        } else if Self.machOMagics.contains(where: begins) {
            self = .machO
        } else if begins([0x4D, 0x5A]) || begins([0x5A, 0x4D]), bytes.contains(0) {
            // A text may start with MZ, but only a program's header has zero bytes.
            self = .pe
        } else {
            return nil
        }
    }

    /// For 32 and 64 bits in both byte orders, and for fat files of both widths.
    private static let machOMagics: [[UInt8]] = [
        [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
        [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0xBE, 0xBA, 0xFE, 0xCA],
        [0xCA, 0xFE, 0xBA, 0xBF], [0xBF, 0xBA, 0xFE, 0xCA],
    ]
}
