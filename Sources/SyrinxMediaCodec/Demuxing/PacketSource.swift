internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Takes one recording apart into packets and finds the packets of a frame, as its container demands.
///
/// One thread at a time.
protocol PacketSource: AnyObject {
    /// The stream that the packets come from.
    var stream: any ByteStream { get }
    /// The description of the recording, which may become better as packets pass.
    var info: MediaInfo { get set }
    /// The relation of the packets to the frames of the recording.
    var timing: PacketTimeline { get }
    /// The codec parameters of the packets that come first.
    var firstParameters: UnsafeMutablePointer<AVCodecParameters>? { get }
    /// The codec parameters of the next packets, which are others where recordings are joined.
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { get }
    /// The reason why the last read failed, if the stream did.
    var failure: ByteStreamError? { get }
    /// The error that the bytes ended with, where their number was not known: they may be complete.
    var connectionCut: ByteStreamError? { get }

    // MARK: Reading

    /// Returns the next packet of sound, or `nil` at the end.
    func nextPacket() throws(MediaError) -> MediaPacket?
    /// Goes to a packet from which the sound at `frame` can be decoded.
    func seek(toFrame frame: Int64) throws(MediaError)
    /// Goes back in a stream without ranges, which may still hold its start: reads from there, and drops packets up to the first
    /// that `frame` needs.
    /// - Returns: Whether packets say where they begin; if not, the next one is the first, and begins at frame 0.
    /// - Throws: `.notSeekable` if the stream does not hold its start.
    func readAnew(toFrame frame: Int64) throws(MediaError) -> Bool
    /// Returns the sound missing after the last packet, and resets it.
    func takeMissingEnd() -> MissingAudio

    // MARK: Guarantees of the container

    /// Whether a seek goes to another place without reading what lies before it.
    var canJump: Bool { get }
    /// Whether a seek goes back to the start, and the reader counts from there: the timestamps do not tell the frame.
    var countsFromStart: Bool { get }
    /// Whether the timestamps leave no gap, unless something is lost.
    var statesEveryGap: Bool { get }
    /// Whether the container says where its sound ends, so that silence takes the place of what is missing there.
    var statesItsEnd: Bool { get }
    /// Whether the last byte read ends the container, as it says itself.
    var hasReadItsEnd: Bool { get }
    /// Whether the bytes end before the container does, of those that do not state how much sound they have.
    var isCutOff: Bool { get }
    /// Whether what the packets decode to beyond the stated length is padding.
    var isCutAtStatedEnd: Bool { get }
    /// Whether the stated length may be wrong by a few packets.
    var statesLengthRoughly: Bool { get }
    /// Whether the last packet follows the one before it in the file, so that a gap between them in time is meant.
    var lastPacketsFollow: Bool { get }
    /// Whether the first of the sound is damaged, so that what can be read begins later.
    var lacksItsStart: Bool { get }
    /// Whether data that end at frame `last` lack some of the `stated` frames.
    func isShort(_ last: Int64, of stated: Int64) -> Bool
    /// Whether a frame was in the damaged start of the recording that is read.
    func isInMissingStart(_ frame: Int64) -> Bool

    // MARK: Joined recordings

    /// Whether the recording that follows is read too where its codec is another.
    var readsOnIntoOtherCodecs: Bool { get set }
    /// Whether packets come from several recordings, each of which counts from its own start.
    var readsThroughJoints: Bool { get }
    /// The tags of the recording that is read.
    var tags: [String: String] { get }
    /// Returns a clock for the next of the joined recordings; `nil` if its positions cannot be relied upon.
    /// - Parameter longestGap: Positions that are further apart from what was given out are wrong.
    func makeClock(longestGap: Int64) -> (any RecordingClock)?

    // MARK: Tables

    /// The cover picture, with its bytes, if there is one.
    var artwork: MediaPicture? { get }
    /// The place of every packet, in order; `nil` if the header does not state them.
    var packetTable: [TableCutter.Entry]? { get }
    /// The number of packets, if the encoder states it.
    var statedPacketCount: Int64? { get }
}

/// A recording that stands alone, in a container without guarantees.
extension PacketSource {
    var statesItsEnd: Bool { false }
    var hasReadItsEnd: Bool { false }
    var statesLengthRoughly: Bool { false }
    var lastPacketsFollow: Bool { false }
    var lacksItsStart: Bool { false }
    var readsThroughJoints: Bool { false }
    var tags: [String: String] { info.tags }
    var packetTable: [TableCutter.Entry]? { nil }
    var statedPacketCount: Int64? { nil }
    func isInMissingStart(_ frame: Int64) -> Bool { false }
    func takeMissingEnd() -> MissingAudio { MissingAudio() }
    func makeClock(longestGap: Int64) -> (any RecordingClock)? { nil }
}

extension PacketSource {
    /// Says how many frames there were, once all have been seen.
    func setFrameCount(_ count: Int64) {
        guard let count = StatedLimits.plausible(count) else { return }
        info.frameCount = count
        info.duration = Double(count) / info.sampleRate
        info.durationIsExact = true
        info.size = info.size ?? stream.length
    }

    /// The error of a seek backwards in a stream that cannot go back.
    var cannotGoBack: MediaError {
        MediaError(.notSeekable, "It comes once, from front to end, and cannot be gone back in.", name: stream.name)
    }
}
