import Testing

@testable import SyrinxStreaming

@Suite("Deferred events") struct HeldEventTests {
    private func name(_ event: StreamingEvent) -> String {
        switch event {
        case .download(let received, _, _): "download \(received)"
        case .retry(let attempt, _, _): "retry \(attempt)"
        case .status(let status, _): "\(status)"
        default: "other"
        }
    }

    @Test("Only the newest progress is kept, in its order")
    func keepsTheNewestProgress() {
        var held = HeldEvents()
        for event in [
            .download(received: 1, total: nil, ranges: []), .retry(attempt: 2, delay: 0, code: "x"),
            .download(received: 5, total: nil, ranges: []),
        ] as [StreamingEvent] { held.append(event) }
        #expect(held.events.map(name) == ["retry 2", "download 5"])
    }

    @Test("Collected events are bounded, and the newest are kept")
    func isBounded() {
        var held = HeldEvents()
        held.append(.status(.opening, time: 0))
        for attempt in 0..<10_000 { held.append(.retry(attempt: attempt, delay: 0, code: "x")) }
        #expect(held.events.count <= 100)
        #expect(held.events.first.map(name) == "opening" && held.events.last.map(name) == "retry 9999")
    }
}
