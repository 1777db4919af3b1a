import Foundation
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary

/// The chapters that a feed has for one input, beside those in the file.
struct FeedChapters: Sendable {
    /// The input that they belong to.
    let input: ListeningInput
    /// The chapters that are known, by their source.
    var lists: [ChapterSource: [Chapter]] = [:]
    /// The address of a document that has not been read.
    var document: String?
    /// The transcripts that the feed names.
    private(set) var transcripts: [Episode.Resource] = []

    /// The chapters of an input whose feed has none.
    init(_ input: ListeningInput) { self.input = input }

    /// The chapters that the feed of an episode states, and the address of its document.
    init(_ input: ListeningInput, _ details: Episode.Details) {
        self.input = input
        let stated = details.chapters.map {
            Chapter(start: $0.start, title: $0.title, link: $0.link, image: $0.artworkURL)
        }
        if !stated.isEmpty { lists[.podlove] = stated }
        document = details.chaptersFile?.url
        transcripts = details.transcripts
    }

    /// Reads the document, on a thread that may wait.
    /// - Throws: `Failure` of the network, or of a document that has no chapters.
    func read(_ document: String, network: HTTPByteStream.Options) throws(Failure) -> [Chapter] {
        guard let address = ListeningInput(argument: document), address.isWeb else {
            throw Failure(
                code: .badChapters,
                message: "the address of the chapters is not one of the web",
                name: document
            )
        }
        let bytes = try address.bytes(
            limit: ChapterDocuments.maximumBytes,
            network: network,
            interruption: Interruption()
        )
        do {
            return try ChapterDocuments.podcastDocument(Data(bytes))
        } catch {
            throw Failure(code: .badChapters, message: "\(error.localizedDescription)", name: address.name)
        }
    }
}

extension PlayOptions {
    /// The start of the chapter that `--chapter` asks for.
    /// - Parameter feed: The chapters of the feed, whose document is read if it has one.
    func chapterStart(
        _ number: Int,
        of input: ListeningInput,
        _ feed: inout FeedChapters?,
        in context: CommandContext
    ) throws(Failure) -> ClockTime {
        let options = network.options(isHeard: false)
        if let document = feed?.document {
            feed?.document = nil
            do throws(Failure) {
                let found = try feed?.read(document, network: options)
                feed?.lists[.podcastDocument] = found
            } catch {
                context.console.say(error.warningLine)
            }
        }
        let info = try input.withReader(network: options, interruption: context.interruption) { $0.info }
        let merged = (feed?.lists ?? [:]).merged(with: info.chapters, duration: info.duration)
        let chapters = merged.filter { $0.start.isFinite && $0.start >= 0 }.sorted { $0.start < $1.start }
        guard chapters.indices.contains(number - 1) else {
            throw .usage("There is no chapter \(number): the input has \(chapters.count).", name: "--chapter")
        }
        return ClockTime(seconds: chapters[number - 1].start)
    }
}
