import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// The bytes of a segment from front to end, decrypted.
///
/// One thread reads.
final class HLSSegmentBytes {
    let stream: any ByteStream
    private let end: Int64?
    private var offset: Int64
    private let decryption: AESDecryptor?
    private var isAtEnd = false

    private static let pieceSize = 16_384

    init(_ stream: any ByteStream, _ range: Range<Int64>?, decryption: AESDecryptor?) {
        self.stream = stream
        self.decryption = decryption
        offset = range?.lowerBound ?? 0
        end = range?.upperBound
    }

    /// Returns the next available bytes; an empty array at the end.
    /// - Throws: The stream's error, `network.lost` if the resource ends within the range.
    func next() throws(SyrinxError) -> [UInt8] {
        while !isAtEnd {
            let wanted = min(Self.pieceSize, end.map { Int(clamping: $0.subtractingClamped(offset)) } ?? .max)
            var failure: SyrinxError?
            let piece = [UInt8](unsafeUninitializedCapacity: max(wanted, 0)) { buffer, count in
                guard wanted > 0 else { return }
                do throws(SyrinxError) {
                    count = try stream.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            offset = offset.addingClamped(Int64(piece.count))
            if piece.isEmpty {
                isAtEnd = true
                if let end, offset < end {
                    let message = "the resource ends before the segment in it does: the server does not have all of it"
                    throw SyrinxError(.connectionLost, message, name: stream.name)
                }
                // Without valid padding, all bytes are content: the segment was truncated when it was created.
                if let rest = decryption?.finish(), !rest.isEmpty { return rest }
                return []
            }
            guard let decryption else { return piece }
            let clear = decryption.update(piece)
            if !clear.isEmpty { return clear }
        }
        return []
    }
}

/// Reads resources as a whole.
enum HLSText {
    /// Reads all bytes of a stream, or of a range of it.
    /// - Throws: The stream's error, or `http.badResponse` if there are more than `limit` bytes.
    static func bytes(
        of stream: any ByteStream,
        _ range: Range<Int64>? = nil,
        limit: Int
    ) throws(SyrinxError) -> [UInt8] {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { piece.deallocate() }
        let start = range?.lowerBound ?? 0
        let count = range.map { Int64($0.count) } ?? .max
        var bytes: [UInt8] = []
        while Int64(bytes.count) < count {
            let wanted = Int(min(Int64(piece.count), count - Int64(bytes.count)))
            let target = UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted])
            let got = try stream.read(at: start.addingClamped(Int64(bytes.count)), into: target)
            if got == 0 { break }
            bytes += target[..<got]
            guard bytes.count <= limit else {
                let message =
                    "the resource is longer than \(limit) bytes, the most that is read of its kind: its address leads to something else"
                throw SyrinxError(.badResponse, message, name: stream.name)
            }
        }
        return bytes
    }

    /// Reads the text of a playlist.
    static func read(_ stream: any ByteStream) throws(SyrinxError) -> [UInt8] {
        do throws(SyrinxError) {
            return try bytes(of: stream, limit: HLSPlaylist.maximumSize)
        } catch {
            throw error.code == .badResponse ? tooLong(stream.name) : error
        }
    }

    static func tooLong(_ name: String) -> SyrinxError {
        let size = HLSPlaylist.maximumSize >> 20
        let message =
            "The playlist is longer than \(size) MiB, which is the limit: check that the address is that of a playlist."
        return SyrinxError(.playlistTooLarge, message, name: name)
    }

    /// Returns the URL of a playlist after redirects, against which its references are resolved (RFC 3986, 5.1.3).
    static func location(of stream: any ByteStream, asked url: URL) -> URL {
        (stream as? HTTPByteStream)?.redirectedURL.flatMap { Playlist.url($0, allowedAs: url) } ?? url
    }

    /// The message for a playlist without segments.
    static let noSegments =
        "The playlist has no segments: check the address, or try again later."

    /// Refuses a playlist that has no segments and will have none.
    static func check(_ playlist: HLSMediaPlaylist, name: String) throws(SyrinxError) {
        guard playlist.segments.isEmpty, playlist.isEnded else { return }
        throw SyrinxError(.empty, noSegments, name: name)
    }
}
