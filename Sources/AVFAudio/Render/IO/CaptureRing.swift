import Synchronization
import SyrinxDSP

/// A ring of the frames that an input device has recorded and the graph has not read.
///
/// It separates the clocks of the two devices.
///
/// Reading starts when the ring holds one render and a margin, so that neither side waits for the other. Where the two clocks
/// differ, the rate of reading follows the device (`DriftControl`). A reader that finds the ring empty starts again; for a
/// reader that stood still the oldest frames are dropped.
package final class CaptureRing: @unchecked Sendable {
    // Unchecked: the device's thread owns the ring from `written` to `taken + capacity`, the render thread the rest and
    // what is not atomic.
    let channelCount: Int
    private let sampleRate: Double
    private let capacity: Int
    private let margin: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The next place to read from, for each channel.
    private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let written = Atomic<Int>(0)
    /// When that was, in nanoseconds of the monotonic clock, and how many frames came then.
    private let writtenAt = Atomic<UInt64>(0)
    private let lastCount = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let resampler: ResamplerKernel
    private let maximumFrameCount: Int
    // Exclusivity is unchecked at run time: the reader's thread alone has all accesses, each over before the next begins.
    @exclusivity(unchecked) private var drift: DriftControl
    private var isPrimed = false

    /// - Parameter maximumFrameCount: The most that `read` will be asked for.
    package init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        // 20 ms: what a sound server hands over at a time; and at the lowest rates what the resampler looks ahead.
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

    /// The render thread, at `time`: returns how many frames were there.
    package func read(into slot: RenderSlot, frames: Int, at time: UInt64) -> Int {
        // A plan of before the device came back with other channels, for a block or two.
        guard slot.channelCount == channelCount else { return 0 }
        let end = written.load(ordering: .acquiring)
        var start = taken.load(ordering: .relaxed)
        if !isPrimed {
            guard end - start >= frames + margin else { return 0 }
            begin()
        }
        // Half of the ring is far more than any jitter: the graph stood still.
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

    /// Gives `count` frames from `start` on to the resampler.
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

    /// Begins a recording that has nothing to do with what came before.
    private func begin() {
        isPrimed = true
        resampler.setRatio(1)
        resampler.reset()
        drift = DriftControl(sampleRate: sampleRate, tolerance: Double(margin) / 8, loop: .devices)
    }
}
