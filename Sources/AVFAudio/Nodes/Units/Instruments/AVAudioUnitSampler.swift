import CoreAudioTypes
public import Foundation
import Synchronization
import SyrinxByteStream

/// The bank of melodic instruments, for `AVAudioUnitSampler.loadSoundBankInstrument`.
public let kAUSampler_DefaultMelodicBankMSB = 0x79
/// The bank of percussion, for `AVAudioUnitSampler.loadSoundBankInstrument`.
public let kAUSampler_DefaultPercussionBankMSB = 0x78
/// The default least significant byte of a bank number, for `AVAudioUnitSampler.loadSoundBankInstrument`.
public let kAUSampler_DefaultBankLSB = 0x00

/// Plays an instrument of a sound bank, or recordings transposed across the keyboard.
///
/// A new sampler is silent until you load sounds. FluidSynth plays sound banks (SF2, SF3) and is loaded at run time;
/// without it, loading throws an error. FluidSynth starts notes on a grid of 64 frames, that is up to 63 frames late
/// (1.3 ms at 48 kHz). Recordings start at the exact frame.
///
/// FluidSynth's reverb and chorus are off, and its gain is the default of 0.2, which leaves headroom for many notes.
/// The sampler plays one instrument and ignores program changes, unless you called ``loadSoundBank(at:)``. It responds
/// to controllers, pitch bend and pressure, but not to system-exclusive messages.
///
/// ```swift
/// let sampler = AVAudioUnitSampler()
/// engine.attach(sampler)
/// engine.connect(sampler, to: engine.mainMixerNode, format: nil)
/// try sampler.loadAudioFiles(at: [URL(fileURLWithPath: "bell.wav")])
/// try engine.start()
/// sampler.startNote(67, withVelocity: 90, onChannel: 0)  // the recording, 7 semitones higher
/// ```
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument, @unchecked Sendable {
    // Unchecked: all is in the unit.
    private let unit: SamplerUnit

    /// Creates a sampler without sounds.
    public init() {
        unit = SamplerUnit(libraryName: FluidSynthLibrary.defaultName)
        super.init(hosting: unit)
    }

    /// A sampler that looks for FluidSynth under another name of the library.
    package init(synthesizerLibrary name: String) {
        unit = SamplerUnit(libraryName: name)
        super.init(hosting: unit)
    }

    override var component: UnitComponent? { UnitComponent.sampler }

    // MARK: Loading

    /// Loads an instrument of a sound bank, and replaces the loaded sounds.
    ///
    /// The method reads the file before it returns, while rendering continues. After an error the previous sounds stay
    /// loaded.
    /// - Parameters:
    ///   - bankURL: An SF2 or SF3 file.
    ///   - program: The program number, 0…127.
    ///   - bankMSB: `kAUSampler_DefaultMelodicBankMSB`, or `kAUSampler_DefaultPercussionBankMSB` for bank 128 of the
    ///     file.
    ///   - bankLSB: The bank of the file; ignored for percussion.
    /// - Throws: `AVMIDIError`: `device.synthesizerMissing`, `file.notFound`, `media.soundBankUnreadable`,
    ///   `media.noSuchInstrument`.
    open func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
        try unit.loadInstrument(bankURL, program: program, bankMSB: bankMSB, bankLSB: bankLSB)
    }

    /// Loads the first instrument of a sound bank, and replaces the loaded sounds.
    /// - Throws: As `loadSoundBankInstrument`; `media.instrumentUnsupported` for files of Apple's and other samplers.
    open func loadInstrument(at instrumentURL: URL) throws {
        let kind = instrumentURL.pathExtension.lowercased()
        guard !["aupreset", "exs", "dls"].contains(kind) else {
            throw AVMIDIError(
                .instrumentUnsupported,
                "Instruments of the kind .\(kind) cannot be played: use a sound bank (SF2 or SF3).",
                url: instrumentURL
            )
        }
        try unit.load(.soundBank(instrumentURL, .first))
    }

    /// Loads a whole sound bank.
    ///
    /// Program change messages then select the program of each channel, with percussion on channel 10 (index 9).
    ///
    /// An addition to Apple's interface.
    /// - Throws: As `loadSoundBankInstrument`.
    public func loadSoundBank(at bankURL: URL) throws { try unit.load(.soundBank(bankURL, .all)) }

    /// Loads recordings, and replaces the loaded sounds.
    ///
    /// The first recording plays at its original pitch at key 60, and each further recording at the next key. Lower
    /// and higher keys play the first and the last recording, transposed by resampling. Key information in the files
    /// is ignored. The decoded recordings may have up to 512 MiB together.
    /// - Throws: `AVAudioFileError` for a file that cannot be read; `AVMIDIError` with `media.instrumentUnsupported`.
    open func loadAudioFiles(at audioFiles: [URL]) throws {
        try unit.loadFiles(audioFiles)
    }

    // MARK: Settings

    /// The panning, from −100 (left) to 100 (right); 0 by default.
    ///
    /// A balance. A change is ramped over 10 ms.
    open var stereoPan: Float {
        get { unit.settings.pan.load(ordering: .relaxed) }
        set {
            unit.settings.pan.store(newValue.clampedSetting(-100, 100), ordering: .relaxed)
            store.tellObserver(of: 3)
        }
    }

    /// The gain in decibels: −90…12; default 0.
    ///
    /// A change is ramped over 10 ms.
    open var overallGain: Float {
        get { unit.settings.gain.load(ordering: .relaxed) }
        set { store.set(0, to: newValue.clampedSetting(-90, 12)) }
    }

    /// The gain under its former name.
    @available(*, deprecated, renamed: "overallGain")
    open var masterGain: Float {
        get { overallGain }
        set { overallGain = newValue }
    }

    /// The tuning of all notes in cents: −2,400…2,400; default 0.
    open var globalTuning: Float {
        get { unit.settings.tuning.load(ordering: .relaxed) }
        set {
            unit.settings.setTuning(newValue.clampedSetting(-2_400, 2_400))
            store.tellObserver(of: 1)
            store.tellObserver(of: 2)
        }
    }
}

extension Float {
    fileprivate func clampedSetting(_ low: Float, _ high: Float) -> Float {
        isFinite ? Swift.min(Swift.max(self, low), high) : 0
    }
}

extension UnitComponent {
    /// The component of the sampler.
    static var sampler: UnitComponent {
        UnitComponent(
            unit: AVAudioUnitSampler.self,
            name: "AUSampler",
            type: kAudioUnitType_MusicDevice,
            subtypes: [kAudioUnitSubType_Sampler]
        ) { AVAudioUnitSampler() }
    }
}
