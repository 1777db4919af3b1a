import CoreAudioTypes
import Foundation
import SyrinxDSP

/// Mono and balance, for listeners with one ear or one loudspeaker.
///
/// Any thread may change the settings during playback; values ramp within 20 ms. With the default settings samples
/// pass unchanged.
///
/// ```swift
/// let balance = StereoBalanceUnit()
/// balance.mono = 1        // the mean of both channels on both sides
/// balance.balance = -0.5  // the right side quieter
/// ```
open class StereoBalanceUnit: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the class has no stored state.

    /// Creates a unit with balance 0, which changes nothing.
    public override convenience init() { self.init(.stereoBalance) }

    /// The share of the mean of all channels in each channel: 0…1, default 0.
    ///
    /// The value 1 is mono.
    open var mono: Float {
        get { store.value(0) }
        set { store.set(0, to: newValue) }
    }

    /// The balance of two channels: −1 is left only, 1 is right only; default 0.
    ///
    /// One channel is attenuated, and the other keeps its level. Has no effect unless there are two channels.
    open var balance: Float {
        get { store.value(1) }
        set { store.set(1, to: newValue) }
    }
}

extension EffectDefinition {
    /// Mono and balance, which Core Audio has no effect for.
    static let stereoBalance = EffectDefinition(
        // "sbal"
        0x7362_616C,
        "StereoBalance",
        StereoBalance.self,
        parameters: [
            UnitParameter(0, "mono", "Mono", .ratio, 0...1, 0),
            UnitParameter(1, "balance", "Balance", .pan, -1...1, 0),
        ]
    )
}

extension StereoBalance: EffectProcessor {
    init(_ store: ParameterStore, sampleRate: Double, channelCount: Int) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
    }

    static func tailTime(_ store: ParameterStore, sampleRate: Double) -> Double { 0 }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        parameters store: ParameterStore
    ) {
        set(mono: store.double(0), balance: store.double(1))
        process(channels, frameCount: frameCount)
    }
}
