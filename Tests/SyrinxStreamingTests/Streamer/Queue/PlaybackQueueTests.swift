import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Playback queue") struct PlaybackQueueTests {
    private func names(_ queue: PlaybackQueue<String>, _ turns: [PlaybackTurn]) -> [String] {
        turns.compactMap { turn in queue.entries.first { $0.id == turn.entryID }?.element }
    }

    @Test("The entries follow each other to the last, and again from the first if the queue repeats")
    func followsAndRepeats() {
        var queue = PlaybackQueue(["a", "b", "c"])
        #expect(names(queue, queue.upcoming(9)) == ["b", "c"])
        queue.repeatMode = .all
        let turns = queue.upcoming(7)
        #expect(names(queue, turns) == ["b", "c", "a", "b", "c", "a", "b"])
        #expect(Set(turns.map(\.id)).count == 7)
        #expect(names(queue, queue.upcoming(7, repeats: false)) == ["b", "c"])
        queue.repeatMode = .one
        #expect(names(queue, queue.upcoming(2)) == ["a", "a"])
        #expect(queue.upcoming(2, repeats: false).isEmpty)
    }

    @Test("A turn of a later pass leads to its entry, and further turns differ from all before")
    func advances() {
        var queue = PlaybackQueue(["a", "b"])
        queue.repeatMode = .all
        var seen: Set<Int> = [queue.currentTurn?.id ?? -1]
        for step in 1...50 {
            let next = queue.upcoming(1)[0]
            #expect(seen.insert(next.id).inserted)
            let isThere = queue.advance(to: next.id)
            #expect(isThere)
            #expect(queue.current?.element == (step.isMultiple(of: 2) ? "a" : "b"))
        }
        let isThere = queue.advance(to: 77)
        #expect(!isThere)
    }

    @Test("The current entry stays the current one through every edit, unless it is removed itself")
    func keepsTheCurrentEntry() {
        var queue = PlaybackQueue(["a", "b", "c"])
        queue.move(to: 1)
        queue.insert(["x", "y"], at: 0)
        #expect(queue.current?.element == "b")
        queue.move(from: 4, to: 0)
        #expect(queue.entries.map(\.element) == ["c", "x", "y", "a", "b"])
        #expect(queue.current?.element == "b")
        queue.move(from: 4, to: 1)
        #expect(queue.currentIndex == 1)
        queue.remove(at: 0)
        #expect(queue.current?.element == "b")
        queue.remove(at: 0)
        #expect(queue.current?.element == "x")
        queue.replace(at: 0, with: ["p", "q"])
        #expect(queue.current?.element == "p")
        queue.removeOthers()
        #expect(queue.entries.map(\.element) == ["p"])
        queue.remove(at: 0)
        #expect(queue.current == nil && queue.upcoming(3).isEmpty)
    }

    @Test("Shuffling is a permutation with the current entry first, and can be undone")
    func shuffles() {
        var generator = SplitMix64(seed: 7)
        var queue = PlaybackQueue(0..<1_000)
        queue.move(to: 321)
        queue.shuffle(using: &generator)
        #expect(queue.current?.element == 321 && queue.currentIndex == 0)
        #expect(queue.entries.map(\.element) != Array(0..<1_000))
        #expect(queue.entries.map(\.element).sorted() == Array(0..<1_000))
        queue.shuffle(using: &generator)
        queue.append([1_000])
        queue.unshuffle()
        // What was added while shuffled comes behind the entry that was before it.
        #expect(queue.entries.map(\.element).filter { $0 < 1_000 } == Array(0..<1_000))
        #expect(queue.current?.element == 321)
    }

    @Test("Each place of a short list is taken by each entry about as often")
    func shufflesEvenly() {
        var generator = SplitMix64(seed: 11)
        var counts = [[Int]](repeating: [0, 0, 0, 0], count: 4)
        for _ in 0..<12_000 {
            var queue = PlaybackQueue(0..<5)
            queue.shuffle(using: &generator)
            for (place, entry) in queue.entries.dropFirst().enumerated() { counts[place][entry.element - 1] += 1 }
        }
        #expect(counts.joined().allSatisfy { abs($0 - 3_000) < 250 })
    }

    /// A model that keeps the elements in an array, and the current one by its value.
    @Test("Random edits leave what a plain list with a marked element would be", arguments: 0..<40)
    func randomEdits(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        var queue = PlaybackQueue(0..<6)
        var model = Array(0..<6)
        var current: Int? = 0
        var next = 6
        for _ in 0..<400 {
            let index = Int.random(in: -1...model.count + 1, using: &generator)
            let other = Int.random(in: -1...model.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                queue.insert([next, next + 1], at: index)
                model.insert(contentsOf: [next, next + 1], at: min(max(index, 0), model.count))
                if model.count == 2 { current = next }
                next += 2
            case 1:
                queue.append([next])
                model.append(next)
                if model.count == 1 { current = next }
                next += 1
            case 2 where model.indices.contains(index):
                let following = index + 1 < model.count ? model[index + 1] : nil
                let removed = queue.remove(at: index)
                #expect(removed == model[index])
                if model.remove(at: index) == current { current = following }
            case 3 where model.indices.contains(index) && model.indices.contains(other):
                queue.move(from: index, to: other)
                model.insert(model.remove(at: index), at: other)
            case 4 where model.indices.contains(index):
                queue.move(to: index)
                current = model[index]
            case 5:
                // At the end of the queue there is no current entry to keep in place.
                guard current != nil else { continue }
                queue.shuffle(using: &generator)
                #expect(queue.entries.map(\.element).sorted() == model.sorted())
                model = queue.entries.map(\.element)
            default: continue
            }
            #expect(queue.entries.map(\.element) == model)
            guard let current else {
                // A removed last entry leaves the end, on which appended ones follow.
                if let now = queue.current { #expect(model.contains(now.element)) }
                queue.move(to: 0)
                current = model.first
                continue
            }
            #expect(queue.current?.element == current)
            let place = model.firstIndex(of: current) ?? model.count
            #expect(names(queue, queue.upcoming(3)) == model[(place + 1)...].prefix(3).map { $0 })
        }
        #expect(Set(queue.entries.map(\.id)).count == queue.count)
    }

    private func names(_ queue: PlaybackQueue<Int>, _ turns: [PlaybackTurn]) -> [Int] {
        turns.compactMap { turn in queue.entries.first { $0.id == turn.entryID }?.element }
    }
}
