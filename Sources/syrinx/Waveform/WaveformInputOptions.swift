import ArgumentParser
import SyrinxMediaCodec

/// The format of the inputs, if they do not state it themselves.
struct WaveformInputOptions: ParsableArguments {
    /// The kind of an input.
    enum Kind: Equatable {
        /// Audio, with or without a header.
        case sound
        /// An existing waveform file.
        case waveform(WaveformFormat)
    }

    /// audiowaveform's format names; the exact audio format is detected.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mp3, wav, flac, ogg, opus, raw, dat, json
    }

    @Option(
        help: ArgumentHelp(
            "Input format, in place of the extension (raw: samples without a header)",
            valueName: "format"
        )
    )
    var inputFormat: Format?

    @Option(name: .customLong("raw-samplerate"), help: ArgumentHelp("Sample rate of a raw input", valueName: "hertz"))
    var rawSampleRate: Int?

    @Option(help: ArgumentHelp("Number of channels of a raw input", valueName: "count"))
    var rawChannels: Int?

    @Option(help: ArgumentHelp("Sample format of a raw input", valueName: "format"))
    var rawFormat: EncodingArgument?

    @Flag(name: .shortAndLong, help: "Show no progress")
    var quiet = false

    func validate() throws {
        let given = [rawSampleRate != nil, rawChannels != nil, rawFormat != nil]
        guard isRaw else {
            guard given.allSatisfy({ !$0 }) else {
                throw ValidationError("the --raw options need --input-format raw")
            }
            return
        }
        guard given.allSatisfy(\.self) else {
            throw ValidationError("samples without a header need --raw-format, --raw-samplerate and --raw-channels")
        }
        guard raw != nil else {
            throw ValidationError("--raw-samplerate has to be 1 … 1000000, and --raw-channels 1 … 64")
        }
    }

    /// The specified kind of the inputs; `nil` if it was not specified.
    var kind: Kind? {
        switch inputFormat {
        case .dat: .waveform(.dat)
        case .json: .waveform(.json)
        case nil where !isRaw: nil
        default: .sound
        }
    }

    /// The sample format of inputs without a header; `nil` if it was not specified.
    var raw: RawSamples? {
        guard isRaw, let rawFormat, let rawSampleRate, let rawChannels else { return nil }
        return RawSamples(encoding: rawFormat.encoding, sampleRate: rawSampleRate, channelCount: rawChannels)
    }

    private var isRaw: Bool {
        inputFormat == .raw || inputFormat == nil && (rawSampleRate != nil || rawChannels != nil || rawFormat != nil)
    }
}

/// The encoding of samples, as a command-line argument.
struct EncodingArgument: ExpressibleByArgument {
    let encoding: RawSamples.Encoding

    init?(argument: String) {
        guard let encoding = RawSamples.Encoding(rawValue: argument) else { return nil }
        self.encoding = encoding
    }

    static var allValueStrings: [String] { RawSamples.Encoding.allCases.map(\.rawValue) }
}
