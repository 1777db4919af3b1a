public import CoreAudioTypes
public import Foundation
import Synchronization
import SyrinxDSP

/// Changes rate and pitch together, like the speed of a tape.
///
/// The pitch shift in cents is 1200 · log₂ `rate`. At rate 1 the output equals the input, bit for bit and without
/// delay, as long as the rate was never different.
///
/// ```swift
/// let varispeed = AVAudioUnitVarispeed()
/// engine.attach(varispeed)
/// engine.connect(player, to: varispeed, format: file.processingFormat)
/// engine.connect(varispeed, to: engine.mainMixerNode, format: file.processingFormat)
/// varispeed.rate = 0.5  // half the speed, one octave lower
/// ```
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
    // Unchecked: parameters are atomics; `processor` requires the engine's lock.
    private var processor: ResampleProcessor?

    /// Creates a unit with rate 1.
    public init() { super.init(TimeEffectParameters.varispeed) }

    /// Creates a unit with rate 1 for the subtype `vari`.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(TimeEffectParameters.varispeed)
        requireMatch(audioComponentDescription)
    }

    /// The playback rate: 0.25…4, default 1.
    ///
    /// The pitch changes with it.
    ///
    /// Values out of range are clamped. A change takes effect at the next block, without a click.
    open var rate: Float {
        get { store.currentValue(0) }
        set { store.set(0, to: newValue.isFinite ? newValue : 1) }
    }

    /// The tail in seconds: 64 frames of the lower rate of input and output; 0 until the rate was different from 1.
    open override var tailTime: TimeInterval {
        let rate = bypass ? 1 : parameters.rate.load(ordering: .relaxed)
        guard rate != 1 || parameters.hasMoved.load(ordering: .relaxed) else { return 0 }
        // The tail is measured in input time, which passes at `rate`.
        return ResamplerKernel.tailTime(inputRate: outputFormat(forBus: 0).sampleRate, ratio: rate) / rate
    }

    /// Clears the unit's internal audio at the next block.
    open override func reset() { parameters.resets.wrappingAdd(1, ordering: .releasing) }

    /// The processor for a connection, kept from plan to plan while its format stays.
    func processor(sampleRate: Double, channelCount: Int, maximumFrameCount: Int) -> ResampleProcessor {
        if let processor, processor.inputRate == sampleRate, processor.channelCount == channelCount { return processor }
        let new = ResampleProcessor(
            inputRate: sampleRate,
            outputRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount,
            control: parameters
        )
        processor = new
        return new
    }
}
