import Foundation
import SyrinxMediaCodec
import SyrinxPodcastLibrary

extension EpisodeItem {
    /// Finds the picture of the episode, or of its podcast: the file beside the library, which is fetched if there is none.
    ///
    /// - Parameter found: Called on another thread with the picture, if there is one.
    func findArtwork(_ found: @escaping @Sendable (MediaPicture) -> Void) {
        Task.detached(priority: .utility) { [library, id = episode.id] in
            // A picture is no reason to say anything.
            guard let file = try? await library.fetchArtwork(of: id), let data = try? Data(contentsOf: file) else {
                return
            }
            found(MediaPicture(mimeType: Self.mimeType(data), width: 0, height: 0, data: [UInt8](data)))
        }
    }

    /// The kind of a picture, by its first bytes.
    private static func mimeType(_ data: Data) -> String {
        switch data.first {
        case 0x89: "image/png"
        case UInt8(ascii: "G"): "image/gif"
        case UInt8(ascii: "R"): "image/webp"
        default: "image/jpeg"
        }
    }
}
