public import CoreAudioTypes
public import Foundation
import Synchronization
import SyrinxDSP

/// Changes rate and pitch independently during playback.
///
/// At rate 1 and pitch 0 the output equals the input, bit for bit and without delay.
///
/// ```swift
/// let timePitch = AVAudioUnitTimePitch()
/// engine.attach(timePitch)
/// engine.connect(player, to: timePitch, format: file.processingFormat)
/// engine.connect(timePitch, to: engine.mainMixerNode, format: file.processingFormat)
/// timePitch.rate = 1.5    // 50 % faster, at the same pitch
/// timePitch.pitch = -200  // two semitones lower, at the same speed
/// ```
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
    // Unchecked: parameters are atomics; `processor` requires the engine's lock.
    private var processor: TimePitchProcessor?
    // Made by `prepare(for:)` and not in a plan yet. Locked while it is made, so that a plan waits for it and makes no second
    // one of several megabytes. Where both locks are held, the engine's is the outer one.
    private let prepared = Mutex<TimePitchProcessor?>(nil)

    /// Creates a unit with rate 1 and pitch 0.
    public init() { super.init(TimeEffectParameters.timePitch) }

    /// Creates a unit with rate 1 and pitch 0 for the subtype `nutp`, or for Apple's other subtypes of this kind.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(TimeEffectParameters.timePitch)
        requireMatch(audioComponentDescription)
    }

    /// The rates that can be set: seconds of input in a second of output.
    package static var rateRange: ClosedRange<Double> { TimePitchKernel.rateRange }
    /// The shifts that can be set, in cents.
    package static var pitchRange: ClosedRange<Double> { TimePitchKernel.pitchRange }

    /// The speed of the input relative to real time: 1/32…32, default 1.
    ///
    /// Values out of range are clamped.
    ///
    /// Takes effect within `responseTime`, at most 50 ms, without a click.
    open var rate: Float {
        get { store.currentValue(0) }
        set { store.set(0, to: newValue.isFinite ? newValue : 1) }
    }

    /// The shift in cents, hundredths of a semitone: −2400…2400, default 0.
    ///
    /// Values out of range are clamped.
    ///
    /// Takes effect within `responseTime`, at most 50 ms, without a click.
    open var pitch: Float {
        get { store.currentValue(1) }
        set { store.set(1, to: newValue.isFinite ? newValue : 0) }
    }

    /// The overlap of the analysed frames: 3…32, default 8.
    ///
    /// More is smoother and costs more.
    open var overlap: Float {
        get { store.currentValue(2) }
        set { store.set(2, to: newValue.isFinite ? newValue : 8) }
    }

    /// The tail in seconds: half a window of input at the rate, plus half a window of output; 0 at rate 1 and pitch 0.
    open override var tailTime: TimeInterval {
        if bypass { return 0 }
        return TimePitchKernel.tailTime(
            sampleRate: outputFormat(forBus: 0).sampleRate,
            rate: parameters.rate.load(ordering: .relaxed),
            cents: parameters.pitch.load(ordering: .relaxed),
            overlap: parameters.overlap.load(ordering: .relaxed),
            algorithm: TimePitchAlgorithm(rawValue: parameters.algorithm.load(ordering: .relaxed)) ?? .automatic,
            preservesFormants: parameters.preservesFormants.load(ordering: .relaxed)
        )
    }

    /// Clears the unit's internal audio at the next block.
    open override func reset() { parameters.resets.wrappingAdd(1, ordering: .releasing) }

    /// The processor for a connection, kept from plan to plan while its format stays.
    func processor(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) -> TimePitchProcessor {
        let fits = { (known: TimePitchProcessor) in
            known.sampleRate == sampleRate && known.channelCount == channelCount
                && known.maximumFrameCount == maximumFrameCount
        }
        if let processor, fits(processor) { return processor }
        let ready = prepared.withLock { $0.take() }
        let new = ready.flatMap { fits($0) ? $0 : nil } ?? makeProcessor(sampleRate, channelCount, maximumFrameCount)
        processor = new
        return new
    }

    private func makeProcessor(_ sampleRate: Double, _ channelCount: Int, _ maximumFrameCount: Int)
        -> TimePitchProcessor
    {
        TimePitchProcessor(
            sampleRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount,
            parameters: parameters
        )
    }

    /// Creates the resources for a connection of `format` in advance, which takes a few milliseconds.
    package func prepare(for format: AVAudioFormat) {
        guard let engine, engine.lock.withLock({ processor == nil }) else { return }
        prepared.withLock {
            $0 = makeProcessor(format.sampleRate, Int(format.channelCount), EngineRun.maximumFrameCount)
        }
        // A plan may have made its own before.
        engine.lock.withLock {
            if processor != nil { prepared.withLock { $0 = nil } }
        }
    }

    /// The input frame, since the last reset, that the next output frame corresponds to.
    package var inputPosition: Double {
        let (position, _, resets) = parameters.position.read()
        guard resets == Int64(parameters.resets.load(ordering: .acquiring)) else { return 0 }
        return Double(bitPattern: UInt64(bitPattern: position))
    }
}
