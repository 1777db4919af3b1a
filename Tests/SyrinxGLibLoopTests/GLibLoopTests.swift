import Foundation
import SyrinxTestSupport
import Testing

/// The figures that a scenario of the probe prints, by name.
private func figures(_ scenario: String) throws -> [String: Double] {
    // The program lies beside the one that runs the tests.
    let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: runner).deletingLastPathComponent()
    let result = try runProcess(folder.appendingPathComponent("syrinx-glib-loop-probe").path, [scenario], timeout: 60)
    #expect(result.status == 0, "\(result.errors)")
    let pairs = result.output.split(separator: "\n").compactMap { line -> (String, Double)? in
        let parts = line.split(separator: "=")
        guard parts.count == 2, let value = Double(parts[1]) else { return nil }
        return (String(parts[0]), value)
    }
    return Dictionary(pairs) { $1 }
}

@Suite struct GLibLoopTests {
    @Test func `a thousand hops reach the main actor on the main thread without a wait`() throws {
        let figures = try figures("hops")
        #expect(figures["hops"] == 1000)
        #expect(figures["onMainThread"] == 1)
        // A polling source with an interval of 50 ms would have a median of half of that.
        #expect(try #require(figures["median"]) < 0.01)
    }

    @Test func `work that was queued before the source was attached runs`() throws {
        #expect(try figures("idle")["early"] == 1)
    }

    @Test func `blocks and timers of the main queue run`() throws {
        let figures = try figures("queued")
        #expect(figures["ran"] == 2)
        #expect(figures["last"] == 3)
    }

    @Test func `the source does not wake the loop while there is no work`() throws {
        let figures = try figures("idle")
        #expect(figures["wakeUps"] == 0)
        // A source that spins would take the second whole.
        #expect(try #require(figures["processorTime"]) < 0.3)
    }

    @Test func `a loop inside a callback of GLib runs jobs of the main actor`() throws {
        #expect(try figures("nestedInCallback")["done"] == 1)
    }

    @Test func `a loop inside a job sleeps, and other jobs follow that job`() throws {
        let figures = try figures("nestedInJob")
        #expect(figures["loopFirst"] == 1)
        #expect(try #require(figures["wakeUps"]) <= 1)
        #expect(try #require(figures["processorTime"]) < 0.2)
    }
}
