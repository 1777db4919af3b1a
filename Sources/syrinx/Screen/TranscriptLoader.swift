import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxPodcastLibrary

/// Finds and reads the transcript of an input, and divides it into rows, on a thread of its own.
///
/// The first of these that can be read is taken: a document that the feed of an episode names, a file beside a local
/// recording, the lyrics in its tags. Any thread may ask for the view.
final class TranscriptLoader: Sendable {
    /// The places of the transcripts of one input.
    struct Source: Sendable {
        /// The input.
        var input: ListeningInput
        /// The tags of the recording.
        var tags: [String: String]
        /// The documents that a feed names.
        var documents: [Episode.Resource]
    }

    private struct State {
        var key: Key?
        var view = TranscriptView()
        var interruption: Interruption?
        var number = 0
        /// The width of the screen, and the rows for a width, which may be the one before.
        var columns = 0
        var rows: (columns: Int, view: TranscriptView)?
        var isWrapping = false

        /// Whether rows for the width of the screen are missing, and no thread makes them.
        var mayWrap: Bool { !isWrapping && columns > 0 && rows?.columns != columns && !view.lines.isEmpty }
    }

    /// The properties that decide whether a transcript is looked for again.
    private struct Key: Equatable {
        var turn: Int
        var lyrics: [String]
    }

    /// Seconds for which a server of a transcript may be silent.
    private static let maximumOutage = 15.0

    private let state = Mutex(State())
    private let didLoad: @Sendable () -> Void

    /// A loader of nothing, which calls `didLoad` on another thread when a transcript is there, or is known not to be.
    init(didLoad: @escaping @Sendable () -> Void) { self.didLoad = didLoad }

    deinit { stop() }

    /// The transcript that was asked for last.
    var view: TranscriptView { state.withLock { $0.view } }

    /// Returns the rows of the transcript; those of another width, or none, until there are some for this one.
    /// - Parameter columns: The width of the screen.
    func rows(columns: Int) -> TranscriptView {
        let (rows, isDue) = state.withLock { state in
            state.columns = columns
            let rows = state.rows?.view ?? (state.view.lines.isEmpty ? state.view : TranscriptView(isLoading: true))
            defer { if state.mayWrap { state.isWrapping = true } }
            return (rows, state.mayWrap)
        }
        guard isDue else { return rows }
        do throws(Failure) {
            try SystemThread.start("syrinx.rows") { [weak self] in self?.wrap() }
        } catch {
            wrap()
        }
        return rows
    }

    /// Makes the rows for the width of the screen, and again if that changes meanwhile.
    private func wrap() {
        while true {
            let (view, columns, number) = state.withLock { ($0.view, $0.columns, $0.number) }
            let rows = view.wrapped(columns: columns)
            let isDone = state.withLock { state in
                if state.number == number { state.rows = (columns, rows) }
                state.isWrapping = false
                let isDone = !state.mayWrap
                state.isWrapping = !isDone
                return isDone
            }
            didLoad()
            if isDone { return }
        }
    }

    /// Begins to read the transcript of an input, unless that has been done.
    ///
    /// - Parameters:
    ///   - turn: A number that is another one for each input that is opened.
    ///   - network: The time limits and headers of requests.
    ///   - source: The places of the transcripts.
    func open(turn: Int, network: HTTPByteStream.Options, _ source: Source) {
        let key = Key(turn: turn, lyrics: Self.lyrics(in: source.tags))
        let news = state.withLock { state -> (number: Int, interruption: Interruption, old: Interruption?)? in
            guard state.key != key else { return nil }
            let (interruption, old) = (Interruption(), state.interruption)
            state.key = key
            state.view = TranscriptView(isLoading: true)
            state.rows = nil
            state.interruption = interruption
            state.number += 1
            return (state.number, interruption, old)
        }
        guard let news else { return }
        news.old?.request(.interrupted)
        var options = network
        options.maximumOutage = min(network.maximumOutage, Self.maximumOutage)
        let limited = options
        do throws(Failure) {
            try SystemThread.start("syrinx.words") { [weak self] in
                let view = Self.read(source, limited, news.interruption)
                self?.take(view, of: news.number)
            }
        } catch {
            take(TranscriptView(failure: error.message), of: news.number)
        }
    }

