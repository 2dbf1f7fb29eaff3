import Basics
import ArgumentParser
import Foundation
import StoreCatalog

/// The settings of the process that must be made before anything else runs.
enum ProcessStart {
    /// Descriptors a shop with many windows of its own store has open, several times over.
    private static let descriptorsMin: rlim_t = 64
    /// Threads that the runtime, the databases and the observers need at once, on two processors.
    private static let threadsMin = 12

    /// Ends the program with one line where the machine lets it have too little: later the runtime
    /// would hang, abort or crash without a word. (A missing /proc is told by `CTerminal` before
    /// `main`.)
    static func prepare() {
        openStandardDescriptors()
        forgetStrangeLocales()
        if let problem = missingArguments ?? refusedArgument ?? missingDescriptors ?? missingThreads
        {
            Output.error(problem.text)
            exit(problem.code)
        }
    }

    private struct Problem {
        var text: String
        var code: Int32 = Exit.unavailable.rawValue
    }

    /// Where one of the three is closed, the next file that is opened would take its place, and be
    /// written into.
    private static func openStandardDescriptors() {
        for wanted in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(wanted, F_GETFD) < 0 && errno == EBADF {
            // The lowest number that is free is the one that is closed.
            if open("/dev/null", O_RDWR) < 0 { _ = open("/", O_RDONLY | O_DIRECTORY) }
        }
    }

    /// Unicode's library takes the process's locale from these. It keeps eleven letters of a
    /// language, and crashes at twelve, or at a path.
    private static func forgetStrangeLocales() {
        for name in ["LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "LANG"] {
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty,
                value != "C", !PersonLocale.isLocale(value.prefix { $0 != "." && $0 != "@" })
            else { continue }
            if !value.hasPrefix("C.") { unsetenv(name) }
        }
    }

    /// Swift's runtime finds the arguments by /proc/self/maps. Where that file cannot be opened it
    /// goes on without any, not even the program's own name: `buy` would then open the shop.
    private static var missingArguments: Problem? {
        guard CommandLine.argc == 0 else { return nil }
        return Problem(
            text: "The arguments of this command cannot be read: /proc/self/maps cannot be opened. "
                + "Nothing was done. Try again.")
    }

    /// Swift would put the same mark in the place of different bytes: two folders would be one.
    private static var refusedArgument: Problem? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil
            else { continue }
            let text = UntrustedText.quote(String(cString: word))
            return Problem(
                text: "The argument \(text) is not UTF-8. Give it in UTF-8.",
                code: Exit.usage.rawValue)
        }
        return nil
    }

    /// Takes as many as it may have before it gives up.
    private static var missingDescriptors: Problem? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < descriptorsMin
        else { return nil }
        let allowed = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, descriptorsMin)
        if limit.rlim_cur == descriptorsMin,
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        {
            return nil
        }
        return Problem(
            text: "Only \(allowed) files may be open here (ulimit -n), and storefront needs "
                + "\(descriptorsMin).")
    }

    /// The runtime waits for ever for a thread it cannot start; so it is tried first, with threads
    /// whose stacks take little time to make.
    private static var missingThreads: Problem? {
        let barrier = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { barrier.deallocate() }
        pthread_mutex_init(barrier, nil)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setstacksize(attributes, 65_536)
        pthread_attr_setguardsize(attributes, 0)
        // All of them are there before the first one ends.
        pthread_mutex_lock(barrier)
        var threads: [pthread_t] = []
        for _ in 0..<threadsMin {
            var thread = pthread_t()
            let code = pthread_create(
                &thread, attributes,
                { pointer in
                    guard let barrier = pointer?.assumingMemoryBound(to: pthread_mutex_t.self)
                    else {
                        return nil
                    }
                    pthread_mutex_lock(barrier)
                    pthread_mutex_unlock(barrier)
                    return nil
                }, barrier)
            guard code == 0 else { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(barrier)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(barrier)
        guard threads.count < threadsMin else { return nil }
        return Problem(
            text: "Only \(threads.count) more threads may be started here (ulimit -u), and "
                + "storefront needs \(threadsMin).")
    }
}
