import Foundation
import SyrinxAnalysis
import SyrinxListening
import SyrinxTerminal

/// The report of `meter` about an input.
struct MeterReport: Encodable, Equatable {
    var url: String
    /// In LUFS.
    @NullEncoded var integrated: Double?
    /// In LUFS.
    @NullEncoded var momentaryMax: Double?
    /// In LUFS.
    @NullEncoded var shortTermMax: Double?
    /// In LU.
    @NullEncoded var range: Double?
    /// In dBTP.
    @NullEncoded var truePeak: Double?
    /// In decibels of full scale.
    @NullEncoded var samplePeak: Double?
    /// In decibels of full scale.
    @NullEncoded var rms: Double?
    /// In decibels.
    @NullEncoded var replayGain: Double?
    /// 1 is full scale.
    var replayPeak: Double
    /// Start and end of each silence in seconds; left out where none were asked for.
    var silences: [[Double]]?

    /// The object as one line.
    var json: String { (try? JSONText.encode(self)) ?? "{}" }

    /// The report for people: some lines, the first of them the input's name.
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
    /// Takes over what was measured.
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

    /// All inputs together: the gate is drawn over all, and peaks are the greatest of any.
    init(album meters: [LoudnessMeter]) {
        self.init(LoudnessMeter.report(of: meters), url: "album of \(meters.count)", silences: nil)
    }

    private static func rounded(_ value: Double?) -> Double? { value.map { ($0 * 1000).rounded() / 1000 } }
}
