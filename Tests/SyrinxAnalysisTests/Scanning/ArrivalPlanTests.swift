import SyrinxAnalysis
import Testing

@Suite("The plan of what to analyse next")
struct ArrivalPlanTests {
    /// A hundred bytes are a block of a hundred frames.
    private func plan() -> ArrivalPlan { ArrivalPlan(frameCount: 1_000_000, byteCount: 1_000_000, blockLength: 100) }

    @Test("Without bytes it waits, and with all of them known it has finished")
    func ends() {
        var plan = plan()
        #expect(plan.next(held: [], focus: 0) == .wait)
        plan.note(0..<1_000_000)
        #expect(plan.next(held: [], focus: 0) == .finish)
    }

    @Test("Of two runs the one that is heard comes first")
    func focus() {
        var plan = plan()
        let held: [Range<Int64>] = [0..<100_000, 500_000..<600_000]
        #expect(plan.next(held: held, focus: 0) == .analyze(from: 0))
        #expect(plan.next(held: held, focus: 550_000) == .analyze(from: 550_000))
        // What lies ahead of the focus is heard before what lies behind it.
        #expect(plan.next(held: held, focus: 200_000) == .analyze(from: 500_000))
        #expect(plan.next(held: held, focus: 700_000) == .analyze(from: 500_000))
        plan.note(500_000..<600_000)
        plan.notePlace(frame: 600_000, byte: 600_000)
        #expect(plan.next(held: held, focus: 550_000) == .analyze(from: 0))
    }

    @Test("Analysis continues where known frames end, and stops where others begin")
    func continuation() {
        var plan = plan()
        plan.note(0..<50_000)
        plan.note(500_000..<520_000)
        #expect(plan.next(held: [0..<100_000], focus: 0) == .analyze(from: 50_000))
        #expect(plan.limit(from: 50_000) == 500_000)
        #expect(plan.limit(from: 520_000) == .max)
    }

    @Test("A few bytes more are not worth a seek, but the last ones are")
    func fewBytes() {
        var plan = plan()
        plan.note(0..<50_000)
        plan.notePlace(frame: 50_000, byte: 50_000)
        #expect(plan.next(held: [0..<51_000], focus: 0) == .wait)
        #expect(plan.next(held: [0..<60_000], focus: 0) == .analyze(from: 50_000))
        plan.note(50_000..<999_000)
        plan.notePlace(frame: 999_000, byte: 999_000)
        #expect(plan.next(held: [0..<1_000_000], focus: 0) == .analyze(from: 999_000))
    }

    @Test("A run is tried at the focus, at its start, further in, then when it has grown")
    func failures() {
        var plan = plan()
        let held: [Range<Int64>] = [500_000..<600_000]
        var starts: [Int64] = []
        while case .analyze(let frame) = plan.next(held: held, focus: 520_000), starts.count < 20 {
            starts.append(frame)
            plan.noteFailure()
        }
        #expect(starts == [520_000, 500_000, 506_300, 512_500, 525_000, 550_000, 575_000])
        #expect(plan.next(held: [500_000..<610_000], focus: 520_000) == .wait)
        #expect(plan.next(held: [500_000..<700_000], focus: 520_000) == .analyze(from: 500_000))
    }

    @Test("Places that reads have shown say where bytes of an uneven recording lie")
    func places() {
        var plan = plan()
        plan.notePlace(frame: 800_000, byte: 500_000)
        #expect(plan.next(held: [250_000..<300_000], focus: 0) == .analyze(from: 400_000))
        // A place that contradicts one seen earlier takes its place.
        plan.notePlace(frame: 300_000, byte: 600_000)
        #expect(plan.next(held: [300_000..<400_000], focus: 0) == .analyze(from: 150_000))
    }

    @Test("The true end ends it, before or behind the estimate")
    func trueEnd() {
        var plan = plan()
        plan.note(0..<400_000)
        plan.noteEnd(at: 400_000)
        plan.setFrameCount(1_000_000)
        #expect(plan.next(held: [0..<1_000_000], focus: 0) == .finish)
    }

    @Test("What cannot be decoded is passed over, and does not go on for ever")
    func damage() {
        var plan = plan()
        plan.noteDamage(at: 1234, length: 1000)
        #expect(plan.next(held: [0..<1_000_000], focus: 5000) == .analyze(from: 2200))
        var steps = 0
        while case .analyze(let frame) = plan.next(held: [0..<1_000_000], focus: 0), steps < 1000 {
            plan.noteDamage(at: frame, length: 1000)
            steps += 1
        }
        #expect(steps < 50)
    }

    @Test("Any news leave a plan that ends")
    func chance() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var plan = ArrivalPlan(frameCount: 100_000, byteCount: 50_000, blockLength: 128)
            var steps = 0
            while plan.next(held: [0..<50_000], focus: .random(in: 0..<200_000, using: &generator)) != .finish {
                guard case .analyze(let frame) = plan.next(held: [0..<50_000], focus: 0) else { break }
                #expect(frame >= 0 && frame % 128 == 0)
                let count = Int64.random(in: 1...200, using: &generator) * 128
                let end = min(frame + count, plan.limit(from: frame))
                plan.note(frame..<end)
                plan.notePlace(frame: frame, byte: .random(in: -10...60_000, using: &generator))
                steps += 1
                #expect(steps < 2000)
            }
            #expect(plan.next(held: [0..<50_000], focus: 0) == .finish)
        }
    }
}
