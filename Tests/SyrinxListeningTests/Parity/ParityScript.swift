import Foundation
import SyrinxTestSupport

/// The script of `Tests/Parity/script.json`, which every face plays.
struct ParityScript: Decodable {
    struct Recording: Decodable {
        let name: String
        let seconds: Int
        let chapters: [Int]?

        /// Makes the recording in a folder.
        func make(in folder: ScratchDirectory) throws -> String {
            var tags: [String] = []
            for (index, start) in (chapters ?? []).enumerated() {
                let key = String(format: "CHAPTER%03d", index + 1)
                tags += ["-metadata", "\(key)=" + String(format: "00:%02d:%02d.000", start / 60, start % 60)]
                tags += ["-metadata", "\(key)NAME=Part \(index + 1)"]
            }
            try FFmpeg.make(folder.file(name), from: "sine=440:d=\(seconds):r=16000", tags)
            return folder.file(name)
        }
    }

    /// A bound of a comparison: a number, or the name of an earlier wait.
    enum Bound: Decodable {
        case name(String), number(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? container.decode(Double.self)).map { .number($0) } ?? .name(container.decode(String.self))
        }
    }

    struct Step: Decodable {
        // A command, as text and as JSON.
        let send: String?
        let json: JSONObject?
        // The sleep timer, whose goal is the end of the item.
        let sleep: String?
        // A recording that counts as played in the end.
        let played: String?
        let end: Bool?
        // A status that is waited for.
        let wait: String?
        let state: String?
        let item: String?
        let time: [Double]?
        let rate: [Double]?
        let pitch: [Double]?
        let volume: [Double]?
        let since: [Bound]?
        let name: String?
    }

    /// The text of a JSON object of numbers and strings.
    struct JSONObject: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let members = try container.allKeys.map { key in
                let value =
                    try (try? container.decode(Int.self, forKey: key)).map { "\($0)" }
                    ?? (try? container.decode(Double.self, forKey: key)).map { "\($0)" }
                    ?? "\"\(container.decode(String.self, forKey: key))\""
                return "\"\(key.stringValue)\":\(value)"
            }
            text = "{\(members.joined(separator: ","))}"
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    /// A position that is kept: a range, or `played`.
    enum Place: Decodable {
        case played, within([Double])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode([Double].self)).map { .within($0) } ?? .played
        }
    }

    struct Kept: Decodable {
        struct Queue: Decodable {
            let items: [String]
            let index: Int
        }

        struct Settings: Decodable {
            let rate: Double
            let volume: Double
        }

        let positions: [String: Place]
        let queue: Queue
        // Those of the sound, for the folder of the recordings.
        let settings: Settings
    }

    struct Episode: Decodable {
        struct Kept: Decodable {
            let rate: Double
            let position: [Double]
        }

        let title: String
        let steps: [Step]
        let kept: Kept
    }

    let recordings: [Recording]
    let steps: [Step]
    let kept: Kept
    let crash: [Step]
    let lost: [Double]
    let episode: Episode

    /// Reads the script.
    static func read() throws -> ParityScript {
        let file = repositoryRoot.appendingPathComponent("Tests/Parity/script.json")
        return try JSONDecoder().decode(ParityScript.self, from: Data(contentsOf: file))
    }
}

extension [Double] {
    /// Whether a number is within the two of a range.
    func admits(_ value: Double) -> Bool { self[0] <= value && value <= self[1] }
}
