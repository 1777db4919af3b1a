import CSyrinxAllocationCounter
import CoreAudioTypes
import Synchronization
public import SyrinxDevice

/// The source of a test's device: a signal behind a `RenderCallback`, with a record of its calls.
///
/// Must outlive the device's run.
public final class SignalSource: @unchecked Sendable {
    // Unchecked: the samples never change, `position` and `planes` are only used by the device's thread, the rest is
    // atomic.
    private let signal: [[Float]]
    private let planes: [UnsafeMutablePointer<Float>]
    private let frameCount: Int
    private let position = Atomic<Int>(0)
    private let calls = Atomic<Int>(0)
    private let didRenderCalls = Atomic<Int>(0)
    private let largest = Atomic<Int>(0)
    private let running = Atomic<Bool>(false)
    private let allocated = Atomic<Int>(0)
    private let previousEnd = Atomic<UInt64>(0)
    private let lastHostTime = Atomic<UInt64>(0)
    private let lastSampleTime = Atomic<Double>(-1)
    private let badTimes = Atomic<Int>(0)
    private let overlaps = Atomic<Int>(0)
    /// Called on the device's thread in each render, after the samples; for tests that stop or block there.
    private let hook: (@Sendable () -> Void)?
    /// Whether the signal starts again at its end.
    private let repeats: Bool

    /// A source of this signal: one array a channel, all of one length.
    public init(_ signal: [[Float]], repeats: Bool = false, hook: (@Sendable () -> Void)? = nil) {
        self.signal = signal
        self.repeats = repeats
        self.hook = hook
        frameCount = signal.first?.count ?? 0
        planes = signal.map { samples in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: max(1, samples.count))
            plane.initialize(from: samples, count: samples.count)
            return plane
        }
    }

    deinit { planes.forEach { $0.deallocate() } }

    /// The number of frames requested.
    public var renderedFrameCount: Int { position.load(ordering: .acquiring) }
    /// The number of requests for frames.
    public var callCount: Int { calls.load(ordering: .acquiring) }
    /// The number of calls of `didRender`.
    public var didRenderCount: Int { didRenderCalls.load(ordering: .acquiring) }
    /// The most frames that were asked for at once.
    public var largestBlock: Int { largest.load(ordering: .acquiring) }
    /// Whether the callback is being called right now.
    public var isRendering: Bool { running.load(ordering: .acquiring) }
    /// The number of calls during another call.
    public var overlapCount: Int { overlaps.load(ordering: .acquiring) }
    /// When the last block is heard, as the device said it.
    public var hostTime: UInt64 { lastHostTime.load(ordering: .acquiring) }
    /// Blocks whose sample time did not follow on the one before.
    public var badTimeCount: Int { badTimes.load(ordering: .acquiring) }
    /// Allocations on the device's thread from the end of one render to the begin of the next, summed up; `-1` as long
    /// as there were fewer than two.
    public var allocationCount: Int { calls.load(ordering: .acquiring) < 2 ? -1 : allocated.load(ordering: .acquiring) }

    /// The callback.
    public var callback: RenderCallback {
        RenderCallback(
            context: Unmanaged.passUnretained(self).toOpaque(),
            render: { context, channels, frameCount, time in
                Unmanaged<SignalSource>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    UInt32($0.render(channels, Int(frameCount), time))
                }
            },
            didRender: { context in
                Unmanaged<SignalSource>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.didRender() }
            }
        )
    }

    private func render(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ count: Int,
        _ time: UnsafePointer<AudioTimeStamp>?
    ) -> Int {
        if running.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
        if calls.load(ordering: .relaxed) > 0 {
            allocated.add(Int(syrinx_allocation_count()), ordering: .relaxed)
        } else {
            // Never exited: the thread ends, and what counts is what the device does between two renders.
            syrinx_counting_enter()
        }
        note(time)
        let start = position.load(ordering: .relaxed)
        let valid = repeats ? count : max(0, min(count, frameCount - start))
        for (channel, plane) in planes.enumerated() {
            for frame in 0..<count {
                channels[channel][frame] = frame < valid ? plane[(start + frame) % frameCount] : 0
            }
        }
        if count > largest.load(ordering: .relaxed) { largest.store(count, ordering: .relaxed) }
        position.store(start + valid, ordering: .releasing)
        hook?()
        calls.add(1, ordering: .releasing)
        running.store(false, ordering: .releasing)
        syrinx_allocation_reset()
        return valid
    }

    private func note(_ time: UnsafePointer<AudioTimeStamp>?) {
        guard let time else { return }
        lastHostTime.store(time.pointee.mHostTime, ordering: .relaxed)
        let last = lastSampleTime.load(ordering: .relaxed)
        if time.pointee.mSampleTime <= last { badTimes.add(1, ordering: .relaxed) }
        lastSampleTime.store(time.pointee.mSampleTime, ordering: .relaxed)
    }

    private func didRender() { didRenderCalls.add(1, ordering: .releasing) }
}
