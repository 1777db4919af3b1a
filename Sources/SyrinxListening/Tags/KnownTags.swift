package import SyrinxByteStream

/// The tags of the files of a queue, as far as they have been read.
package struct KnownTags: Sendable {
    /// The most files whose tags are kept.
    package static let maximumCount = 10_000

    private var files: [FilePath: ListeningTags] = [:]

    /// Creates an empty collection.
    package init() {}

    /// Whether no more tags can be kept, unless some are forgotten.
    package var isFull: Bool { files.count >= Self.maximumCount }

    /// Returns the tags of an input: what is known of its file, and what a playlist or a feed states.
    package func tags(of input: ListeningInput) -> ListeningTags {
        ListeningTags(of: input, file: files.isEmpty ? nil : input.file.flatMap { files[$0] })
    }

    /// Whether the tags of a file are known, or cannot be read.
    package func knows(_ path: FilePath) -> Bool { files[path] != nil }

    /// Takes the tags of files; those that could not be read are empty.
    ///
    /// - Returns: Whether any have been kept.
    package mutating func take(_ found: [FilePath: ListeningTags]) -> Bool {
        var hasChanged = false
        for (path, tags) in found where !isFull || files[path] != nil {
            files[path] = tags
            hasChanged = true
        }
        return hasChanged
    }

    /// Forgets the tags of files that are no longer in the queue.
    ///
    /// - Parameter inputs: Those that are in the queue.
    package mutating func keep(_ inputs: some Sequence<ListeningInput>) {
        guard !files.isEmpty else { return }
        let kept = Set(inputs.lazy.compactMap(\.file))
        files = files.filter { kept.contains($0.key) }
    }

    /// Returns the files of inputs whose tags are not known, each once and in the order of the inputs.
    ///
    /// - Parameter inputs: The inputs, those first whose tags are needed first.
    /// - Returns: At most as many as can still be kept.
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
