import ArgumentParser
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening

/// The formats of a waveform.
enum WaveformFormat: String, ExpressibleByArgument, CaseIterable {
    case dat, json, png, svg, txt, wavesurfer

    /// The format that the extension of a path names.
    init?(path: FilePath) {
        let suffix = path.pathExtension
        guard suffix != "wavesurfer" else { return nil }
        self.init(rawValue: suffix)
    }

    /// The extension of files of this format.
    var fileExtension: String { self == .wavesurfer ? "json" : rawValue }

    /// Whether it is a picture.
    var isPicture: Bool { self == .png || self == .svg }
}

/// A number, or that it is to be found.
enum NumberOrAuto: ExpressibleByArgument, Equatable {
    case automatic
    case number(Double)

    init?(argument: String) {
        if argument == "auto" {
            self = .automatic
        } else if let number = Double(argument), number.isFinite {
            self = .number(number)
        } else {
            return nil
        }
    }
}

/// One or more colours in hexadecimal, with commas between them.
struct ColorsArgument: ExpressibleByArgument, Equatable {
    let colors: [WaveformColor]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        colors = parts.compactMap { WaveformColor(hexadecimal: String($0)) }
        guard !colors.isEmpty, colors.count == parts.count else { return nil }
    }
}

/// Which part of an input, at which zoom.
struct WaveformScaleOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Bits of a value in dat, json and txt: 8 or 16; else as many as the input has, or 16."
    )
    var bits: Int?

    @Option(
        name: .shortAndLong,
        help: "Frames in a pixel, 2 or more; auto fits the width, as does an --end without a zoom; else 256."
    )
    var zoom: NumberOrAuto?

    @Option(help: "Pixels a second, in place of --zoom.")
    var pixelsPerSecond: Int?

    @Option(name: .shortAndLong, parsing: .unconditional, help: "Where to begin: seconds, or [hh:]mm:ss[.fff].")
    var start: ClockTime?

    @Option(name: .shortAndLong, parsing: .unconditional, help: "Where to end: seconds, or [hh:]mm:ss[.fff].")
    var end: ClockTime?

    @Flag(help: "A waveform for each channel, instead of one of all.")
    var splitChannels = false

    @Option(parsing: .unconditional, help: "A factor for every value; auto makes the loudest just fit.")
    var amplitudeScale: NumberOrAuto?

    @Flag(help: "Take the padding at the end of an MP3 for sound, as audiowaveform does.")
    var keepPadding = false

    func validate() throws {
        if let bits, bits != 8, bits != 16 { throw ValidationError("--bits is \(bits); it has to be 8 or 16") }
        if case .number(let frames) = zoom, !(2...1e9).contains(frames) || frames != frames.rounded() {
            throw ValidationError("--zoom has to be auto, or a whole number of at least 2")
        }
        if let pixelsPerSecond {
            guard zoom == nil else { throw ValidationError("--zoom and --pixels-per-second exclude each other") }
            guard pixelsPerSecond > 0 else { throw ValidationError("--pixels-per-second has to be above 0") }
        }
        if let end, end.seconds <= start?.seconds ?? 0 { throw ValidationError("--end has to lie behind --start") }
        if case .number(let factor) = amplitudeScale, factor < 0 {
            throw ValidationError("--amplitude-scale has to be auto, or at least 0")
        }
    }
}

/// The look of a drawing.
struct WaveformLookOptions: ParsableArguments {
    enum Colors: String, ExpressibleByArgument, CaseIterable {
        case audacity, audition
    }

    enum Style: String, ExpressibleByArgument, CaseIterable {
        case line, bars
        /// audiowaveform's word for `line`.
        case normal
    }

    enum BarStyle: String, ExpressibleByArgument, CaseIterable {
        case square, rounded
    }

    @Option(name: .shortAndLong, help: "Pixels from left to right.")
    var width = 800

    @Option(help: "Pixels from top to bottom.")
    var height = 250

    @Option(name: .shortAndLong, help: "Colours: audacity or audition.")
    var colors = Colors.audacity

    @Option(help: "rrggbb or rrggbbaa.")
    var backgroundColor: ColorsArgument?

    @Option(help: "rrggbb or rrggbbaa; several, with commas, for the channels.")
    var waveformColor: ColorsArgument?

    @Option(help: "rrggbb or rrggbbaa: a frame of one pixel, which there is with axis labels.")
    var borderColor: ColorsArgument?

    @Flag(name: .customLong("with-axis-labels"), help: "Draw the times at the upper and lower edge.")
    var withAxisLabels = false

    @Flag(name: .customLong("no-axis-labels"), help: "Draw no times, as is usual here.")
    var noAxisLabels = false

    @Option(help: "rrggbb or rrggbbaa: the times.")
    var axisLabelColor: ColorsArgument?

    @Option(name: [.long, .customLong("waveform-style")], help: "line (or normal) or bars.")
    var style = Style.line

    @Option(help: "Pixels of a bar.")
    var barWidth = 8

    @Option(help: "Pixels between bars.")
    var barGap = 4

    @Option(help: "The corners of bars: square or rounded.")
    var barStyle = BarStyle.square

    @Option(parsing: .unconditional, help: "How much time a png takes to be small: 0 … 9, or -1 for what is usual.")
    var compression = -1

    @Flag(help: "Draw the level in decibels instead of samples.")
    var decibels = false

    @Option(
        parsing: .unconditional,
        help: "Decibels below which nothing is drawn; else -70, or more where the picture would be a block."
    )
    var noiseFloor: Double?

    @Flag(help: "Take every nth sample's level instead of the mean of n.")
    var noAntialias = false

    func validate() throws {
        // A picture of 32 768 by 4096 is half a gigabyte of pixels.
        guard (1...32768).contains(width) else { throw ValidationError("--width is \(width), outside 1 … 32768") }
        guard (1...4096).contains(height) else { throw ValidationError("--height is \(height), outside 1 … 4096") }
        guard (1...1000).contains(barWidth) else { throw ValidationError("--bar-width has to be 1 … 1000") }
        guard (0...1000).contains(barGap) else { throw ValidationError("--bar-gap has to be 0 … 1000") }
        guard (-1...9).contains(compression) else { throw ValidationError("--compression has to be -1 … 9") }
        if let noiseFloor, !(noiseFloor < 0 && noiseFloor >= -1000) {
            throw ValidationError("--noise-floor has to be below 0, and at least −1000")
        }
    }

    private var hasAxis: Bool { withAxisLabels && !noAxisLabels }

    var waveformStyle: WaveformStyle {
        style != .bars ? .line : .bars(width: barWidth, gap: barGap, isRounded: barStyle == .rounded)
    }

    var theme: WaveformTheme {
        var theme = colors == .audacity ? WaveformTheme.audacity : .audition
        if let color = backgroundColor?.colors.first { theme.background = color }
        if let waveformColor { theme.waveform = waveformColor.colors }
        let frame = colors == .audacity ? WaveformColor(0, 0, 0) : WaveformColor(157, 157, 157)
        theme.border = borderColor?.colors.first ?? (hasAxis ? frame : nil)
        return theme
    }

    /// The times of a drawing that has so many pixels a second and begins at `start` seconds, if they are wanted.
    func axis(pixelsPerSecond: Double, start: Double) -> WaveformAxis? {
        guard hasAxis else { return nil }
        let own = axisLabelColor?.colors.first
        let color = own ?? (colors == .audacity ? WaveformColor(0, 0, 0) : WaveformColor(190, 190, 190))
        return WaveformAxis(pixelsPerSecond: pixelsPerSecond, start: start, color: color)
    }
}
