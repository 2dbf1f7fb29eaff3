import StoreTestSupport
import Testing

@testable import StoreDevice

@Suite("work in the background") struct BackgroundWorkTests {
    @Test("requests before the start cost one run, of the last one")
    func lastOneRuns() async {
        let work = BackgroundWork(after: .seconds(3600))
        let runs = Runs()
        for number in 1...5 { work.schedule { await runs.add(number) } }
        await work.runNow()
        #expect(await runs.all == [5])
    }

    @Test("a request during a run starts another one, after another pause")
    func againAfterPause() async {
        let work = BackgroundWork(after: .seconds(3600))
        let runs = Runs()
        let gate = Gate()
        work.schedule {
            await runs.add(1)
            await gate.pass()
        }
        async let first: Void = work.runNow()
        await gate.reached()
        work.schedule { await runs.add(2) }
        work.schedule { await runs.add(3) }
        gate.open()
        // The caller that waits gets the later request too: it hurries every run.
        await first
        #expect(await runs.all == [1, 3])
        work.schedule { await runs.add(4) }
        #expect(await runs.all == [1, 3], "it pauses")
        await work.cancel()
        #expect(await runs.all == [1, 3])
    }

    @Test("several callers that want it now wait for one run, and for none without a request")
    func runNowAmongRequests() async {
        let work = BackgroundWork(after: .seconds(3600))
        let runs = Runs()
        work.schedule { await runs.add(1) }
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await work.runNow() } }
        }
        #expect(await runs.all == [1])
        await work.runNow()
        #expect(await runs.all == [1], "nothing was requested")
    }
}

private actor Runs {
    private(set) var all: [Int] = []

    func add(_ run: Int) { all.append(run) }
}
