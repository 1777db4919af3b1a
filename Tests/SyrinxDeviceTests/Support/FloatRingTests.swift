import Foundation
import SyrinxDevice
import Testing

@Suite struct FloatRingTests {
    @Test("A ring keeps samples at every position of its ends", arguments: [0, Int.max - 5])
    func everyPosition(start: Int) {
        for head in 0..<16 {
            for count in 0...8 {
                let ring = SharedRing(FloatRing(minimumCapacity: 7, position: start))
                #expect(ring.capacity == 8)
                for _ in 0..<head {
                    #expect(ring.write([1]))
                    #expect(ring.read(16) == [1])
                }
                let samples = (0..<count).map { Float($0 + 1) }
                #expect(ring.write(samples))
                #expect(ring.readableCount == count)
                #expect(ring.writableCount == 8 - count)
                #expect(!ring.write([Float](repeating: 9, count: 9 - count)))
                #expect(ring.read(16) == samples)
                #expect(ring.read(16) == [])
            }
        }
    }

    @Test("The ring interleaves whole frames only")
    func interleavesWholeFramesOnly() {
        for head in 0..<9 {
            let ring = SharedRing(FloatRing(minimumCapacity: 8))
            for _ in 0..<head {
                _ = ring.write([0])
                _ = ring.read(1)
            }
            #expect(
                ring.writeInterleaved([[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15], [0, 0, 0, 0, 0, 0]], from: 1) == 2
            )
            #expect(ring.read(8) == [1, 11, 0, 2, 12, 0])
        }
    }

    @Test("A ring passes samples between two threads")
    func twoThreads() {
        let ring = SharedRing(FloatRing(minimumCapacity: 64))
        let total = 100_000
        let writer = Thread {
            var next = 0
            while next < total {
                let count = min(total - next, 1 + next % 13)
                if ring.write((0..<count).map { Float(next + $0) }) { next += count } else { sched_yield() }
            }
        }
        writer.start()
        var expected = 0
        var wrong = 0
        while expected < total {
            let samples = ring.read(17)
            if samples.isEmpty { sched_yield() }
            for sample in samples {
                if sample != Float(expected) { wrong += 1 }
                expected += 1
            }
        }
        #expect(wrong == 0)
    }
}

/// Lets two threads have the ring, which is what it is for, in terms of arrays.
private final class SharedRing: @unchecked Sendable {
    private let ring: FloatRing

    init(_ ring: consuming FloatRing) { self.ring = ring }

    var capacity: Int { ring.capacity }
    var readableCount: Int { ring.readableCount }
    var writableCount: Int { ring.writableCount }

    func write(_ samples: [Float]) -> Bool { ring.write(samples, count: samples.count) }

    func read(_ maximumCount: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: maximumCount) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = ring.read(into: base, maximumCount: maximumCount)
        }
    }

    func writeInterleaved(_ channels: [[Float]], from first: Int) -> Int {
        let planes = channels.map { channel in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: channel.count)
            plane.initialize(from: channel, count: channel.count)
            return plane
        }
        defer { planes.forEach { $0.deallocate() } }
        let frameCount = channels[0].count - first
        return ring.writeInterleaved(planes, channelCount: channels.count, from: first, frameCount: frameCount)
    }
}
