import Foundation
package import SyrinxByteStream
package import SyrinxHTTPStream
package import SyrinxMediaCodec

extension StreamingInput {
    /// Opens a byte stream for the input, without fetching.
    ///
    /// Bytes from a server are stored in `cache`, if there is one.
    /// - Throws: `SyrinxError` for an invalid URL or a file that cannot be opened.
    package func makeByteStream(
        network: HTTPByteStream.Options = HTTPByteStream.Options(),
        cache: DiskCache? = nil
    ) throws(SyrinxError) -> any ByteStream {
        if case .bytes(let source) = self { return try source.open() }
        guard let url else { return try PipeByteStream(fileDescriptor: 0, name: "standard input") }
        if HLSStream.isNamed(url) {
            let transport = HLSNetwork(origin: url, options: network)
            return HLSStream(try transport.open(url, .playlist), from: url, transport: transport)
        }
        switch url.scheme?.lowercased() {
        case "http", "https":
            var options = network
            options.cache = cache
            return try HTTPByteStream(url: url, options: options)
        case "file", nil:
            let file = url.isFileURL ? url : FilePath(url.path).url
            let stream = try FileByteStream(url: file)
            guard HLSStream.beginsAsPlaylist(stream) else { return stream }
            return HLSStream(stream, from: file, transport: HLSNetwork(origin: file, options: network))
        default:
            throw SyrinxError(
                .badURL,
                "the scheme \(url.scheme ?? "") is not supported: use a file path, http or https.",
                name: url.absoluteString
            )
        }
    }

    /// Opens the samples of the input, whose bytes `stream` gives.
    /// - Parameters:
    ///   - raw: What the stream holds, if it is nothing but samples.
    ///   - roundsIntegersDown: As in `MediaReader`.
    ///   - preference: The sound to choose where a file has several; a presentation has been told by its stream.
    package func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        roundsIntegersDown: Bool = false,
        preference: SoundPreference = SoundPreference()
    ) throws(SyrinxError) -> any SampleReader {
        if raw == nil, let stream = stream as? HLSStream, let presentation = try stream.open() { return presentation }
        return try MediaReader.open(
            stream,
            raw: raw,
            roundsIntegersDown: roundsIntegersDown,
            choosing: preference.trackChoice
        )
    }

    /// Counts the frames of the input, whose bytes `stream` gives.
    /// - Returns: `nil` for a live stream, which has no end.
    package func countFrames(of stream: any ByteStream) throws(SyrinxError) -> Int64? {
        guard let stream = stream as? HLSStream, let presentation = try stream.open() else {
            return try MediaReader.countFrames(of: stream)
        }
        return stream.isLive ? nil : try presentation.countFrames()
    }

    /// The name of the input in messages, where no better one is known.
    var name: String {
        if case .bytes(let source) = self { return source.name }
        guard let url else { return "standard input" }
        if url.isFileURL || url.scheme == nil { return FilePath(url)?.name ?? url.path }
        return Redaction.redact(url)
    }
}
