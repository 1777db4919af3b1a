import ArgumentParser
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening

/// The waveform output formats.
enum WaveformFormat: String, ExpressibleByArgument, CaseIterable {
    case dat, json, png, svg, txt, wavesurfer

    /// Creates the format of a path's extension; `nil` if it is unknown.
    init?(path: FilePath) {
        let suffix = path.pathExtension
        guard suffix != "wavesurfer" else { return nil }
        self.init(rawValue: suffix)
    }

    /// The file name extension of the format.
    var fileExtension: String { self == .wavesurfer ? "json" : rawValue }

    /// Whether the format is a picture.
    var isPicture: Bool { self == .png || self == .svg }
}

/// A number, or `auto` to compute it.
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

/// One or more hexadecimal colors, separated by commas.
struct ColorsArgument: ExpressibleByArgument, Equatable {
    let colors: [WaveformColor]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        colors = parts.compactMap { WaveformColor(hexadecimal: String($0)) }
        guard !colors.isEmpty, colors.count == parts.count else { return nil }
    }
}

/// The options for the part of an input and the zoom.
struct WaveformScaleOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Bits of each value in dat, json and txt: 8 or 16 (default: 16, or those of a waveform as input)",
            valueName: "bits"
        )
    )
    var bits: Int?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Audio frames per pixel, at least 2, or auto to fit the width (default: 256; auto with --end)",
            valueName: "frames"
        )
    )
    var zoom: NumberOrAuto?

    @Option(help: ArgumentHelp("Pixels per second, in place of --zoom", valueName: "count"))
    var pixelsPerSecond: Int?

    @Option(
        name: .shortAndLong,
        parsing: .unconditional,
        help: ArgumentHelp("Start in the input, in seconds or as [hh:]mm:ss[.fff]", valueName: "time")
    )
    var start: ClockTime?

    @Option(
        name: .shortAndLong,
        parsing: .unconditional,
        help: ArgumentHelp("End in the input, in seconds or as [hh:]mm:ss[.fff]", valueName: "time")
    )
    var end: ClockTime?

    @Flag(help: "Draw one waveform per channel")
    var splitChannels = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Factor for all values, or auto to fit the loudest", valueName: "factor")
    )
    var amplitudeScale: NumberOrAuto?

    @Flag(help: "Also draw the padding at the end of an MP3, as audiowaveform does")
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

/// The options for the appearance of a picture.
struct WaveformLookOptions: ParsableArguments {
    enum Colors: String, ExpressibleByArgument, CaseIterable {
        case audacity, audition
    }

    enum Style: String, ExpressibleByArgument, CaseIterable {
        case line, bars
        /// audiowaveform's name of `line`.
        case normal
    }

    enum BarStyle: String, ExpressibleByArgument, CaseIterable {
        case square, rounded
    }

    @Option(name: .shortAndLong, help: ArgumentHelp("Width of the picture", valueName: "pixels"))
    var width = 800

    @Option(help: ArgumentHelp("Height of the picture", valueName: "pixels"))
    var height = 250

    @Option(name: .shortAndLong, help: ArgumentHelp("Color scheme", valueName: "scheme"))
    var colors = Colors.audacity

    @Option(help: ArgumentHelp("Color of the background, as rrggbb or rrggbbaa", valueName: "color"))
    var backgroundColor: ColorsArgument?

    @Option(
        help: ArgumentHelp(
            "Color of the waveform, or of each channel separated by commas, as rrggbb or rrggbbaa",
            valueName: "colors"
        )
    )
    var waveformColor: ColorsArgument?

    @Option(help: ArgumentHelp("Color of the border of axis labels, as rrggbb or rrggbbaa", valueName: "color"))
    var borderColor: ColorsArgument?

    @Flag(name: .customLong("with-axis-labels"), help: "Draw times at the upper and lower edge")
    var withAxisLabels = false

    @Flag(
        name: .customLong("no-axis-labels"),
        help: "Draw no times (the default; for scripts written for audiowaveform)"
    )
    var noAxisLabels = false

    @Option(help: ArgumentHelp("Color of the times, as rrggbb or rrggbbaa", valueName: "color"))
    var axisLabelColor: ColorsArgument?

    @Option(
        name: [.long, .customLong("waveform-style")],
        help: ArgumentHelp("Drawing style; normal is line", valueName: "style")
    )
    var style = Style.line

    @Option(help: ArgumentHelp("Width of a bar", valueName: "pixels"))
    var barWidth = 8

    @Option(help: ArgumentHelp("Space between bars", valueName: "pixels"))
    var barGap = 4

    @Option(help: ArgumentHelp("Corners of the bars", valueName: "style"))
    var barStyle = BarStyle.square

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Compression level of a PNG (0: fast … 9: small, -1: the default of zlib)",
            valueName: "level"
        )
    )
    var compression = -1

    @Flag(help: "Draw levels in decibels, and not sample values")
    var decibels = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Level below which --decibels draws nothing (default: -70, or higher for loud recordings)",
            valueName: "dBFS"
        )
    )
    var noiseFloor: Double?

    @Flag(help: "Draw every nth level, and not the mean of n levels")
    var noAntialias = false

    func validate() throws {
        // A picture of 32,768 by 4,096 pixels takes half a gigabyte.
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

    /// Returns the time axis of a picture that starts at `start` seconds; `nil` if no axis was requested.
    func axis(pixelsPerSecond: Double, start: Double) -> WaveformAxis? {
        guard hasAxis else { return nil }
        let own = axisLabelColor?.colors.first
        let color = own ?? (colors == .audacity ? WaveformColor(0, 0, 0) : WaveformColor(190, 190, 190))
        return WaveformAxis(pixelsPerSecond: pixelsPerSecond, start: start, color: color)
    }
}
