import CTerminal

/// The lookup of user, group and host names in the C library.
package enum ProcessNames {
    /// And the DNS. Other services of nsswitch.conf(5) are shared libraries, which crash in a
    /// statically linked program. Call it before any thread starts.
    package static func findInFiles() { ct_find_names_in_files() }
}
