/// A growing queue of samples, with one buffer per channel.
///
/// Consumed frames are discarded when the buffer is full; if at most half of it is in use, it is compacted instead of
/// enlarged.
package final class PlanarFIFO<Real: PCMSampleScale> {
    private var planes: FloatPlanes<Real>
    private let channelCount: Int
    private var head = 0
    /// The number of queued frames.
    package private(set) var count = 0

    package init(channelCount: Int) {
        self.channelCount = channelCount
        planes = FloatPlanes(channelCount: channelCount, capacity: 4096)
    }

    /// Reserves space for `frames` frames, calls `body` to fill it, and adds as many frames as `body` returns.
    ///
    /// `body` receives a pointer to the free space of each channel.
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

    /// Passes up to `frames` queued frames to `body`, then removes them, and returns their number.
    ///
    /// The frames start at index `place` of each channel, and are valid only until `body` returns.
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

    /// Passes up to `frames` queued frames to `body` without removing them.
    package func look(
        at frames: Int,
        _ body: (UnsafePointer<UnsafeMutablePointer<Real>>, _ place: Int, _ count: Int) -> Void
    ) {
        body(UnsafePointer(planes.channels), head, min(frames, count))
    }

    /// Removes the last `frames` frames.
    package func drop(last frames: Int) {
        count = max(count - frames, 0)
    }

    /// Removes all frames.
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
