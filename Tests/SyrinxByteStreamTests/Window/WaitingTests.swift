import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

/// Runs `body` on a thread of its own and gives what came of it.
private final class Background<Result: Sendable>: Sendable {
    private let done = Monitor<Swift.Result<Result, any Error>?>(nil)

    init(_ body: @escaping @Sendable () throws -> Result) {
        let done = done
        Thread.detachNewThread {
            let result = Swift.Result { try body() }
            done.update { $0 = result }
        }
    }

    var isDone: Bool { done.read { $0 != nil } }
    func wait() -> Swift.Result<Result, any Error> { done.wait { $0 } }
}

private func code(_ result: Result<[UInt8], any Error>) -> SyrinxError.Code? {
    do { _ = try result.get() } catch { return (error as? SyrinxError)?.code }
    return nil
}

@Suite("Waiting readers") struct WaitingTests {
    @Test("A thread that waits for an arrival is woken by bytes, by the end of waits, and by cancelling")
    func arrivals() throws {
        let window = BlockingWindow(limit: 1 << 16, behind: 0, name: "window")
        let count = window.arrivalCount
        let first = Background { window.waitForArrival(after: count) }
        window.length = 10
        #expect(!first.isDone)
        [1, 2, 3].withUnsafeBytes { window.insert($0, at: 0) }
        _ = first.wait()
        let second = Background { window.waitForArrival(after: count + 1) }
        window.endArrivalWaits()
        _ = second.wait()
        let third = Background { window.waitForArrival(after: count + 2) }
        window.cancel()
        _ = third.wait()
        #expect(window.arrivalCount == count + 2)
    }

    @Test("Cancelling a push stream promptly wakes its blocked reader")
    func cancelWakesThePushReader() throws {
        let stream = PushByteStream()
        let reader = Background { try read(stream, at: 0, 10) }
        #expect(stream.waitUntilStarved())
        var result: Result<[UInt8], any Error>?
        let isPrompt = isPrompt {
            stream.cancel()
            result = reader.wait()
        }
        #expect(isPrompt)
        #expect(try code(#require(result)) == .cancelled)
        #expect(!stream.waitUntilStarved())
    }

    @Test("A starved push stream continues with each append until it is finished")
    func pushGoesOnWhenStarved() throws {
        let stream = PushByteStream()
        let bytes = patternedBytes(50_000)
        let reader = Background { try readAll(stream, blockSize: 100) }
        for start in stride(from: 0, to: bytes.count, by: 10_000) {
            stream.append(bytes[start..<(start + 10_000)])
            // Starved means: all of it has been read.
            #expect(stream.waitUntilStarved())
        }
        #expect(!reader.isDone)
        stream.finish()
        #expect(try isSame(reader.wait().get(), bytes))
    }

    @Test("A push stream's reader blocks until bytes at its offset arrive")
    func pushReaderWaitsAhead() throws {
        let stream = PushByteStream()
        let reader = Background { try read(stream, at: 20, 4) }
        for _ in 0..<5 {
            #expect(stream.waitUntilStarved())
            stream.append([1, 2, 3, 4, 5])
        }
        #expect(try reader.wait().get().first == 1)
    }

    @Test("A push stream delivers its buffered bytes before its failure")
    func pushedFailureComesAfterTheBytes() throws {
        let stream = PushByteStream()
        stream.append([1, 2])
        stream.finish(error: SyrinxError(.connectionLost, "gone", name: "x"))
        #expect(try read(stream, at: 0, 10) == [1, 2])
        #expect(throws: SyrinxError.self) { try read(stream, at: 2, 10) }
        #expect(stream.length == nil)
    }

    @Test("Cancelling a pipe stream promptly wakes its blocked reader")
    func cancelWakesThePipeReader() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let stream = try PipeByteStream(fileDescriptor: ends[0])
        _ = write(ends[1], [7], 1)
        #expect(try read(stream, at: 0, 10) == [7])
        let reader = Background { try read(stream, at: 1, 10) }
        usleep(20_000)
        var result: Result<[UInt8], any Error>?
        let isPrompt = isPrompt {
            stream.cancel()
            result = reader.wait()
        }
        #expect(isPrompt)
        #expect(try code(#require(result)) == .cancelled)
    }

    @Test("A blocking window wakes its readers for bytes, end, failure and cancellation")
    func cacheWakesForBytesEndFailureAndCancel() throws {
        func cache() -> BlockingWindow { BlockingWindow(limit: 1 << 20, behind: 1 << 18, name: "x") }
        let withBytes = cache()
        var reader = Background { try withBytes.wait(at: 5) }
        withBytes.insertAll([1, 2, 3], at: 0)
        #expect(!reader.isDone)
        withBytes.insertAll([1, 2, 3], at: 4)
        #expect(try reader.wait().get() == .bytes)

        let withEnd = cache()
        reader = Background { try withEnd.wait(at: 5) }
        withEnd.length = 5
        #expect(try reader.wait().get() == .end)

        let failing = cache()
        failing.insertAll([1, 2, 3], at: 4)
        reader = Background { try failing.wait(at: 7) }
        failing.fail(SyrinxError(.timedOut, "late", name: "x"))
        #expect(throws: SyrinxError.self) { try reader.wait().get() }
        #expect(try failing.wait(at: 5) == .bytes)

        let cancelled = cache()
        cancelled.insertAll([1, 2, 3], at: 0)
        reader = Background { try cancelled.wait(at: 5) }
        cancelled.cancel()
        #expect(throws: SyrinxError.self) { try reader.wait().get() }
        #expect(throws: SyrinxError.self) { try cancelled.wait(at: 0) }
    }
}

extension BlockingWindow {
    func insertAll(_ bytes: [UInt8], at offset: Int64) {
        bytes.withUnsafeBytes { insert($0, at: offset) }
    }
}
