import AudioToolbox
import CoreAudioTypes
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// A function that libFuzzer feeds.
enum Target: String, CaseIterable {
    /// The reading of `syrinx info`.
    case info
    /// Decoding all of it, with seeks in between.
    case decode
    /// Pushing it, in pieces of any size, into an `AudioFileStream`.
    case push
    /// Decoding its moving pictures, with seeks.
    case video
    /// Playlists: M3U, PLS, XSPF and CUE sheets.
    case list
    /// Playlists of HTTP Live Streaming.
    case live
    /// Feeds, and lists of feeds in OPML.
    case feed
    /// Transcripts in every format.
    case transcript
    /// Chapters in JSON and in XML.
    case chapters
    /// Answers of servers that synchronise.
    case sync
    /// Values that other programs send over D-Bus.
    case bus
    /// Lines of faces in other processes, and of players.
    case attach

    func run(_ bytes: [UInt8]) {
        switch self {
        case .info: Self.info(bytes)
        case .decode: Self.decode(bytes)
        case .push: PushByteQueue.run(bytes)
        case .video: VideoTarget.run(bytes)
        case .list, .live, .feed, .transcript, .chapters, .sync, .bus, .attach:
            if let choice = bytes.first { runText(choice, Array(bytes.dropFirst())) }
        }
    }

    /// Runs a target of which the first byte chooses the format.
    private func runText(_ choice: UInt8, _ text: [UInt8]) {
        switch self {
        case .list: TextTargets.list(choice, text)
        case .live: TextTargets.liveList(choice, text)
        case .feed: TextTargets.feed(choice, text)
        case .transcript: TextTargets.transcript(choice, text)
        case .chapters: TextTargets.chapters(choice, text)
        case .sync: TextTargets.sync(choice, text)
        case .bus: BusTarget.run(choice, text)
        case .attach: AttachTarget.run(choice, text)
        case .info, .decode, .push, .video: break
        }
    }

    private static func info(_ bytes: [UInt8]) {
        guard let demuxer = try? MediaDemuxer.open(MemoryByteStream(bytes)) else { return }
        let info = demuxer.info
        precondition(info.sampleRate > 0 && info.channelCount > 0, "a form that cannot be")
        precondition(info.frameCount ?? 0 >= 0 && info.duration ?? 0 >= 0, "a length below zero")
        _ = demuxer.artwork
        _ = demuxer.magicCookie
        _ = try? MediaReader.countFrames(of: MemoryByteStream(bytes))
    }

    /// More than any of the seeds holds: what gives more has made it up, which is no crash, but takes time.
    private static let mostFrames: Int64 = 2_000_000

    private static func decode(_ bytes: [UInt8]) {
        guard let reader = try? MediaReader.open(MemoryByteStream(bytes)) else { return }
        let block = Block(channelCount: reader.info.channelCount, capacity: 4096)
        read(reader, block)
        let middle = reader.position / 2
        for frame in [middle, 0, Int64(bytes.last ?? 0) << 8, middle + 1] {
            guard (try? reader.seek(toFrame: frame)) != nil else { return }
            precondition(reader.position >= 0, "a place before the start")
            _ = try? reader.read(into: UnsafePointer(block.channels), frameCount: 100)
        }
    }

    private static func read(_ reader: MediaReader, _ block: Block) {
        var total: Int64 = 0
        while total < mostFrames {
            let count = (try? reader.read(into: UnsafePointer(block.channels), frameCount: block.capacity)) ?? 0
            guard count > 0 else { return }
            total += Int64(count)
            precondition(reader.position == total, "a position that is not what was read")
        }
    }
}

/// Buffers to read into, one a channel.
private final class Block {
    let capacity: Int
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int

    init(channelCount: Int, capacity: Int) {
        self.channelCount = channelCount
        self.capacity = capacity
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: .allocate(capacity: capacity)) }
    }

    deinit {
        for channel in 0..<channelCount { channels[channel].deallocate() }
        channels.deallocate()
    }
}
