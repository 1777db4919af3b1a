import Foundation
package import SyrinxHTTPStream
package import SyrinxPlayback
package import SyrinxPodcastLibrary

/// The chapters that a feed has for one input, beside those in the file.
package struct FeedChapters: Sendable {
    /// The input that they belong to.
    package let input: ListeningInput
    /// The chapters that are known, by their source.
    package var lists: [ChapterSource: [Chapter]] = [:]
    /// The address of a document that has not been read.
    package var document: String?
    /// The transcripts that the feed names.
    package private(set) var transcripts: [Episode.Resource] = []

    /// The chapters of an input whose feed has none.
    package init(_ input: ListeningInput) { self.input = input }

    /// The chapters that the feed of an episode states, and the address of its document.
    package init(_ input: ListeningInput, _ details: Episode.Details) {
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
    package func read(_ document: String, network: HTTPByteStream.Options) throws(Failure) -> [Chapter] {
        guard let address = ListeningInput(argument: document), address.isWeb else {
            throw Failure(
                code: .badChapters,
                message: "the address of the chapters is not one of the web",
                name: document
            )
        }
        let bytes: [UInt8]
        do throws(SyrinxError) {
            let stream = try HTTPByteStream(url: document, options: network)
            defer { stream.cancel() }
            bytes = try stream.readAll(limit: ChapterDocuments.maximumBytes)
        } catch {
            throw Failure(error, name: address.name)
        }
        do {
            return try ChapterDocuments.podcastDocument(Data(bytes))
        } catch {
            throw Failure(code: .badChapters, message: "\(error.localizedDescription)", name: address.name)
        }
    }
}
