import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxStreaming

/// Reads playlists and folders, one at a time, on a thread that may wait.
final class PlaylistExpansion: Sendable {
    private let listsRecursively: Bool
    private let report: @Sendable (PlaySession.Event) -> Void
    private let network: HTTPByteStream.Options
    private let stream = Mutex<(any ByteStream)?>(nil)

    /// An expansion that tells `report` what comes of it, on its own thread.
    /// - Parameter listsRecursively: Whether folders in folders are listed too.
    init(
        listsRecursively: Bool,
        network: HTTPByteStream.Options,
        _ report: @escaping @Sendable (PlaySession.Event) -> Void
    ) {
        self.listsRecursively = listsRecursively
        self.network = network
        self.report = report
    }

    /// Reads `input`, and says what it names.
    func begin(_ input: InputArgument) {
        let thread = Thread { [self] in
            do throws(Failure) {
                report(.expanded(input, .success(try inputs(of: input))))
            } catch {
                report(.expanded(input, .failure(error)))
            }
        }
        thread.name = "syrinx.playlist"
        thread.start()
    }

    /// Ends the reading that is under way: it fails.
    func cancel() { stream.withLock { $0 }?.cancel() }

    private func inputs(of input: InputArgument) throws(Failure) -> [InputArgument] {
        guard let lists = input.listsBeneath else {
            throw Failure(
                code: .unsupported,
                message: "The playlist names itself, or others that lead back to it.",
                name: input.name
            )
        }
        if input.isFolder, case .file(let path) = input.location {
            let files = try FolderListing.files(in: path, recursively: listsRecursively)
            return files.map { InputArgument(path: $0).named(by: lists) }
        }
        let playlist = try read(input)
        if playlist.refusedCount > 0 { report(.warning(Self.refusal(playlist.refusedCount, name: input.name))) }
        return playlist.entries.map { InputArgument($0, lists: lists) }
    }

    private func read(_ input: InputArgument) throws(Failure) -> Playlist {
        let stream = try input.byteStream(network: network)
        self.stream.withLock { $0 = stream }
        defer { self.stream.withLock { $0 = nil } }
        do throws(StreamingError) {
            return try Playlist(reading: stream, from: input.url)
        } catch {
            throw Failure(error, input: input.name)
        }
    }

    private static func refusal(_ count: Int, name: String) -> Failure {
        let entries = count == 1 ? "1 entry is" : "\(count) entries are"
        let message = "\(entries) left out: neither on a web server nor a file that the list may name"
        return Failure(code: .playlistEntry, message: message, name: name)
    }
}
