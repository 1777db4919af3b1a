import Foundation
package import SyrinxMediaCodec
import SyrinxPodcastLibrary

extension EpisodeItem {
    /// Finds the picture of the episode, or of its podcast: the file beside the library, which is fetched if there is none.
    ///
    /// - Parameter found: Called on another thread with the picture, if there is one.
    package func findArtwork(_ found: @escaping @Sendable (MediaPicture) -> Void) {
        Task.detached(priority: .utility) { [library, id = episode.id] in
            // A picture is no reason to say anything.
            guard let file = try? await library.fetchArtwork(of: id), let data = try? Data(contentsOf: file) else {
                return
            }
            found(MediaPicture(file: [UInt8](data)))
        }
    }
}
