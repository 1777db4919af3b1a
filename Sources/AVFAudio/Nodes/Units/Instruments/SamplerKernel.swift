import CoreAudioTypes
import Glibc
import Synchronization

/// The part of a sampler that runs on the render thread: sends messages to the voices and renders them on their frame
/// grid.
///
/// The output does not depend on the division into blocks. A message takes effect at the next frame of the grid.
final class SamplerKernel: @unchecked Sendable {
    // Unchecked: only the render thread and `deinit` access the state below `Render state`.
    let settings = SamplerSettings()
    /// Set once, before rendering begins.
    @exclusivity(unchecked) var resets: UnitControl?
    private let handover = RenderHandover()

    /// The most frames that are rendered at a time.
    static let chunkFrames = 64

    // MARK: Render state

    @exclusivity(unchecked) private var voices: UnsafeMutableRawPointer?
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>
    /// The index of the next unused frame in `left` and `right`, which are filled up to `end`.
    @exclusivity(unchecked) private var place = 0
    @exclusivity(unchecked) private var end = 0
    @exclusivity(unchecked) private var leftGain = Ramp(1)
    @exclusivity(unchecked) private var rightGain = Ramp(1)
    @exclusivity(unchecked) private var decibels: Float = 0
    @exclusivity(unchecked) private var pan: Float = 0
    @exclusivity(unchecked) private var tuning: Float = 0
    @exclusivity(unchecked) private var resetCount = 0

    init() {
        left = .allocate(capacity: Self.chunkFrames)
        right = .allocate(capacity: Self.chunkFrames)
        left.initialize(repeating: 0, count: Self.chunkFrames)
        right.initialize(repeating: 0, count: Self.chunkFrames)
    }

    deinit {
        if let voices { Unmanaged<SamplerVoices>.fromOpaque(voices).release() }
        left.deallocate()
        right.deallocate()
    }

    /// Sets new voices, which play from the next block.
    func give(_ voices: SamplerVoices) { handover.give(voices) }

    // MARK: Render

    func render(
        _ time: Int64,
        _ frameCount: Int,
        _ list: UnsafeMutableAudioBufferListPointer,
        _ events: UnsafePointer<AURenderEvent>?,
        rampFrames: Int
    ) -> AUAudioUnitStatus {
        let channelCount = list.count
        guard channelCount > 0, let first = list[0].mData?.assumingMemoryBound(to: Float.self),
            let second = list[channelCount > 1 ? 1 : 0].mData?.assumingMemoryBound(to: Float.self)
        else { return kAudioUnitErr_InvalidPropertyValue }
        takeUpVoices()
        guard let voices else {
            for frame in 0..<frameCount { (first[frame], second[frame]) = (0, 0) }
            return noErr
        }
        Unmanaged<SamplerVoices>.fromOpaque(voices)._withUnsafeGuaranteedRef {
            takeUpSettings($0, rampFrames)
            var event = events
            var frame = 0
            while frame < frameCount {
                if place == end { fill($0, &event, at: time &+ Int64(frame), limit: frameCount &- frame) }
                let count = min(end &- place, frameCount &- frame)
                give(count, first + frame, second + frame, isStereo: channelCount > 1)
                frame &+= count
            }
            // The frames after these messages are rendered in a later block.
            while let head = event {
                handle($0, head)
                event = UnsafePointer(head.pointee.head.next)
            }
        }
        return noErr
    }

    /// Renders the next frames of the voices' grid, once they have taken the messages up to there.
    private func fill(
        _ voices: SamplerVoices,
        _ event: inout UnsafePointer<AURenderEvent>?,
        at time: Int64,
        limit: Int
    ) {
        while let head = event, head.pointee.head.eventSampleTime <= time {
            handle(voices, head)
            event = UnsafePointer(head.pointee.head.next)
        }
        var count = 64
        // Without a grid they render up to the next message.
        if voices.grid == 1 {
            count = min(count, limit)
            if let head = event { count = min(count, Int(head.pointee.head.eventSampleTime &- time)) }
        }
        voices.render(left, right, frameCount: count)
        (place, end) = (0, count)
    }

    private func handle(_ voices: SamplerVoices, _ event: UnsafePointer<AURenderEvent>) {
        // Comparing enumerations requires metadata in debug builds.
        guard event.pointee.head.eventType.rawValue == AURenderEventType.MIDI.rawValue else { return }
        let data = event.pointee.MIDI.data
        voices.handle(data.0, data.1, data.2)
    }

    private func give(
        _ count: Int,
        _ first: UnsafeMutablePointer<Float>,
        _ second: UnsafeMutablePointer<Float>,
        isStereo: Bool
    ) {
        for index in 0..<count {
            let one = left[place &+ index] * leftGain.next()
            let two = right[place &+ index] * rightGain.next()
            if isStereo {
                first[index] = one
                second[index] = two
            } else {
                first[index] = 0.5 * (one + two)
            }
        }
        place &+= count
    }

    private func takeUpVoices() {
        guard let raw = handover.take() else { return }
        if let voices { handover.giveBack(voices) }
        voices = raw
        (place, end) = (0, 0)
        // These settings belong to the previous voices.
        tuning = 0
    }

    private func takeUpSettings(_ voices: SamplerVoices, _ rampFrames: Int) {
        let asked = askedSettings()
        if asked.resets != resetCount {
            resetCount = asked.resets
            voices.reset()
            (place, end) = (0, 0)
        }
        if asked.tuning != tuning {
            tuning = asked.tuning
            voices.tune(tuning)
        }
        if asked.gain != decibels || asked.pan != pan {
            (decibels, pan) = (asked.gain, asked.pan)
            let gain = pow(10, decibels / 20)
            // A balance as in mixers: in the middle both channels keep their level.
            leftGain.head(to: gain * min(1, 1 - pan / 100), over: rampFrames)
            rightGain.head(to: gain * min(1, 1 + pan / 100), over: rampFrames)
        }
    }

    private func askedSettings() -> (gain: Float, pan: Float, tuning: Float, resets: Int) {
        (Self.value(settings.gain), Self.value(settings.pan), Self.value(settings.tuning), askedResets())
    }

    @_noLocks @_noAllocation
    private static func value(_ setting: borrowing Atomic<Float>) -> Float { setting.load(ordering: .relaxed) }

    private func askedResets() -> Int {
        guard let resets else { return 0 }
        return Self.count(resets.resets)
    }

    @_noLocks @_noAllocation
    private static func count(_ setting: borrowing Atomic<Int>) -> Int { setting.load(ordering: .acquiring) }
}
