import AudioDSP
public import Foundation

/// An echo: delays its input, and feeds a part of it back through a low pass.
///
/// Any thread may change it while it plays. A change of the time fades to the new one over 30 ms, so that no pitch bends; the
/// others move over 10 ms.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the store is atomic.
    private let store = ParameterStore([
        .init(range: 0...100, initial: 100),
        .init(range: 0...2, initial: 1),
        .init(range: -100...100, initial: 50),
        .init(range: 10...5_000_000, initial: 15_000),
    ])

    /// A delay of a second, with half of it fed back.
    public override init() { super.init() }

    /// The share of the delayed sound in percent: 0…100, default 100, at equal power.
    ///
    /// Values outside are clamped.
    open var wetDryMix: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// The delay in seconds: 0…2, default 1.
    ///
    /// Values outside are clamped; one of less than a frame, but 0, is a frame.
    open var delayTime: TimeInterval {
        get { TimeInterval(store.value(1)) }
        set { store.set(1, to: Float(newValue)) }
    }

    /// The part of the delayed sound that goes in again, in percent: −100…100, default 50.
    ///
    /// Values outside are clamped. At 100 the sound does not end, and does not grow beyond twice full scale.
    open var feedback: Float {
        get { store.value(2) }
        set { store.set(2, to: newValue) }
    }

    /// The −3 dB point of the low pass in Hz: 10 to half of the sample rate, default 15 000.
    ///
    /// Values below are clamped; from 0.49 of the sample rate on all passes.
    open var lowPassCutoff: Float {
        get { store.value(3) }
        set { store.set(3, to: newValue) }
    }

    /// Seconds in which the echoes fall by 180 dB; an hour for a feedback of 100 or −100.
    open override var tailTime: TimeInterval { Self.settings(store).tailTime }

    /// Returns the kernel, which holds two seconds of each channel.
    open override func makeKernel(
        format: AVAudioFormat,
        maximumFrameCount: AVAudioFrameCount
    ) -> AVAudioUnitKernel {
        Kernel(store, sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
    }

    private static func settings(_ store: ParameterStore) -> FeedbackDelay.Settings {
        FeedbackDelay.Settings(
            time: Double(store.value(1)),
            feedback: Double(store.value(2)) / 100,
            cutoff: Double(store.value(3)),
            mix: Double(store.value(0)) / 100
        )
    }

    private final class Kernel: AVAudioUnitKernel {
        private let store: ParameterStore
        @exclusivity(unchecked) private var delay: FeedbackDelay

        init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
            self.store = store
            delay = FeedbackDelay(sampleRate: sampleRate, channelCount: channelCount)
        }

        override func process(
            _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
            into output: UnsafePointer<UnsafeMutablePointer<Float>>,
            frameCount: Int
        ) {
            delay.set(AVAudioUnitDelay.settings(store))
            delay.process(input, into: output, frameCount: frameCount)
        }

        override func reset() { delay.reset() }
    }
}
