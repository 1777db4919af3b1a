import ByteStream
import Foundation
import HTTPStream
import MediaCodec

extension InputArgument {
    /// Opens the input as bytes.
    func byteStream() throws(Failure) -> any ByteStream {
        do throws(ByteStreamError) {
            switch location {
            case .file(let path): return try FileByteStream(path: path)
            case .web(let url): return try HTTPByteStream(url: url)
            case .standardInput: return try PipeByteStream(fileDescriptor: STDIN_FILENO, name: "standard input")
            }
        } catch {
            throw Failure(error, name: name)
        }
    }

    /// Opens the input, calls `body` with its decoder, and lets go of it again.
    ///
    /// An interruption ends every wait.
    func withReader<Result>(
        interruption: Interruption,
        _ body: (MediaReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stream = try byteStream()
        interruption.onRequest { stream.cancel() }
        defer {
            interruption.onRequest(nil)
            stream.cancel()
        }
        let reader: MediaReader
        do throws(MediaError) {
            reader = try MediaReader(stream: stream)
        } catch {
            throw Failure(error, name: name)
        }
        return try body(reader)
    }
}
