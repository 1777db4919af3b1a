import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

extension ListeningInput {
    /// Opens the input as a byte stream.
    func byteStream(network: HTTPByteStream.Options) throws(Failure) -> any ByteStream {
        do throws(SyrinxError) {
            return try streamingInput.makeByteStream(network: network, cache: network.cache)
        } catch {
            throw Failure(error, name: name)
        }
    }

    /// Opens the input, calls `body` with its decoder, and closes the input.
    ///
    /// An interruption cancels all waits for data.
    func withReader<Result>(
        network: HTTPByteStream.Options,
        interruption: Interruption,
        _ body: (any SampleReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withStream(network: network, interruption: interruption) { stream throws(Failure) in
            try body(try reader(of: stream))
        }
    }

    /// Opens the input as a byte stream, calls `body` with it, and closes the input.
    ///
    /// An interruption cancels all waits for data.
    func withStream<Result>(
        network: HTTPByteStream.Options,
        interruption: Interruption,
        _ body: (any ByteStream) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var stream = try byteStream(network: network)
        interruption.onRequest { [stream] in stream.cancel() }
        defer {
            interruption.onRequest(nil)
            stream.cancel()
        }
        if let resource = stream as? HTTPByteStream {
            do throws(SyrinxError) { try resource.waitForResponse() } catch { throw Failure(error, name: name) }
            if let playlist = HLSStream(typed: resource, of: streamingInput, network: network) {
                interruption.onRequest { playlist.cancel() }
                stream = playlist
            }
        }
        return try body(stream)
    }

    /// Returns all bytes of the input.
    /// - Throws: `media.unsupported` if there are more than `limit`.
    func bytes(
        limit: Int,
        network: HTTPByteStream.Options,
        interruption: Interruption
    ) throws(Failure) -> [UInt8] {
        try withStream(network: network, interruption: interruption) { stream throws(Failure) in
            do throws(SyrinxError) {
                return try stream.readAll(limit: limit)
            } catch {
                guard error.code != .tooLarge else {
                    throw Failure(code: .unsupported, message: "it has more than \(limit >> 20) MiB", name: name)
                }
                throw Failure(error, name: name)
            }
        }
    }

    /// Creates the decoder of the input.
    /// - Parameters:
    ///   - stream: The bytes of the input.
    ///   - raw: The sample format of an input without headers; `nil` detects the format.
    ///   - roundsIntegersDown: Whether 32-bit integers are truncated when converted to float, instead of rounded.
    func reader(
        of stream: any ByteStream,
        raw: RawSamples? = nil,
        roundsIntegersDown: Bool = false
    ) throws(Failure) -> any SampleReader {
        do throws(SyrinxError) {
            return try streamingInput.open(stream, raw: raw, roundsIntegersDown: roundsIntegersDown)
        } catch {
            let failure = Failure(error, name: name)
            throw part == nil ? failure.givingNothing : failure
        }
    }
}
