import Synchronization
import SyrinxDSP

/// A ring buffer of recorded frames between an input device and the graph, whose clocks may differ.
///
/// Reading starts when the ring has the frames for one render plus a margin, so that neither side waits for the other.
/// If the clocks drift apart, the reading rate follows the input device (`DriftControl`). After an underrun, reading
/// starts again. If the reader was held, the oldest frames are dropped.
package final class CaptureRing: @unchecked Sendable {
    // Unchecked: the device's thread owns the ring from `written` to `taken + capacity`. The render thread owns the
    // rest and the non-atomic state.
    let channelCount: Int
    private let sampleRate: Double
    private let capacity: Int
    private let margin: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The next place to read from, for each channel.
    private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let written = Atomic<Int>(0)
    /// The time of the last write in monotonic nanoseconds, and its number of frames.
    private let writtenAt = Atomic<UInt64>(0)
    private let lastCount = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let resampler: ResamplerKernel
    private let maximumFrameCount: Int
    // Exclusivity is unchecked at run time: the reader's thread alone has all accesses, each over before the next
    // begins.
    @exclusivity(unchecked) private var drift: DriftControl
    private var isPrimed = false

    /// Creates an empty ring.
    /// - Parameter maximumFrameCount: The maximum number of frames per `read`.
    package init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        // 20 ms, a typical block of a sound server; at the lowest sample rates, the look-ahead of the resampler.
        margin = max(Int(sampleRate * 0.02), 128)
        var capacity = 1
        while capacity < max(Int(sampleRate), 4 * maximumFrameCount) { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: capacity * channelCount)
        samples.initialize(repeating: 0, count: capacity * channelCount)
        places = .allocate(capacity: channelCount)
        places.initialize(repeating: samples, count: channelCount)
        resampler = ResamplerKernel(
            inputRate: sampleRate,
            outputRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount,
            maximumRatio: 1 + DriftControl.Loop.devices.limit
        )
        drift = DriftControl(sampleRate: sampleRate, tolerance: Double(margin) / 8, loop: .devices)
    }

    deinit {
        samples.deallocate()
        places.deallocate()
    }

    /// The device's thread, at `time` in nanoseconds of the monotonic clock.
    @_noLocks @_noAllocation
    package func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, at time: UInt64) {
        let position = written.load(ordering: .relaxed)
        let room = capacity - (position - taken.load(ordering: .acquiring))
        let count = frames < room ? frames : room
        for channel in 0..<channelCount {
            let ring = samples + channel * capacity
            let source = channels[channel]
            for frame in 0..<count { ring[(position + frame) & (capacity - 1)] = source[frame] }
        }
        writtenAt.store(time, ordering: .relaxed)
        lastCount.store(frames, ordering: .relaxed)
        written.store(position + count, ordering: .releasing)
    }

    /// Reads frames for `time` on the render thread, and returns the number of available frames.
    package func read(into slot: RenderSlot, frames: Int, at time: UInt64) -> Int {
        // For a block or two after the device returned with other channels, an old plan may still run.
        guard slot.channelCount == channelCount else { return 0 }
        let end = written.load(ordering: .acquiring)
        var start = taken.load(ordering: .relaxed)
        if !isPrimed {
            guard end - start >= frames + margin else { return 0 }
            begin()
        }
        // Half of the ring is far more than any jitter, so the graph must have been held.
        if end - start > capacity / 2 {
            start = end - frames - margin
            begin()
        }
        let needed = resampler.requiredInput(forOutput: frames)
        let count = end - start < needed ? end - start : needed
        pass(count, from: start)
        taken.store(start + count, ordering: .releasing)
        let given = resampler.read(into: UnsafePointer(slot.channels), frameCount: frames)
        if given < frames { isPrimed = false }
        let held = Double(end - start - count) + Double(resampler.framesWritten) - resampler.inputPosition
        if let ratio = drift.note(distance: held + onTheWay(at: time), after: given) { resampler.setRatio(ratio) }
        return given
    }

    /// Returns the number of frames recorded since the last block.
    ///
    /// Blocks of two clocks beat slowly; without this number the beat would look like drift.
    private func onTheWay(at time: UInt64) -> Double {
        let since = writtenAt.load(ordering: .relaxed)
        guard time > since else { return 0 }
        return min(Double(time - since) / 1e9 * sampleRate, Double(lastCount.load(ordering: .relaxed)))
    }

    /// Passes `count` frames from `start` to the resampler.
    private func pass(_ count: Int, from start: Int) {
        var done = 0
        while done < count {
            let place = (start + done) & (capacity - 1)
            var piece = count - done
            if piece > capacity - place { piece = capacity - place }
            if piece > maximumFrameCount { piece = maximumFrameCount }
            for channel in 0..<channelCount { places[channel] = samples + (channel * capacity + place) }
            resampler.write(UnsafePointer(places), frameCount: piece)
            done += piece
        }
    }

    /// Starts a recording without a connection to earlier audio.
    private func begin() {
        isPrimed = true
        resampler.setRatio(1)
        resampler.reset()
        drift = DriftControl(sampleRate: sampleRate, tolerance: Double(margin) / 8, loop: .devices)
    }
}
