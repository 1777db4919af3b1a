import CoreAudioTypes

/// The sound of a sampler: made off the render thread, which then has it.
class SamplerVoices: RenderOwned, @unchecked Sendable {
    // Unchecked: as `RenderOwned`.

    /// The number of frames per rendered unit; 1 if any number is possible.
    final let grid: Int

    init(grid: Int) { self.grid = grid }

    /// Processes a channel message.
    func handle(_ status: UInt8, _ first: UInt8, _ second: UInt8) {}

    /// Sets the tuning of all notes, in cents.
    func tune(_ cents: Float) {}

    /// Ends all notes at once.
    func reset() {}

    /// Renders frames: at most `SamplerUnit.chunkFrames`, and a multiple of `grid`.
    func render(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frameCount: Int) {}
}

/// The instrument of a sound bank that a sampler plays.
enum SoundBankProgram: Equatable, Sendable {
    /// One instrument on all channels. Program changes are ignored.
    case instrument(bank: Int, program: Int)
    /// The first instrument of the bank, on all channels.
    case first
    /// The instruments that program changes select, with percussion on channel 10.
    case all
}

/// Plays a sound bank with FluidSynth.
///
/// FluidSynth works in blocks of 64 frames, which begin notes and take up changes. So a note begins up to 63 frames
/// late.
final class SoundFontVoices: SamplerVoices, @unchecked Sendable {
    // Unchecked: as `RenderOwned`.
    private let library: FluidSynthLibrary
    private let settings: FluidSynthLibrary.Object
    private let synth: FluidSynthLibrary.Object
    private let takesPrograms: Bool

    /// The sample rates that FluidSynth renders at.
    static let sampleRates = 8_000.0...96_000.0

    /// Loads a sound bank, which takes as long as the file is large.
    /// - Throws: `AVMIDIError` with `.soundBankUnreadable` or `.noSuchInstrument`.
    init(
        _ library: FluidSynthLibrary,
        path: [UInt8],
        program: SoundBankProgram,
        sampleRate: Double
    ) throws(AVMIDIError) {
        guard let settings = library.makeSettings() else {
            throw AVMIDIError(.soundBankUnreadable, "There is not enough memory for the settings of FluidSynth.")
        }
        _ = library.setNumber(settings, "synth.sample-rate", sampleRate)
        // The render thread alone uses it from now on, and has no time for locks; reverb and chorus are nodes.
        for (name, value) in [
            ("synth.threadsafe-api", 0), ("synth.reverb.active", 0), ("synth.chorus.active", 0),
            ("synth.lock-memory", 0),
        ] {
            _ = library.setInteger(settings, name, Int32(value))
        }
        guard let synth = library.makeSynth(settings) else {
            library.deleteSettings(settings)
            throw AVMIDIError(.soundBankUnreadable, "There is not enough memory for FluidSynth.")
        }
        (self.library, self.settings, self.synth) = (library, settings, synth)
        takesPrograms = program == .all
        super.init(grid: 64)
        // The synthesizer is freed by `deinit`, also after an error.
        let font = (path + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { name in
            name.baseAddress.map { library.load(synth, $0, 1) } ?? -1
        }
        guard font >= 0 else {
            throw AVMIDIError(.soundBankUnreadable, "FluidSynth cannot read it as a sound bank (SF2 or SF3).")
        }
        try select(program, font)
    }

    deinit {
        library.deleteSynth(synth)
        library.deleteSettings(settings)
    }

    private func select(_ program: SoundBankProgram, _ font: Int32) throws(AVMIDIError) {
        var chosen: (bank: Int32, program: Int32)
        switch program {
        case .all: return
        case .instrument(let bank, let program): chosen = (Int32(clamping: bank), Int32(clamping: program))
        case .first:
            guard let object = library.findFont(synth, font) else { return }
            library.beginPresets(object)
            guard let preset = library.nextPreset(object) else {
                throw AVMIDIError(.noSuchInstrument, "The sound bank has no instrument.")
            }
            chosen = (library.bank(preset), library.program(preset))
        }
        for channel in 0..<16 {
            guard library.select(synth, Int32(channel), font, chosen.bank, chosen.program) == 0 else {
                throw AVMIDIError(
                    .noSuchInstrument,
                    "The sound bank has no program \(chosen.program) in bank \(chosen.bank)."
                )
            }
        }
    }

    // MARK: Render

    override func handle(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
        let channel = Int32(status & 0x0F)
        let (one, two) = (Int32(first & 0x7F), Int32(second & 0x7F))
        switch status & 0xF0 {
        case 0x80: _ = library.noteOff(synth, channel, one)
        case 0x90: _ = two > 0 ? library.noteOn(synth, channel, one, two) : library.noteOff(synth, channel, one)
        case 0xA0: _ = library.keyPressure(synth, channel, one, two)
        case 0xB0:
            // Banks are chosen with the program.
            if !takesPrograms { if one == 0 || one == 32 { return } }
            _ = library.control(synth, channel, one, two)
        case 0xC0: if takesPrograms { _ = library.changeProgram(synth, channel, one) }
        case 0xD0: _ = library.pressure(synth, channel, one)
        case 0xE0: _ = library.bend(synth, channel, two << 7 | one)
        default: break
        }
    }

    override func tune(_ cents: Float) {
        // 52 is the fine tuning of SoundFont's generators.
        for channel in 0..<16 { _ = library.setGenerator(synth, Int32(channel), 52, cents) }
    }

    override func reset() { _ = library.endSounds(synth, -1) }

    override func render(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frameCount: Int) {
        _ = library.write(synth, Int32(truncatingIfNeeded: frameCount), left, 0, 1, right, 0, 1)
    }
}
