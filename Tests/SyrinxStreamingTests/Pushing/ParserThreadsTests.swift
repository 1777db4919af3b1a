import AVFAudio
import Foundation
import Synchronization
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// Reads to the end, and returns the number of frames and the sum of the left channel.
private func readAll(_ reader: Reader) -> (frames: Int, sum: Double) {
    var result = (frames: 0, sum: 0.0)
    while true {
        do {
            let buffer = try reader.read(700)
            guard let left = buffer.floatChannelData?[0] else { return result }
            result.frames += Int(buffer.frameLength)
            for sample in UnsafeBufferPointer(start: left, count: Int(buffer.frameLength)) {
                result.sum += Double(sample)
            }
        } catch ReaderError.notEnoughData {
            usleep(200)
        } catch {
            return result
        }
    }
}

/// The results of threads that read, and the place up to which others have pushed.
private final class Results: Sendable {
    let all = Mutex<[(frames: Int, sum: Double)]>([])
    let offset = Mutex(0)
}

/// Runs `work` on four threads at once, whatever the number of cores, and waits for all.
private func onFourThreads(_ work: @escaping @Sendable (Int) -> Void) {
    let ended = DispatchSemaphore(value: 0)
    for index in 0..<4 {
        Thread {
            work(index)
            ended.signal()
        }.start()
    }
    for _ in 0..<4 { ended.wait() }
}

/// A parser and its readers, used by several threads.
@Suite struct ParserThreadsTests {
    private let scratch: ScratchDirectory
    private let bytes: Data
    private let frames: Int
    private let format: AVAudioFormat

    init() throws {
        scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 3)
        bytes = try Data(Inputs.bytes(path))
        frames = try Inputs.decoded(path)[0].count
        format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    }

    @Test("A reader that four threads read gives each frame to one of them")
    func oneReader() throws {
        let parser = Parser()
        try parser.parse(data: bytes)
        try parser.finish()
        let whole = readAll(try Reader(parser: parser, readFormat: format))
        let reader = try Reader(parser: parser, readFormat: format)
        let results = Results()
        onFourThreads { _ in
            let result = readAll(reader)
            _ = reader.currentPacket
            results.all.withLock { $0.append(result) }
        }
        let counts = results.all.withLock { $0 }
        #expect(counts.map { $0.frames }.reduce(0, +) == frames)
        #expect(abs(counts.map { $0.sum }.reduce(0, +) - whole.sum) < 1e-6)
    }

    @Test("Readers of one parser give the same samples while two threads push")
    func severalReaders() throws {
        let parser = Parser()
        let half = 20_000
        try parser.parse(data: bytes.prefix(half))
        let (format, bytes) = (format, bytes)
        let results = Results()
        results.offset.withLock { $0 = half }
        onFourThreads { index in
            if index < 2 {
                let reader = try? Reader(parser: parser, readFormat: format)
                let result = reader.map(readAll)
                results.all.withLock { $0 += [result].compactMap { $0 } }
            } else {
                // One piece at a time is taken and pushed, so that their order is that of the file.
                while results.offset.withLock({ offset in
                    guard offset < bytes.count else { return false }
                    let end = min(offset + 3_000, bytes.count)
                    try? parser.parse(data: bytes.subdata(in: offset..<end))
                    offset = end
                    return true
                }) { _ = parser.packets.count }
                try? parser.finish()
            }
        }
        let sums = results.all.withLock { $0 }
        #expect(sums.map { $0.frames } == [frames, frames])
        #expect(sums.first?.sum == sums.last?.sum)
    }
}
