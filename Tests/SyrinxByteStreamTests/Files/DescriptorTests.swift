import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream

@Suite("Reads and writes of descriptors")
struct DescriptorTests {
    @Test("A call is made again while signals interrupt it, and another failure ends it")
    func retries() {
        var calls = 0
        let result = Descriptor.retrying { () -> Int in
            calls += 1
            errno = calls < 3 ? EINTR : EBADF
            return -calls
        }
        let number = errno
        #expect(result == -3 && number == EBADF)
        errno = EINTR
        #expect(Descriptor.retrying { 5 } == 5)
    }

    @Test("All bytes get through a pipe that does not block and is shorter than they are", .timeLimit(.minutes(1)))
    func waitsForPipe() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        Thread.detachNewThread {
            Descriptor.writeAll(bytes, to: writer)
            close(writer)
        }
        var got: [UInt8] = []
        while let piece = Descriptor.readSome(from: reader, limit: 10_000), !piece.isEmpty { got += piece }
        close(reader)
        // The macro would look for the difference of two arrays for minutes.
        let isComplete = got == bytes
        #expect(isComplete)
    }

    @Test("Bytes of a file are written at an offset, and read up to the end of the file")
    func usesOffsets() throws {
        let scratch = try ScratchDirectory()
        let descriptor = open(scratch.file("a"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(Descriptor.writeAll(Data("abc".utf8), to: descriptor) == 0)
        #expect(Descriptor.writeAll(Array("XY".utf8), to: descriptor, at: 1) == 0)
        // The place of the descriptor has not changed.
        #expect(Descriptor.writeAll(Array("def".utf8), to: descriptor) == 0)
        func read(_ count: Int, at offset: Int64) -> String {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            defer { buffer.deallocate() }
            let got = Descriptor.readAll(into: buffer, from: descriptor, at: offset)
            #expect(got.number == 0)
            return String(decoding: buffer[..<got.count], as: UTF8.self)
        }
        #expect(read(10, at: 0) == "aXYdef" && read(10, at: 2) == "Ydef" && read(2, at: 1) == "XY")
        #expect(read(10, at: 6).isEmpty && read(0, at: 0).isEmpty)
    }

    @Test("A failure has its error number")
    func fails() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(Descriptor.writeAll([1], to: full) == ENOSPC)
        #expect(Descriptor.writeAll([1], to: -1) == EBADF && Descriptor.writeAll([1], to: -1, at: 0) == EBADF)
        #expect(Descriptor.writeAll([] as [UInt8], to: -1) == 0)
        #expect(Descriptor.readSome(from: -1, limit: 1) == nil)
        var byte: UInt8 = 0
        let got = withUnsafeMutableBytes(of: &byte) { Descriptor.readAll(into: $0, from: -1, at: 0) }
        #expect(got == (0, EBADF))
    }
}
