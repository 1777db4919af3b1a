package import Foundation
import SyrinxByteStream
package import SyrinxMediaCodec
import SyrinxStreaming

/// The protocol between a player and faces in other processes: lines of JSON in both directions.
///
/// `docs/attach.md` describes it.
package enum AttachProtocol {
    /// The version, which changes when an old face would misunderstand a new player.
    package static let version = 1
    /// The maximum length of a line from a face, in bytes.
    package static let longestRequest = 65_536
    /// The maximum length of a line from the player, in bytes: a picture takes most.
    package static let longestMessage = 8 << 20
    /// The maximum size of a picture, in bytes before it is encoded.
    package static let largestPicture = 4 << 20
}

/// A line from the player.
///
/// One of the properties has a value, and the field of that name is in the line.
package struct AttachMessage: Codable, Equatable, Sendable {
    /// The first line.
    package var hello: Hello?
    /// The whole state, which follows `hello`.
    package var state: ListeningState?
    /// The change of the state, as a merge patch.
    package var change: JSONTree?
    /// An event, as `--json` writes it.
    package var event: JSONTree?
    /// A message for the listener.
    package var notice: Notice?
    /// Rows of the queue that have changed.
    package var queue: QueueChange?
    /// Peaks of the waveform that have become known.
    package var peaks: Peaks?
    /// The peak level of each channel, in dBFS.
    package var levels: [Float]?
    /// The answer to a request.
    package var answer: Answer?
    /// The last line: the player ends.
    package var end: End?
    /// Whether the reader discarded a line that was longer than ``AttachProtocol/longestMessage``.
    ///
    /// Such a message has no other content.
    package var isDiscarded = false

    private enum CodingKeys: String, CodingKey {
        case hello, state, change, event, notice, queue, peaks, levels, answer, end
    }

    package init() {}

    /// The player and its version.
    package struct Hello: Codable, Equatable, Sendable {
        package var `protocol` = AttachProtocol.version
        package var version: String
        package var process: Int32

        package init(version: String, process: Int32) { (self.version, self.process) = (version, process) }
    }

    /// A message for the listener.
    package struct Notice: Codable, Equatable, Sendable {
        /// The kind of a message.
        package enum Kind: String, Codable, Sendable {
            /// Something that is no failure.
            case note
            /// The answer to a command.
            case answer
            /// A command or something beside playback failed.
            case warning
            /// An input failed.
            case failure
        }

        package var kind: Kind
        package var text: String
        /// The input or output that it is about.
        package var name: String?

        package init(_ kind: Kind, _ text: String, name: String? = nil) {
            (self.kind, self.text, self.name) = (kind, text, name)
        }
    }

    /// The end of the player.
    package struct End: Codable, Equatable, Sendable {
        /// The code and the sentence of the failure; missing if the player has ended as it was asked to, or at the end of the queue.
        package var code: String?
        package var message: String?
        package var name: String?

        package init(_ outcome: SessionOutcome) {
            switch outcome {
            case .success: break
            case .failure(let failure): (code, message, name) = (failure.code.rawValue, failure.message, failure.name)
            case .interrupted: (code, message) = ("usage.cancelled", "the player was asked to end by a signal")
            }
        }
    }

    /// The answer to a request.
    ///
    /// A request that was carried out has no `error`.
    package struct Answer: Codable, Equatable, Sendable {
        /// The number of the request; missing if its line could not be read.
        package var id: Int?
        package var error: Problem?
        package var rows: Rows?
        package var picture: Picture?
        package var outputs: [Output]?
        package var status: RemoteStatus?

        package init(id: Int?) { self.id = id }
    }

    /// The reason why a request changed nothing.
    package struct Problem: Codable, Equatable, Sendable {
        package var code: String
        package var message: String
    }

    /// Rows of the queue.
    package struct Rows: Codable, Equatable, Sendable {
        /// The revision of the queue that they belong to.
        package var revision: Int
        /// The index of the first of them.
        package var from: Int
        package var rows: [AttachRow]

        package init(revision: Int, from: Int, rows: [AttachRow]) {
            (self.revision, self.from, self.rows) = (revision, from, rows)
        }

        /// The bytes of the texts in one answer, which JSON may escape with six bytes each.
        private static let mostBytes = 1 << 20

        /// Describes rows of a queue: at least one if there is one, and as many of `count` as fit into a line.
        package init(of session: ListeningSession, from: Int, count: Int) {
            let start = min(max(from, 0), session.queue.count)
            let end = start + min(max(count, 0), AttachRequest.mostRows, session.queue.count - start)
            var (rows, bytes): ([AttachRow], Int) = ([], 0)
            for index in start..<end {
                let row = AttachRow(session, at: index)
                bytes += row.byteCount
                guard rows.isEmpty || bytes <= Self.mostBytes else { break }
                rows.append(row)
            }
            self.init(revision: session.queue.revision, from: start, rows: rows)
        }
    }

    /// A picture as it is in the file.
    package struct Picture: Codable, Equatable, Sendable {
        package var type: String
        /// The bytes in base64.
        package var data: Data

        package init(_ picture: MediaPicture) { (type, data) = (picture.mimeType, Data(picture.data)) }

        /// The picture, whose size is not known.
        package var picture: MediaPicture { MediaPicture(mimeType: type, width: 0, height: 0, data: Array(data)) }
    }

    /// An output of the system.
    package struct Output: Codable, Equatable, Sendable {
        package var name: String
        package var title: String
        package var detail: String?

        package init(_ entry: OutputEntry) { (name, title, detail) = (entry.name, entry.title, entry.detail) }

        package var entry: OutputEntry { OutputEntry(name: name, title: title, detail: detail) }
    }

    /// The part of the queue that has changed: `removed` rows from `from` on have been replaced by `inserted` others.
    package struct QueueChange: Codable, Equatable, Sendable {
        package var revision: Int
        package var count: Int
        package var from: Int
        package var removed: Int
        package var inserted: Int
    }

    /// Peaks of the waveform.
    package struct Peaks: Codable, Equatable, Sendable {
        /// The number of peaks from the start of the item to its end.
        package var count: Int
        /// The index of the first of `values`.
        package var from: Int
        /// The peaks, 0…255; −1 if one is unknown.
        package var values: [Int]

        package init(count: Int, from: Int, values: [Int]) {
            (self.count, self.from, self.values) = (count, from, values)
        }
    }

    /// The line, without a line break.
    package func line() -> String {
        // Encoding cannot fail: every number is finite.
        (try? JSONText.encode(self)) ?? "{}"
    }

    /// Reads a line; `nil` if it is none.
    package init?(line: String) {
        guard let message = try? JSONDecoder().decode(AttachMessage.self, from: Data(line.utf8)) else { return nil }
        self = message
    }
}

