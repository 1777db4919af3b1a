import Foundation
import SyrinxAnalysis
import SyrinxListening
import SyrinxTerminal

/// The report of `meter` for an input.
struct MeterReport: Encodable, Equatable {
    var url: String
    /// The integrated loudness, in LUFS.
    @NullEncoded var integrated: Double?
    /// The maximum momentary loudness, in LUFS.
    @NullEncoded var momentaryMax: Double?
    /// The maximum short-term loudness, in LUFS.
    @NullEncoded var shortTermMax: Double?
    /// The loudness range, in LU.
    @NullEncoded var range: Double?
    /// The true peak, in dBTP.
    @NullEncoded var truePeak: Double?
    /// The sample peak, in dBFS.
    @NullEncoded var samplePeak: Double?
    /// The root mean square, in dBFS.
    @NullEncoded var rms: Double?
    /// The ReplayGain, in decibels.
    @NullEncoded var replayGain: Double?
    /// The ReplayGain peak; 1 is full scale.
    var replayPeak: Double
    /// The start and end of each silence in seconds; `nil` if silences were not requested.
    var silences: [[Double]]?

    /// The report as a single-line JSON object.
    var json: String { (try? JSONText.encode(self)) ?? "{}" }

    /// The report as text, starting with the name of the input.
    var text: String {
        var rows = [
            ("integrated", Self.text(integrated, "LUFS")), ("range", Self.text(range, "LU")),
            ("momentary max", Self.text(momentaryMax, "LUFS")), ("short-term max", Self.text(shortTermMax, "LUFS")),
            ("true peak", Self.text(truePeak, "dBTP")), ("sample peak", Self.text(samplePeak, "dBFS")),
            ("RMS", Self.text(rms, "dBFS")),
            ("ReplayGain", Self.text(replayGain, "dB") + ", peak \(Self.places(replayPeak, 6))"),
        ]
        for (index, silence) in (silences ?? []).enumerated() {
            let span = "\(Self.places(silence[0], 3)) – \(Self.places(silence[1], 3)) s"
            rows.append((index == 0 ? "silences" : "", span))
        }
        if silences?.isEmpty == true { rows.append(("silences", "none")) }
        return ([PrintableText.line(url)] + rows.map { "  \($0.padded(to: 14))  \($1)" }).joined(separator: "\n")
    }

    private static func text(_ value: Double?, _ unit: String) -> String {
        value.map { "\(places($0, 1)) \(unit)" } ?? "–"
    }

    private static func places(_ value: Double, _ count: Int) -> String { String(format: "%.\(count)f", value) }
}

extension MeterReport {
    /// Creates a report from measured values.
    init(_ report: LoudnessReport, url: String, silences: [[Double]]?) {
        self.init(
            url: url,
            integrated: Self.rounded(report.integrated),
            momentaryMax: Self.rounded(report.momentaryMax),
            shortTermMax: Self.rounded(report.shortTermMax),
            range: Self.rounded(report.range),
            truePeak: Self.rounded(report.truePeak),
            samplePeak: Self.rounded(report.samplePeak),
            rms: Self.rounded(report.rms),
            replayGain: Self.rounded(report.replayGain),
            replayPeak: (report.replayPeak * 1e6).rounded() / 1e6,
            silences: silences?.map { $0.map { ($0 * 1e6).rounded() / 1e6 } }
        )
    }

    /// Creates a report about all inputs together, with a common loudness gate and the highest peaks.
    init(album meters: [LoudnessMeter]) {
        self.init(LoudnessMeter.report(of: meters), url: "album of \(meters.count)", silences: nil)
    }

    private static func rounded(_ value: Double?) -> Double? { value.map { ($0 * 1000).rounded() / 1000 } }
}
