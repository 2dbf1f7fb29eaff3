import ArgumentParser
import Basics
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
            loop.close()
            if ending == nil {
                notePayment(of: loop.state, options)
                noteDownloads(of: loop.state, options)
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

    /// Whether the shop is told in lines: if asked for, and on a terminal with a keyboard that has no
    /// screen.
    static func isLinear(_ screen: ScreenOptions) -> Bool {
        let isDumb = getenv("TERM").map { String(cString: $0) } == "dumb"
        return screen.linear
            || isDumb && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    /// The shop in lines, until the person leaves or the input ends.
    ///
    /// - Throws: an exit code if the input ends while a purchase is open.
    static func runInLines(
        _ options: GlobalOptions, isASCII: Bool, demo: DemoStore? = nil, page: ProductID? = nil
    ) async throws {
        TextColumns.prepare()
        let capabilities = Capabilities(
            colors: .mono,
            measure: .ofTerminal(isASCII: isASCII || ProcessLocale.asksForASCII))
        var options = options
        options.use(capabilities)
        let loop = LinearLoop(capabilities, options)
        let code = try await loop.run(options, demo: demo, page: page)
        await loop.close()
        // At the end of the input the loop has told it, with an exit code.
        if code == nil { notePayment(of: loop.state, options) }
        noteDownloads(of: loop.state, options)
        if let code { throw code }
    }

    /// Names a product whose payment the store has not answered, and what becomes of the payment.
    private static func notePayment(of state: ShopState, _ options: GlobalOptions) {
        guard !options.isGoneAtTheEnd, let name = state.unansweredPurchase else { return }
        Output.note(Output.strings[.linearNotAnswered(name: UntrustedText.clean(name))])
    }

    /// Names the products whose downloads stop with this program, and are resumed with the shop.
    private static func noteDownloads(of state: ShopState, _ options: GlobalOptions) {
        guard state.holdsLease, !options.isGoneAtTheEnd else { return }
        let names = state.productList.products.compactMap { product in
            state.snapshot.downloads[product.id]?.isUnderWay == true
                ? UntrustedText.clean(product.displayName) : nil
        }
        if !names.isEmpty { Output.note(.downloadsGoOn(names: names)) }
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
