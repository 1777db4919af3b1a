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
        do throws(Failure) {
            try SystemThread.start("syrinx.playlist") { [self] in expand(input) }
        } catch {
            report(.expanded(input, .failure(error)))
        }
    }

    private func expand(_ input: InputArgument) {
        do throws(Failure) {
            let (inputs, refusedCount) = try Self.inputs(of: input, recursively: listsRecursively) {
                playlist throws(Failure) in
                try read(playlist)
            }
            if refusedCount > 0 { report(.warning(Self.refusal(refusedCount, inputs, name: input.name))) }
            report(.expanded(input, .success(inputs)))
        } catch {
            report(.expanded(input, .failure(error)))
        }
    }

    /// Ends the reading that is under way: it fails.
    func cancel() { stream.withLock { $0 }?.cancel() }

    /// Returns what a list names, and the number of entries that are left out.
    /// - Parameters:
    ///   - input: A folder or a playlist.
    ///   - recursively: Whether folders in folders are listed too.
    ///   - read: Reads a playlist; by default one on this machine.
    static func inputs(
        of input: InputArgument,
        recursively: Bool,
        _ read: (InputArgument) throws(Failure) -> Playlist = PlaylistExpansion.readLocal
    ) throws(Failure) -> (inputs: [InputArgument], refusedCount: Int) {
        guard let lists = input.listsBeneath else {
            throw Failure(
                code: .unsupported,
                message: "The playlist names itself, or others that lead back to it.",
                name: input.name
            )
        }
        if input.isFolder, case .file(let path) = input.location {
            let files = try FolderListing.files(in: path, recursively: recursively)
            return (files.map { InputArgument(path: $0).named(by: lists) }, 0)
        }
        let playlist: Playlist
        do throws(Failure) {
            playlist = try read(input)
        } catch {
            // The index of an HTTP live stream.
            guard error.code == .unsupported, let presentation = input.asPresentation else { throw error }
            return ([presentation], 0)
        }
        return (playlist.entries.map { InputArgument($0, lists: lists) }, playlist.refusedCount)
    }

    private static func readLocal(_ input: InputArgument) throws(Failure) -> Playlist {
        try read(input, try input.byteStream(network: HTTPByteStream.Options()))
    }

    private func read(_ input: InputArgument) throws(Failure) -> Playlist {
        let stream = try input.byteStream(network: network)
        self.stream.withLock { $0 = stream }
        defer { self.stream.withLock { $0 = nil } }
        return try Self.read(input, stream)
    }

    private static func read(_ input: InputArgument, _ stream: any ByteStream) throws(Failure) -> Playlist {
        do throws(SyrinxError) {
            return try Playlist(reading: stream, from: input.url)
        } catch {
            throw Failure(error, input: input.name)
        }
    }

    private static func refusal(_ count: Int, _ taken: [InputArgument], name: String) -> Failure {
        // Only CUE sheets name parts.
        let (noun, plural, reason) =
            taken.contains { $0.part != nil }
            ? ("track", "tracks", "no sound, or without a place of its own in a file that the sheet may name")
            : ("entry", "entries", "neither on a web server nor a file that the list may name")
        let message = "\(count == 1 ? "1 \(noun) is" : "\(count) \(plural) are") left out: \(reason)"
        return Failure(code: .playlistEntry, message: message, name: name)
    }
}
