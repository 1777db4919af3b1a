import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// The list of edits against an array of frames.
@Suite struct EditListTests {
    /// A frame of a source; `nil` for silence.
    private struct Frame: Equatable {
        var source: Int
        var frame: Int64
    }

    private func frames(_ list: EditList<Int>) -> [Frame?] {
        list.edits.flatMap { edit -> [Frame?] in
            let count = Int(edit.duration.value)
            guard let source = edit.media else { return Array(repeating: nil, count: count) }
            return (0..<Int64(count)).map { Frame(source: source, frame: edit.source.start.value + $0) }
        }
    }

    @Test("Random edits give the same frames as an array", arguments: 1...40)
    func anyEditsGiveTheFramesOfAnArray(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var list = EditList<Int>()
        var model: [Frame?] = []
        for source in 0..<60 {
            let start = Int(random.next() % 400)
            let count = Int(random.next() % 60)
            switch random.next() % 4 {
            case 0:
                list.remove(.frames(Int64(start), count: Int64(count)))
                if start < model.count { model.removeSubrange(start..<min(start + count, model.count)) }
            case 1:
                let edit = EditList<Int>.Edit(media: nil, source: .invalid, duration: .frames(Int64(count)))
                if start < model.count {
                    list.insert([edit], at: .frames(Int64(start)))
                    model.insert(contentsOf: Array(repeating: nil, count: count), at: start)
                }
            default:
                let first = Int64(random.next() % 1_000)
                let edit = EditList<Int>.Edit(
                    media: source,
                    source: .frames(first, count: Int64(count)),
                    duration: .frames(Int64(count))
                )
                list.insert([edit], at: .frames(Int64(start)))
                while model.count < start { model.append(nil) }
                model.insert(contentsOf: (0..<Int64(count)).map { Frame(source: source, frame: first + $0) }, at: start)
            }
            #expect(list.duration == .frames(Int64(model.count)))
        }
        #expect(frames(list) == model)
    }

    @Test("Cutting a scaled segment keeps its scale")
    func aScaledPartIsCutInProportion() {
        var list = EditList<Int>()
        list.insert(
            [EditList<Int>.Edit(media: 1, source: .frames(100, count: 200), duration: .frames(200))],
            at: .zero
        )
        list.scale(.frames(0, count: 200), to: .frames(400))
        #expect(list.duration == .frames(400))
        let part = list.cut(.frames(100, count: 50))
        #expect(part.count == 1)
        #expect(part[0].duration == .frames(50))
        #expect(part[0].source == .frames(150, count: 25))
    }
}
