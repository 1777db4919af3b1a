import Foundation
import Synchronization
package import SyrinxByteStream
package import SyrinxHTTPStream
import SyrinxStreaming

/// Finds the inputs that folders and playlists stand for, also playlists on a web server.
///
/// Thread-safe. A call blocks while bytes arrive; `cancel()` ends it from any other thread.
package final class InputExpansion: Sendable {
    /// The most lists that lead to each other, the first among them.
    private static let maximumDepth = 4

    /// The lists within lists that `expandLocal` reads: one list may name another many times.
    private static let maximumNestedCount = 100

    /// The inputs that a list stands for.
    package struct Found: Sendable {
        /// The inputs, in order.
        package var inputs: [ListeningInput]
        /// The warning that entries were left out, or `nil` if none was.
        package var warning: SyrinxError?
    }

    private let listsRecursively: Bool
    private let network: HTTPByteStream.Options
    private let stream = Mutex<(any ByteStream)?>(nil)

    /// Creates an expansion.
    ///
    /// - Parameters:
    ///   - recursively: Whether folders in folders are read too.
    ///   - network: The options of requests.
    package init(recursively: Bool, network: HTTPByteStream.Options = HTTPByteStream.Options()) {
        listsRecursively = recursively
        self.network = network
    }

    /// Ends the reading that is under way: it throws.
    package func cancel() { stream.withLock { $0 }?.cancel() }

    /// Returns what a folder or a playlist names.
    ///
    /// The index of an HTTP live stream is one input, which is played by itself.
    ///
    /// - Throws: `media.unsupported` for a playlist that leads back to itself or too far, `media.empty` for a list that names nothing, and the errors
    ///   of reading the bytes.
    package func expand(_ input: ListeningInput) throws(SyrinxError) -> Found {
        guard let lists = input.listsBeneath, lists.count <= Self.maximumDepth else {
            throw SyrinxError(
                .unsupported,
                "The playlist names itself, others that lead back to it, or too many that name each other.",
                name: input.name
            )
        }
        if input.isFolder, case .file(let path) = input.location {
            let inputs = try FolderListing.inputs(in: path, recursively: listsRecursively)
            return Found(inputs: inputs.map { $0.named(by: lists) })
        }
        let playlist: Playlist
        do throws(SyrinxError) {
            playlist = try read(input)
        } catch {
            // The index of an HTTP live stream.
            guard error.code == .unsupported, let presentation = input.asPresentation else { throw error }
            return Found(inputs: [presentation])
        }
        let inputs = playlist.entries.map { ListeningInput($0, lists: lists) }
        return Found(inputs: inputs, warning: Self.warning(playlist.refusedCount, inputs, name: input.name))
    }

    /// Returns the inputs with all folders and playlists on this machine replaced by what they name.
    ///
    /// Playlists on a web server stay as they are, and so do lists within lists behind the first 100.
    ///
    /// - Parameter inputs: The inputs.
    /// - Returns: At most `FolderListing.maximumCount` inputs, the warnings about entries that were left out, and the errors of lists
    ///   that could not be read.
    package func expandLocal(_ inputs: [ListeningInput]) -> (inputs: [ListeningInput], problems: [SyrinxError]) {
        var found: [ListeningInput] = []
        var problems: [SyrinxError] = []
        var nestedCount = 0
        func add(_ input: ListeningInput, isNested: Bool) {
            guard found.count < FolderListing.maximumCount else { return }
            let isLocalList = !input.isWeb && input.mayBeList && input.part == nil && !input.isPresentation
            guard isLocalList, !isNested || nestedCount < Self.maximumNestedCount else { return found.append(input) }
            if isNested { nestedCount += 1 }
            do throws(SyrinxError) {
                let result = try expand(input)
                if let warning = result.warning { problems.append(warning) }
                for entry in result.inputs { add(entry, isNested: true) }
            } catch {
                problems.append(error)
            }
        }
        for input in inputs { add(input, isNested: false) }
        return (found, problems)
    }

    private func read(_ input: ListeningInput) throws(SyrinxError) -> Playlist {
        let stream: any ByteStream
        if case .file(let path) = input.location {
            stream = try FileByteStream(path: path)
        } else {
            stream = try input.streamingInput.makeByteStream(network: network, cache: network.cache)
        }
        self.stream.withLock { $0 = stream }
        defer { self.stream.withLock { $0 = nil } }
        return try Playlist(reading: stream, from: input.url)
    }

    private static func warning(_ count: Int, _ taken: [ListeningInput], name: String) -> SyrinxError? {
        guard count > 0 else { return nil }
        // Only CUE sheets name parts.
        let (noun, plural, reason) =
            taken.contains { $0.part != nil }
            ? ("track", "tracks", "no sound, or without a place of its own in a file that the sheet may name")
            : ("entry", "entries", "neither on a web server nor a file that the list may name")
        let message = "\(count == 1 ? "1 \(noun) is" : "\(count) \(plural) are") left out: \(reason)."
        return SyrinxError(.playlistEntry, message, name: name)
    }
}
