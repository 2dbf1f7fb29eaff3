import Basics
import ArgumentParser
import Foundation

/// The checks and settings of the process that must come before anything else.
enum ProcessStart {
    /// Several times the descriptors that a shop with its own store and many windows has open.
    private static let descriptorsMin: rlim_t = 64
    /// What the Swift runtime, the databases and the observers need on two processors.
    private static let threadsMin = 12

    /// Ends the program with one line if the system's limits are too low, because the runtime would
    /// later hang, abort or crash without a message. (`CTerminal` reports a missing /proc before
    /// `main`.)
    static func prepare() {
        openStandardDescriptors()
        forgetStrangeLocales()
        if let problem = missingDescriptors ?? missingArguments ?? refusedArgument ?? missingThreads
        {
            Output.error(problem.text)
            exit(problem.code)
        }
    }

    private struct Problem {
        var text: String
        var code: Int32 = Exit.unavailable.rawValue
    }

    /// Opens /dev/null for each standard descriptor that is closed. Otherwise the next opened file
    /// would get its number, and output would be written into that file.
    private static func openStandardDescriptors() {
        for wanted in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(wanted, F_GETFD) < 0 && errno == EBADF {
            // open(2) returns the lowest free number, which is the closed one.
            if open("/dev/null", O_RDWR) < 0 { _ = open("/", O_RDONLY | O_DIRECTORY) }
        }
    }

    /// Unsets locale variables that ICU cannot parse, and cuts off the part of the others that it
    /// may not. ICU keeps eleven letters of a language, and crashes at twelve, at a path, or at a
    /// long keyword after `@`.
    private static func forgetStrangeLocales() {
        for name in ["LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "LANG"] {
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty
            else { continue }
            guard
                value == "C" || value.hasPrefix("C.")
                    || PersonLocale.isLocale(value.prefix { $0 != "." && $0 != "@" })
            else {
                unsetenv(name)
                continue
            }
            let safe = PersonLocale.withoutStrangeParts(value)
            if safe != value { setenv(name, safe, 1) }
        }
    }

    /// Swift's runtime finds the arguments by /proc/self/maps. If it cannot open that file, it
    /// reports no arguments, not even the program's name, and `buy` would open the shop.
    private static var missingArguments: Problem? {
        guard CommandLine.argc == 0 else { return nil }
        return Problem(
            text: "The arguments of this command cannot be read: /proc/self/maps cannot be opened. "
                + "Nothing was done. Try again.")
    }

    /// Swift replaces invalid UTF-8 by one same character, so two folders could get the same name.
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

    /// Raises the soft limit of open files up to the hard limit before it gives up.
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

    /// The runtime would wait for ever for a thread: this starts as many first, with small stacks.
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
        // The mutex keeps every thread alive until the last one was started.
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
