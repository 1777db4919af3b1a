import Foundation
import SyrinxByteStream
import SyrinxListening

/// The result of `analyze` for one input: its findings, or an error.
struct AnalysisAnswer: Encodable {
    /// The findings about an input that was read to its end.
    struct Findings {
        var info: MediaReport
        var meter: MeterReport
        /// The start and end of each silence, in seconds.
        var silences: [[Double]]
        /// The path of the `dat` file; `nil` if none was requested.
        var waveform: String?
        /// The fields of the requested measures.
        var measures: [SoundMeasures.Field] = []
    }

    /// The name of the input, as given.
    var input: String
    /// The findings, or the error.
    var result: Result<Findings, Failure>

    private enum Key: String, CodingKey { case input, info, meter, silences, waveform, error }
    private enum ErrorKey: String, CodingKey { case code, message }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(input, forKey: .input)
        switch result {
        case .success(let findings):
            try fields.encode(findings.info, forKey: .info)
            try fields.encode(findings.meter, forKey: .meter)
            try fields.encode(findings.silences, forKey: .silences)
            try fields.encodeIfPresent(findings.waveform, forKey: .waveform)
            var measures = encoder.container(keyedBy: SoundMeasures.Name.self)
            for field in findings.measures {
                switch field.value {
                case .number(let number): try measures.encode(number, forKey: field.name)
                case .count(let count): try measures.encode(count, forKey: field.name)
                case .text(let text): try measures.encode(text, forKey: field.name)
                }
            }
        case .failure(let failure):
            var error = fields.nestedContainer(keyedBy: ErrorKey.self, forKey: .error)
            try error.encode(failure.code.rawValue, forKey: .code)
            try error.encode(failure.message, forKey: .message)
        }
    }

    /// The result as a single-line JSON object.
    var json: String { (try? JSONText.encode(self)) ?? "{}" }
}
