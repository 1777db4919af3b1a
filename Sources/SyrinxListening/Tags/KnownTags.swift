package import SyrinxByteStream

/// The tags that have been read from the files of a queue.
package struct KnownTags: Sendable {
    /// The maximum number of files whose tags are kept.
    package static let maximumCount = 10_000

    private var files: [FilePath: ListeningTags] = [:]

    /// Creates an empty collection.
    package init() {}

    /// Whether the maximum is reached.
    package var isFull: Bool { files.count >= Self.maximumCount }

    /// Returns the tags of an input, from its file and from a playlist or a feed.
    package func tags(of input: ListeningInput) -> ListeningTags {
        ListeningTags(of: input, file: files.isEmpty ? nil : input.file.flatMap { files[$0] })
    }

    /// Returns whether the tags of a file have been read, or could not be read.
    package func knows(_ path: FilePath) -> Bool { files[path] != nil }

    /// Adds the tags of files; for a file that could not be read, they are empty.
    ///
    /// - Returns: Whether any were added.
    package mutating func take(_ found: [FilePath: ListeningTags]) -> Bool {
        var hasChanged = false
        for (path, tags) in found where !isFull || files[path] != nil {
            files[path] = tags
            hasChanged = true
        }
        return hasChanged
    }

    /// Removes the tags of files that are no longer in the queue.
    ///
    /// - Parameter inputs: The inputs in the queue.
    package mutating func keep(_ inputs: some Sequence<ListeningInput>) {
        guard !files.isEmpty else { return }
        let kept = Set(inputs.lazy.compactMap(\.file))
        files = files.filter { kept.contains($0.key) }
    }

    /// Returns the files of inputs whose tags are unknown, without duplicates, in the order of the inputs.
    ///
    /// - Parameter inputs: The inputs, in the order in which their tags are needed.
    /// - Returns: At most as many files as there is room for.
    package func unknown(among inputs: some Sequence<ListeningInput>) -> [FilePath] {
        var seen: Set<FilePath> = []
        var unknown: [FilePath] = []
        for input in inputs {
            guard files.count + unknown.count < Self.maximumCount else { break }
            if let path = input.file, files[path] == nil, seen.insert(path).inserted {
                unknown.append(path)
            }
        }
        return unknown
    }
}
