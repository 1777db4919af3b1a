import Foundation
import SyrinxHTTPStream
package import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPodcastLibrary

/// The episodes among the inputs of a player, with their pictures and the documents of their chapters.
///
/// One thread.
package final class EpisodeShelf {
    private let network: HTTPByteStream.Options
    /// Whether pictures are shown somewhere.
    private let findsPictures: Bool
    private let post: @Sendable (ListeningPlayer.Event) -> Void
    private var items: [String: EpisodeItem] = [:]
    private var pictures: [String: MediaPicture] = [:]

    init(
        network: HTTPByteStream.Options,
        findsPictures: Bool,
        _ post: @escaping @Sendable (ListeningPlayer.Event) -> Void
    ) {
        (self.network, self.findsPictures, self.post) = (network, findsPictures, post)
    }

    /// Returns the episode that an input is; `nil` if it is none.
    package func item(of input: ListeningInput) -> EpisodeItem? { items[input.name] }

    /// Returns the picture of an episode, or of its podcast, once it has been found.
    package func picture(of input: ListeningInput) -> MediaPicture? { pictures[input.name] }

    /// Returns the library of a podcast with episodes among the inputs.
    func library(ofPodcast id: Podcast.ID) -> PodcastLibrary? {
        items.values.first { $0.episode.podcastID == id }?.library
    }

    /// Adds an episode, reads the chapters document of the feed, and searches for the picture.
    func add(_ item: EpisodeItem) {
        items[item.input.name] = item
        readChapters(of: item)
        let post = post
        if findsPictures, pictures[item.input.name] == nil {
            item.findArtwork { post(.artwork($0, of: item.input)) }
        }
    }

    /// Stores the picture of an episode.
    func take(_ picture: MediaPicture, of input: ListeningInput) { pictures[input.name] = picture }

    private func readChapters(of item: EpisodeItem) {
        guard let document = item.chapters.document else { return }
        let (post, network) = (post, network)
        do throws(Failure) {
            try SystemThread.start("syrinx.chapters") {
                do throws(Failure) {
                    let chapters = try item.chapters.read(document, network: network)
                    post(.session(.chapters(chapters, from: .podcastDocument, of: item.input)))
                } catch {
                    post(.session(.warning(error)))
                }
            }
        } catch {
            post(.session(.warning(error)))
        }
    }
}
