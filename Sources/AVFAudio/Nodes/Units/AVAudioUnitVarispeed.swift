public import CoreAudioTypes
public import Foundation
import Synchronization
import SyrinxDSP

/// Plays faster or slower, and with it higher or lower, as a tape does.
///
/// The shift in cents is 1200 · log₂ `rate`. At rate 1 the output is the input, bit for bit and without delay, until the rate
/// has been another one.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
    // Unchecked: parameters are atomics; `processor` requires the engine's lock.
    private var processor: ResampleProcessor?

    /// A unit at rate 1.
    public init() { super.init(TimeEffectParameters.varispeed) }

    /// A unit at rate 1, of the description `vari`.
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

    /// Half the filter: 64 frames of the slower of input and output; 0 until the rate has been another than 1.
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
