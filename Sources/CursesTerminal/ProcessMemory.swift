import CTerminal

/// What a program that waits need not keep in memory.
package enum ProcessMemory {
    /// Lets go of the program's code and constants; what is needed again comes back from its file.
    /// A start runs through far more code than all that follows.
    package static func giveBackCode() { ct_give_back_code() }
}
