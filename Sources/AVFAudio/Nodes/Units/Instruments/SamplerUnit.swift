import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxByteStream

/// The unit of an `AVAudioUnitSampler`.
final class SamplerUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: mutable state is guarded by the lock, is atomic, or belongs to the render thread.

    /// The sounds that are loaded.
    enum Contents: Sendable {
        case nothing
        case soundBank(URL, SoundBankProgram)
        case files([SampledSound])
    }

    private struct Loaded {
        var contents = Contents.nothing
        /// The sample rate in Hz of the current voices; 0 without voices.
        var sampleRate = 0.0
        var outputs: AUAudioUnitBusArray?
    }

    private let loaded = Mutex(Loaded())
    private let libraryName: String
    private let kernel: SamplerKernel
    /// The settings as parameters.
    private let store: ParameterStore

    static let description = AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice,
        componentSubType: kAudioUnitSubType_Sampler,
        componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0,
        componentFlagsMask: 0
    )

    init(libraryName: String = FluidSynthLibrary.defaultName) {
        self.libraryName = libraryName
        kernel = SamplerKernel()
        store = kernel.settings.store
        do {
            try super.init(componentDescription: Self.description, options: [])
        } catch {
            fatalError("AUAudioUnit.init does not throw.")
        }
        kernel.resets = control
        parameterTree = AUParameterTree(store)
    }

    required convenience init(
        registeredAs description: AudioComponentDescription,
        options: AudioComponentInstantiationOptions
    ) throws {
        self.init()
    }

    override var componentName: String? { "Syrinx: AUSampler" }
    override var audioUnitName: String? { "AUSampler" }
    override var manufacturerName: String? { "Syrinx" }
    override var componentVersion: UInt32 { 1 }

    var settings: SamplerSettings { kernel.settings }

    override var parameterStore: ParameterStore { store }

    override var ownProperties: [AudioUnitPropertyID: UnitProperty] { UnitProperty.sampler }

    override var outputBusses: AUAudioUnitBusArray {
        loaded.withLock { loaded in
            if let array = loaded.outputs { return array }
            let bus = (try? AUAudioUnitBus(format: EngineOutput.fallbackFormat)).map { [$0] } ?? []
            bus.first?.supportedChannelCounts = [1, 2]
            let new = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: bus)
            loaded.outputs = new
            return new
        }
    }

    // MARK: Loading

    /// Replaces the loaded sounds.
    ///
    /// After an error the previous sounds stay loaded.
    func load(_ contents: Contents) throws {
        let sampleRate = outputBusses[0].format.sampleRate
        let voices = try voices(contents, sampleRate)
        loaded.withLock { ($0.contents, $0.sampleRate) = (contents, sampleRate) }
        kernel.give(voices)
    }

    /// Loads an instrument of a sound bank.
    func loadInstrument(_ url: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
        let bank = bankMSB == kAUSampler_DefaultPercussionBankMSB ? 128 : Int(bankLSB)
        try load(.soundBank(url, .instrument(bank: bank, program: Int(program))))
    }

    /// Loads recordings.
    func loadFiles(_ urls: [URL]) throws {
        var left = SampledSound.maximumByteCount
        var sounds: [SampledSound] = []
        for url in urls {
            let sound = try SampledSound(url, maximumByteCount: left)
            left -= sound.byteCount
            sounds.append(sound)
        }
        try load(.files(sounds))
    }

    private func voices(_ contents: Contents, _ sampleRate: Double) throws -> SamplerVoices {
        switch contents {
        case .nothing: return SamplerVoices(grid: 1)
        case .files(let sounds): return FileVoices(sounds, sampleRate: sampleRate)
        case .soundBank(let url, let program):
            guard SoundFontVoices.sampleRates.contains(sampleRate) else {
                throw AVAudioEngineError(
                    .formatMismatch,
                    "FluidSynth renders at 8,000 to 96,000 Hz: connect the sampler to a mixer with such a format."
                )
            }
            let library = try FluidSynthLibrary.named(libraryName)
            guard let path = FilePath(url) else {
                throw AVMIDIError(.badURL, "The URL is not one of a file.", url: url)
            }
            guard path.status != nil else {
                throw AVMIDIError(.fileNotFound, "The sound bank does not exist.", url: url)
            }
            guard Self.isSoundBank(path) else {
                throw AVMIDIError(.soundBankUnreadable, "The file is not a sound bank (SF2 or SF3).", url: url)
            }
            do throws(AVMIDIError) {
                return try SoundFontVoices(library, path: path.bytes, program: program, sampleRate: sampleRate)
            } catch {
                throw error.about(url)
            }
        }
    }

    /// Whether a file begins as a sound bank does.
    private static func isSoundBank(_ path: FilePath) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: path.url) else { return false }
        defer { try? handle.close() }
        let head = (try? handle.read(upToCount: 12)) ?? Data()
        return head.count == 12 && head.prefix(4) == Data("RIFF".utf8) && head.suffix(4) == Data("sfbk".utf8)
    }

    /// Creates the voices for the sample rate of the connection, if they have another rate.
    override func allocateRenderResources() throws {
        try super.allocateRenderResources()
        let sampleRate = outputBusses[0].format.sampleRate
        let (contents, known) = loaded.withLock { ($0.contents, $0.sampleRate) }
        guard known != sampleRate, known > 0 else { return }
        let voices = try voices(contents, sampleRate)
        loaded.withLock { $0.sampleRate = sampleRate }
        kernel.give(voices)
    }

    override var tailTime: TimeInterval { 1 }

    override var internalRenderBlock: AUInternalRenderBlock {
        let fadeFrames = RampTime.parameter(outputBusses[0].format.sampleRate)
        return { [kernel] _, time, frameCount, _, output, events, _ in
            kernel.render(
                // The engine's own count of frames, which fits.
                Int64(time.pointee.mSampleTime),
                Int(frameCount),
                UnsafeMutableAudioBufferListPointer(output),
                events,
                rampFrames: fadeFrames
            )
        }
    }
}
