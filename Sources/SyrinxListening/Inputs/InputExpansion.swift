import Foundation
import Synchronization
package import SyrinxByteStream
package import SyrinxHTTPStream
import SyrinxStreaming

/// Reads folders and playlists, also playlists on a web server, and returns their inputs.
///
/// Thread-safe. A call blocks until all bytes have arrived; `cancel()` ends it from any other thread.
package final class InputExpansion: Sendable {
    /// The maximum depth of nested lists, including the first.
    private static let maximumDepth = 4

    /// The maximum number of nested lists that `expandLocal` reads, because a list may contain another many times.
    private static let maximumNestedCount = 100

    /// The inputs of a list.
    package struct Found: Sendable {
        /// The inputs, in order.
        package var inputs: [ListeningInput]
        /// A warning that entries were omitted; `nil` if none was.
        package var warning: SyrinxError?
    }

    private let listsRecursively: Bool
    private let network: HTTPByteStream.Options
    private let stream = Mutex<(any ByteStream)?>(nil)

    /// Creates an expansion.
    ///
    /// - Parameters:
    ///   - recursively: Whether nested folders are read too.
    ///   - network: The options for network requests.
    package init(recursively: Bool, network: HTTPByteStream.Options = HTTPByteStream.Options()) {
        listsRecursively = recursively
        self.network = network
    }

    /// Cancels the current call, which then throws.
    package func cancel() { stream.withLock { $0 }?.cancel() }

    /// Returns the inputs of a folder or a playlist.
    ///
    /// The playlist of an HTTP live stream is a single input.
    ///
    /// - Throws: `media.unsupported` if a playlist contains itself or is nested too deeply, `media.empty` if a list has
    ///   no inputs, or the error of reading the bytes.
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
            // The playlist of an HTTP live stream.
            guard error.code == .unsupported, let presentation = input.asPresentation else { throw error }
            return Found(inputs: [presentation])
        }
        let inputs = playlist.entries.map { ListeningInput($0, lists: lists) }
        return Found(inputs: inputs, warning: Self.warning(playlist.refusedCount, inputs, name: input.name))
    }

    /// Returns the inputs, with all local folders and playlists replaced by their inputs.
    ///
    /// Playlists on a web server, and nested lists after the first 100, are returned unchanged.
    ///
    /// - Parameter inputs: The inputs.
    /// - Returns: At most `FolderListing.maximumCount` inputs, warnings about omitted entries, and the errors of
    ///   lists that could not be read.
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
        // Only CUE sheets contain parts.
        let (noun, plural, reason) =
            taken.contains { $0.part != nil }
            ? ("track", "tracks", "no sound, or without a place of its own in a file that the sheet may name")
            : ("entry", "entries", "neither on a web server nor a file that the list may name")
        let message = "\(count == 1 ? "1 \(noun) is" : "\(count) \(plural) are") left out: \(reason)."
        return SyrinxError(.playlistEntry, message, name: name)
    }
}
