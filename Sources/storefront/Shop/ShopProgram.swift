import ArgumentParser
import CursesTerminal
import Foundation
import Shop
import ShopText
import StoreModel
import Terminal

/// The program without a subcommand: the shop on a terminal, elsewhere the product list.
enum ShopProgram {
    /// Whether input and output are a terminal that can show a screen, which a "dumb" one cannot.
    static var hasTerminal: Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        return !name.isEmpty && name != "dumb"
    }

    /// Call after `ProcessSignals.prepare()`. Nil if no screen can be opened: print the list then.
    static func openTerminal(_ options: CursesTerminal.Options) -> CursesTerminal? {
        hasTerminal ? try? CursesTerminal(options) : nil
    }

    /// Restores the terminal before it prints anything.
    ///
    /// - Parameter page: the product whose page is opened at once.
    static func run(
        _ terminal: CursesTerminal, _ options: GlobalOptions, demo: DemoStore? = nil,
        tour: Tour? = nil, page: ProductID? = nil
    ) throws {
        var options = options
        options.use(terminal.capabilities)
        let loop = ShopLoop(terminal, options, tour: tour)
        do {
            let ending = try loop.run(options, demo: demo, page: page)
            terminal.close()
            let downloads = loop.downloadsUnderWay
            loop.close()
            if ending == nil, !downloads.isEmpty, !options.isGoneAtTheEnd {
                Output.note(.downloadsGoOn(names: downloads))
            }
            switch ending {
            case .signal(let number): endBySignal(number)
            case .hungUp: endBySignal(SIGHUP)
            case nil: break
            }
        } catch {
            terminal.close()
            throw error
        }
    }

    /// Ends the process by the signal it got, so that its parent process sees that signal.
    private static func endBySignal(_ number: Int32) {
        EphemeralFolder.remove()
        signal(number, SIG_DFL)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}
