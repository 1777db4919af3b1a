import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

extension ScratchDirectory {
    /// Writes a file, and returns its path.
    fileprivate func write(_ bytes: [UInt8], to name: String = "file") throws -> String {
        try Data(bytes).write(to: url(name))
        return file(name)
    }
}

@Suite("ByteStream's contract") struct ContractTests {
    @Test("A memory stream keeps the contract of streams", arguments: [1, 4_096, 300_000]) func memory(count: Int)
        throws
    {
        let bytes = patternedBytes(count)
        try checkByteStream(bytes) { MemoryByteStream(bytes) }
    }

    @Test("A file stream keeps the contract of streams", arguments: [1, 4_096, 300_000]) func file(count: Int) throws {
        let bytes = patternedBytes(count)
        let directory = try ScratchDirectory()
        let path = try directory.write(bytes)
        try checkByteStream(bytes) { try FileByteStream(path: path) }
    }

    @Test("A push stream keeps the contract of streams", arguments: [1, 4_096, 3_000_000]) func pushed(count: Int)
        throws
    {
        let bytes = patternedBytes(count)
        try checkByteStream(bytes) {
            let stream = PushByteStream()
            Thread.detachNewThread {
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + 7_001)
                    stream.append(bytes[start..<end])
                    start = end
                }
                stream.finish()
            }
            return stream
        }
    }

    @Test("A pipe stream keeps the contract of streams", arguments: [1, 4_096, 3_000_000]) func piped(count: Int) throws
    {
        let bytes = patternedBytes(count)
        try checkByteStream(bytes) { try pipeOf(bytes) }
    }

    /// A stream of a pipe that a thread fills. Both ends are closed when it is through or the reader has gone.
    private func pipeOf(_ bytes: [UInt8]) throws -> PipeByteStream {
        var pair: [Int32] = [0, 0]
        // A socket pair and not a pipe: writing to one without a reader is an error without a signal.
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let (reader, writer) = (pair[0], pair[1])
        let stream = try PipeByteStream(fileDescriptor: reader)
        Thread.detachNewThread { [weak stream] in
            var sent = 0
            while sent < bytes.count, stream != nil {
                let count = bytes[sent...].withUnsafeBytes { piece in
                    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                    return send(writer, piece.baseAddress, min(piece.count, 9_000), flags)
                }
                if count > 0 { sent += count } else { usleep(1_000) }
            }
            close(writer)
            while stream != nil { usleep(1_000) }
            close(reader)
        }
        return stream
    }
}

@Suite("FileByteStream") struct FileByteStreamTests {
    private func code(_ path: String) -> SyrinxError.Code? {
        do throws(SyrinxError) {
            _ = try FileByteStream(path: path)
            return nil
        } catch { return error.code }
    }

    @Test("A file that cannot be opened gives a typed error")
    func whatCannotBeOpened() throws {
        let directory = try ScratchDirectory()
        let fifo = directory.path + "/fifo"
        mkfifo(fifo, 0o600)
        #expect(code(directory.path + "/missing") == .fileNotFound)
        #expect(code(directory.path) == .fileIsDirectory)
        #expect(code(fifo) == .fileReadFailed)
        #expect(code("/dev/null") == .fileReadFailed)
        #expect(code("") == .fileNotFound)
        let locked = try directory.write([1], to: "locked")
        chmod(locked, 0)
        // Root reads everything, so there is nothing to see then.
        if geteuid() != 0 { #expect(code(locked) == .filePermissionDenied) }
    }

    @Test("A file that grows or shrinks is read to its present end")
    func growsAndShrinks() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write([1, 2, 3])
        let stream = try FileByteStream(path: path)
        #expect(try readAll(stream) == [1, 2, 3])
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([4, 5]))
        #expect(stream.length == 5)
        #expect(try read(stream, at: 3, 10) == [4, 5])
        try handle.truncate(atOffset: 2)
        #expect(stream.length == 2)
        #expect(try read(stream, at: 3, 10) == [])
    }

    @Test("Cancelling a file stream closes the file")
    func cancelClosesTheFile() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write([1, 2, 3])
        func openCount() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
            }.count
        }
        let stream = try FileByteStream(path: path)
        #expect(try openCount() == 1)
        stream.cancel()
        #expect(try openCount() == 0)
    }
}
