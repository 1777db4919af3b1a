import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("HLS pace")
struct HLSPaceTests {
    /// Plays for ten hours, and returns the distances from the end, an hour apart, and the ratios that were asked for.
    /// - Parameters:
    ///   - card: The part by which the sound card's second is shorter than one.
    ///   - sender: The same of the sender's.
    private func play(card: Double, sender: Double, target: Double = 6) -> (distances: [Double], ratios: Set<Double>) {
        var pace = HLSPace()
        var random = SplitMix64(seed: 3)
        var (now, end, played, ratio) = (0.0, 18.0, 0.0, 1.0)
        var nextSegment = target / (1 + sender)
        var nextPoll = target
        var listed = end
        var distances: [Double] = []
        var ratios: Set<Double> = []
        let step = 0.1
        while now < 36_000 {
            now += step
            played += step * (1 + card) * ratio
            while nextSegment <= now {
                nextSegment += target / (1 + sender)
                end += target
            }
            if now >= nextPoll {
                let hasNews = end > listed
                nextPoll = now + (hasNews ? target : target / 2) + Double.random(in: 0...0.05, using: &random)
                if hasNews {
                    listed = end
                    ratio = pace.note(distance: listed - played, targetDuration: target)
                    ratios.insert(ratio)
                }
            }
            if Int(now / step) % 36_000 == 0 { distances.append(end - played) }
        }
        return (distances, ratios)
    }

    @Test(
        "Clocks that differ make neither the distance from the end grow nor the buffer run out in ten hours",
        arguments: [(0.0, 0.0), (1e-4, 0), (-1e-4, 0), (0, 1e-4), (0, -1e-4), (2e-4, -1e-4), (-1e-4, 2e-4)]
    )
    func drift(card: Double, sender: Double) {
        let (distances, ratios) = play(card: card, sender: sender)
        #expect(distances.allSatisfy { abs($0 - distances[0]) < 9 }, "\(distances)")
        #expect(distances.allSatisfy { $0 > 8 })
        #expect(ratios.allSatisfy { abs($0 - 1) <= HLSPace.limit })
        // Without a difference nothing is done.
        if card == 0, sender == 0 { #expect(ratios == [1]) }
    }

    @Test("A leap is a new distance to keep")
    func leap() {
        var pace = HLSPace()
        for _ in 0..<50 { #expect(pace.note(distance: 18, targetDuration: 2) == 1) }
        for _ in 0..<50 { #expect(pace.note(distance: 60, targetDuration: 2) == 1) }
        for _ in 0..<100 { _ = pace.note(distance: 63, targetDuration: 2) }
        #expect(pace.note(distance: 63, targetDuration: 2) == 1 + HLSPace.limit)
    }
}
