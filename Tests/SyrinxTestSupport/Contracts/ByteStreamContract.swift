import Foundation
public import SyrinxByteStream

/// A behaviour of a stream that `ByteStream` does not allow.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String
}

/// Holds a `ByteStream` against its contract. `make` gives a fresh stream of exactly `bytes` each time.
public func checkByteStream(_ bytes: [UInt8], _ make: () throws -> any ByteStream) throws {
    for blockSize in [1_021, 65_536, bytes.count + 10] {
        let stream = try make()
        try expect(try readAll(stream, blockSize: blockSize) == bytes, "in blocks of \(blockSize): other bytes")
        try expect(stream.length == Int64(bytes.count), "the length at the end is \(String(describing: stream.length))")
        try expect(try read(stream, at: Int64(bytes.count), 10).isEmpty, "bytes at the end")
        try expect(try read(stream, at: Int64(bytes.count) + 1_000, 10).isEmpty, "bytes past the end")
        try expect(try read(stream, at: 0, 0).isEmpty, "bytes into an empty buffer")
        try checkBackwards(stream, bytes)
        stream.cancel()
    }
    try checkJumps(try make(), bytes)
    try checkCancel(try make())
    try checkNegativeOffset(try make())
}

private func checkBackwards(_ stream: any ByteStream, _ bytes: [UInt8]) throws {
    for offset in [bytes.count - 1, bytes.count / 2, 0] where offset >= 0 && offset < bytes.count {
        do {
            let some = try read(stream, at: Int64(offset), 100)
            try expect(!some.isEmpty, "nothing at \(offset), which lies before the end")
            try expect(some[...] == bytes[offset..<(offset + some.count)], "other bytes on going back to \(offset)")
        } catch let error as SyrinxError {
            try expect(!stream.isSeekable && error.code == .notSeekable, "going back to \(offset): \(error.code)")
        }
    }
}

private func checkJumps(_ stream: any ByteStream, _ bytes: [UInt8]) throws {
    var generator = SystemRandomNumberGenerator()
    var offset = 0
    for _ in 0..<20 where !bytes.isEmpty {
        offset = Int.random(in: (stream.isSeekable ? 0 : offset)..<bytes.count, using: &generator)
        let some = try read(stream, at: Int64(offset), 5_000)
        try expect(!some.isEmpty, "nothing at \(offset)")
        try expect(some[...] == bytes[offset..<(offset + some.count)], "other bytes at \(offset)")
    }
    stream.cancel()
}

private func checkCancel(_ stream: any ByteStream) throws {
    stream.cancel()
    stream.cancel()
    for offset in [Int64(0), 1 << 40] {
        do {
            _ = try read(stream, at: offset, 10)
            throw ContractViolation(description: "a read after cancel() did not throw")
        } catch let error as SyrinxError {
            try expect(error.code == .cancelled, "a read after cancel() threw \(error.code)")
        }
    }
}

private func checkNegativeOffset(_ stream: any ByteStream) throws {
    do {
        _ = try read(stream, at: -1, 10)
        throw ContractViolation(description: "a read before the start did not throw")
    } catch let error as SyrinxError {
        try expect(error.code == .notSeekable, "a read before the start threw \(error.code)")
    }
    stream.cancel()
}

private func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(description: message()) }
}

/// Reads a stream from start to end.
public func readAll(
    _ stream: any ByteStream,
    from start: Int64 = 0,
    blockSize: Int = 32_768
) throws(SyrinxError) -> [UInt8] {
    var all: [UInt8] = []
    while true {
        let some = try read(stream, at: start + Int64(all.count), blockSize)
        if some.isEmpty { return all }
        all += some
    }
}

/// Reads once.
public func read(_ stream: any ByteStream, at offset: Int64, _ count: Int) throws(SyrinxError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    let got = try stream.read(at: offset, into: buffer)
    return [UInt8](buffer[..<got])
}

/// Whether two runs of bytes are equal.
///
/// For `#expect`, which would list the differences of two long arrays for minutes.
public func isSame(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool {
    [UInt8](one) == [UInt8](other)
}

/// `count` bytes that look random and are the same every time; byte `n` depends on `n` and `seed` only.
public func patternedBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        fillPattern(from: 0, seed: seed, UnsafeMutableRawBufferPointer(buffer))
        initialized = count
    }
}

/// Writes the bytes of `patternedBytes` from `offset` on.
public func fillPattern(from offset: Int64, seed: UInt64 = 1, _ buffer: UnsafeMutableRawBufferPointer) {
    for index in buffer.indices {
        // The finaliser of SplitMix64 over the byte's own index.
        var mixed = (UInt64(offset) &+ UInt64(index) &+ seed &* 0x1_0000_0000) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        buffer[index] = UInt8(truncatingIfNeeded: mixed >> 40)
    }
}
