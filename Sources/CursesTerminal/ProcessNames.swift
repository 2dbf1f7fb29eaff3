import CTerminal

/// Names of users, groups and hosts.
package enum ProcessNames {
    /// From now on they are looked up in files and the DNS alone, as a program has to that is one
    /// file: what nsswitch.conf(5) names besides would be loaded as shared libraries, and crash.
    /// Before any thread starts.
    package static func findInFiles() { ct_find_names_in_files() }
}