extension AttachMessage {
    /// Creates the answer to a request.
    package static func answer(_ id: Int?, _ fill: (inout Answer) -> Void = { _ in }) -> AttachMessage {
        var (message, answer) = (AttachMessage(), Answer(id: id))
        fill(&answer)
        message.answer = answer
        return message
    }

    /// Creates the answer to a request that changed nothing.
    package static func refusal(_ id: Int?, _ reason: String, code: String = "usage.badCommand") -> AttachMessage {
        answer(id) { $0.error = Problem(code: code, message: reason) }
    }

    /// Creates a message for the listener.
    package static func notice(_ kind: Notice.Kind, _ text: String, name: String? = nil) -> AttachMessage {
        var message = AttachMessage()
        message.notice = Notice(kind, text, name: name)
        return message
    }

    /// Creates the message for an event; `nil` if the state has the same news.
    package static func event(_ event: ListeningEvent, at time: Double) -> AttachMessage? {
        switch event {
        case .position, .download, .state, .duration, .metadata, .chapter, .settings: return nil
        default: break
        }
        guard let line = try? EventEncoder().line(for: event, at: time),
            let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(line.utf8))
        else { return nil }
        var message = AttachMessage()
        message.event = tree
        return message
    }
}

/// A row of the queue as a face in another process shows it.
package struct AttachRow: Codable, Equatable, Sendable {
    /// The location, without a password, and the tags.
    package var entry: RemoteQueueEntry
    /// The name in messages about the input.
    package var name: String
    /// The name for people if the input has no title.
    package var shortName: String
    /// The title of the podcast if the input is an episode.
    package var show: String?
    /// The title that the list has which names the input, for searching.
    package var listTitle: String?
    /// The folder of a file or the host of a URL, for people.
    package var folder: String?

    private enum Key: String, CodingKey { case name, shortName, show, listTitle, folder }

    /// Creates the row at a place of the queue.
    package init(_ session: ListeningSession, at index: Int) {
        let (queue, input) = (session.queue, session.queue.input(at: index))
        entry = RemoteQueueEntry(input, queue.tags(at: index), index: index, current: index == queue.index)
        entry.url = Self.clipped(entry.url, to: Self.longestLocation)
        (name, shortName) = (Self.clipped(input.name), Self.clipped(input.shortName))
        (show, listTitle) = (session.show(of: input).map { Self.clipped($0) }, input.title.map { Self.clipped($0) })
        folder = input.folderName.map { Self.clipped($0) }
    }

    /// The Unicode scalars of a text that are sent, and those of a location.
    private static let longestText = 4_000, longestLocation = 16_000

    private static func clipped(_ text: String, to limit: Int = longestText) -> String {
        guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))) + "…"
    }

    /// The bytes of the texts.
    fileprivate var byteCount: Int {
        let texts = [entry.url, name, shortName]
        let others = [entry.title, entry.artist, entry.album, show, listTitle, folder]
        return (texts + others.compactMap(\.self)).reduce(0) { $0 + $1.utf8.count }
    }

    package init(from decoder: any Decoder) throws {
        entry = try RemoteQueueEntry(from: decoder)
        let fields = try decoder.container(keyedBy: Key.self)
        name = try fields.decode(String.self, forKey: .name)
        shortName = try fields.decode(String.self, forKey: .shortName)
        show = try fields.decodeIfPresent(String.self, forKey: .show)
        listTitle = try fields.decodeIfPresent(String.self, forKey: .listTitle)
        folder = try fields.decodeIfPresent(String.self, forKey: .folder)
    }

    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(shortName, forKey: .shortName)
        try fields.encodeIfPresent(show, forKey: .show)
        try fields.encodeIfPresent(listTitle, forKey: .listTitle)
        try fields.encodeIfPresent(folder, forKey: .folder)
    }
}

extension ListeningInput {
    /// The folder of a file or the host of a URL, for people.
    package var folderName: String? {
        switch location {
        case .file(let path):
            let folder = path.folder.name
            return folder.isEmpty || folder == "." ? nil : folder
        case .web(let location): return location.url.host()
        case .standardInput: return nil
        }
    }
}
