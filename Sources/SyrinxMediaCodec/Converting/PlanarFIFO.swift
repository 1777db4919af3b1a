/// Samples that wait to be taken, one queue a channel.
///
/// It grows with what is put in; what has been taken is let go when as much again is free in front.
package final class PlanarFIFO<Real: PCMSampleScale> {
    private var planes: FloatPlanes<Real>
    private let channelCount: Int
    private var head = 0
    /// Frames that can be taken.
    package private(set) var count = 0

    package init(channelCount: Int) {
        self.channelCount = channelCount
        planes = FloatPlanes(channelCount: channelCount, capacity: 4096)
    }

    /// Makes room for `frames` more, lets `body` fill it, and counts what it returns as put in.
    ///
    /// `body` gets a pointer to the free place of each channel.
    package func append(
        _ frames: Int,
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<Real>>) throws -> Int
    ) rethrows {
        reserve(frames)
        let free = head + count
        let added = try withUnsafeTemporaryAllocation(
            of: UnsafeMutablePointer<Real>.self,
            capacity: max(channelCount, 1)
        ) { pointers in
            for channel in 0..<channelCount { pointers[channel] = planes.channels[channel] + free }
            guard let base = pointers.baseAddress else { return 0 }
            return try body(base)
        }
        count += added
    }

    /// Takes up to `frames` of what waits: `body` gets the pointers, and what lies there is gone when it returns.
    package func take(
        _ frames: Int,
        _ body: (UnsafePointer<UnsafeMutablePointer<Real>>, _ place: Int, _ count: Int) -> Void
    ) -> Int {
        let taken = min(frames, count)
        guard taken > 0 else { return 0 }
        look(at: taken, body)
        head += taken
        count -= taken
        if count == 0 { head = 0 }
        return taken
    }

    /// Hands up to `frames` of what waits to `body`, and leaves them there.
    package func look(
        at frames: Int,
        _ body: (UnsafePointer<UnsafeMutablePointer<Real>>, _ place: Int, _ count: Int) -> Void
    ) {
        body(UnsafePointer(planes.channels), head, min(frames, count))
    }

    /// Forgets the last `frames` of what waits.
    package func drop(last frames: Int) {
        count = max(count - frames, 0)
    }

    /// Forgets everything.
    package func clear() {
        head = 0
        count = 0
    }

    private func reserve(_ frames: Int) {
        guard head + count + frames > planes.capacity else { return }
        let isRoomy = count + frames <= planes.capacity / 2
        let target =
            isRoomy ? planes : FloatPlanes<Real>(channelCount: channelCount, capacity: 2 * (count + frames))
        for channel in 0..<channelCount {
            target.channels[channel].update(from: planes.channels[channel] + head, count: count)
        }
        planes = target
        head = 0
    }
}
