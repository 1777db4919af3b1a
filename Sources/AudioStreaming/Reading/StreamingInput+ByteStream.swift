package import ByteStream
import Foundation
package import HTTPStream

extension StreamingInput {
    /// The bytes of the input.
    ///
    /// Nothing is fetched yet. What comes from a server is kept in `cache`, if there is one.
    /// - Throws: `ByteStreamError` for a URL that cannot be used or a file that cannot be opened.
    package func makeByteStream(
        network: HTTPByteStream.Options = HTTPByteStream.Options(),
        cache: DiskCache? = nil
    ) throws(ByteStreamError) -> any ByteStream {
        guard let url else { return try PipeByteStream(fileDescriptor: 0, name: "standard input") }
        switch url.scheme?.lowercased() {
        case "http", "https":
            var options = network
            options.cache = cache
            return try HTTPByteStream(url: url, options: options)
        case "file": return try FileByteStream(url: url)
        case nil: return try FileByteStream(path: url.path)
        default:
            throw ByteStreamError(
                .badURL,
                "the scheme \(url.scheme ?? "") is not supported: use a file path, http or https.",
                name: url.absoluteString
            )
        }
    }

    /// The name of the input in messages, where no better one is known.
    var name: String {
        guard let url else { return "standard input" }
        if url.isFileURL || url.scheme == nil { return FilePath(url)?.name ?? url.path }
        return Redaction.redact(url)
    }
}
