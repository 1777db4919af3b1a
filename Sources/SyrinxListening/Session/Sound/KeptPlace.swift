import Foundation
import SyrinxByteStream

/// A folder or a recording that has its own saved sound settings, like a podcast.
///
/// The rule: a queue whose inputs are all files of one folder has the settings of the folder. Every other input has its own, if it is a
/// recording of ``minimumDuration`` or more. Episodes have the settings of their podcast.
package struct KeptPlace: Hashable, Sendable {
    /// The minimum length of a recording with its own settings, in seconds.
    package static let minimumDuration = 600.0
    /// The longest queue that is compared with a folder.
    static let longestQueue = 10_000

    /// The address of the folder or the recording, which may contain a password.
    let location: String
    /// The name of the folder or the recording, for people.
    package let name: String
    /// Whether it is a folder.
    package let isFolder: Bool

    /// Creates the place of the current input of a queue; `nil` for standard input and for an empty queue.
    init?(_ queue: ListeningQueue) {
        if let folder = queue.folder?.standardized {
            (location, name, isFolder) = (folder.url.absoluteString, folder.displayName, true)
        } else if let identity = queue.current.identity {
            (location, name, isFolder) = (identity, queue.current.title ?? queue.current.shortName, false)
        } else {
            return nil
        }
    }
}

extension ListeningQueue {
    /// The folder that contains all inputs; `nil` for a single input and for inputs without a common folder.
    ///
    /// Cost: in proportion to the inputs, at most ``KeptPlace/longestQueue``.
    var folder: FilePath? {
        guard (2...KeptPlace.longestQueue).contains(count), let folder = current.file?.folder else { return nil }
        return (0..<count).allSatisfy { input(at: $0).file?.folder == folder } ? folder : nil
    }
}

/// The owner of settings that the listener changes.
enum SettingsOwner: Hashable, Sendable {
    /// The podcast with this number.
    case podcast(Int64)
    case place(KeptPlace)
}