    /// Cancels reading, and discards the transcript.
    func stop() {
        let interruption = state.withLock { state in
            defer { state.interruption = nil }
            state.number += 1
            (state.key, state.view, state.rows) = (nil, TranscriptView(), nil)
            return state.interruption
        }
        interruption?.request(.interrupted)
    }

    private func take(_ view: TranscriptView, of number: Int) {
        let isWanted = state.withLock { state in
            guard state.number == number else { return false }
            state.view = view
            state.interruption = nil
            return true
        }
        if isWanted { didLoad() }
    }

    // MARK: Reading

    /// The formats in which a feed's documents are preferred: those that name who speaks first.
    private static let preference: [TranscriptDocuments.Format] = [.webVTT, .json, .subRip, .html, .plain]
    /// The ends of the names of files beside a recording.
    static let extensions = ["vtt", "srt", "lrc"]

    private static func read(
        _ source: Source,
        _ network: HTTPByteStream.Options,
        _ interruption: Interruption
    ) -> TranscriptView {
        var failure: String?
        for (place, format) in documents(source.documents) + files(beside: source.input) {
            if interruption.isRequested { break }
            do throws(Failure) {
                let bytes = try place.bytes(
                    limit: TranscriptDocuments.maximumBytes,
                    network: network,
                    interruption: interruption
                )
                do {
                    return TranscriptView(try TranscriptDocuments.read(Data(bytes), as: format))
                } catch {
                    throw Failure(code: .badTranscript, message: error.localizedDescription, name: place.name)
                }
            } catch {
                failure = failure ?? "\(error.name): \(error.message)"
            }
        }
        for lyrics in lyrics(in: source.tags) {
            let transcript = TranscriptDocuments.lyrics(lyrics)
            if !transcript.passages.isEmpty { return TranscriptView(transcript) }
        }
        var view = TranscriptView()
        view.failure = failure
        return view
    }

    /// The documents on the web, the best format first.
    private static func documents(_ resources: [Episode.Resource]) -> [(ListeningInput, TranscriptDocuments.Format)] {
        let known = resources.compactMap { resource -> (ListeningInput, TranscriptDocuments.Format)? in
            guard let format = TranscriptDocuments.Format(mediaType: resource.type, name: resource.url),
                let input = ListeningInput(argument: resource.url), input.isWeb
            else { return nil }
            return (input, format)
        }
        return preference.flatMap { format in known.filter { $0.1 == format } }
    }

    /// The files beside a local recording that are there: `song.lrc` and `song.mp3.lrc` beside `song.mp3`.
    static func files(beside input: ListeningInput) -> [(ListeningInput, TranscriptDocuments.Format)] {
        guard case .file(let path) = input.location, input.part == nil else { return [] }
        let names = [Array(path.stem), Array(path.lastComponent)]
        return extensions.flatMap { ending in
            names.compactMap { name in
                let file = path.folder.appending(name + Array(".\(ending)".utf8))
                guard file.isPlainFile, let format = TranscriptDocuments.Format(mediaType: nil, name: ".\(ending)")
                else { return nil }
                return (ListeningInput(path: file), format)
            }
        }
    }

    /// The texts of the tags that hold lyrics, those with times first.
    private static func lyrics(in tags: [String: String]) -> [String] {
        // ID3's frame has its language in the name: lyrics-eng.
        let names = tags.keys.filter { $0 == "lyrics" || $0.hasPrefix("lyrics-") || $0 == "unsyncedlyrics" }
        return (["syncedlyrics"] + names.sorted()).compactMap { tags[$0] }
    }
}

extension TranscriptView {
    /// The passages of a transcript.
    init(_ transcript: Transcript) {
        self.init(
            lines: transcript.passages.map { TranscriptLine(start: $0.start, speaker: $0.speaker, text: $0.text) }
        )
    }
}
