public import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// The log of the transfers of an item.
open class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The transfers: always one.
    public let events: [AVPlayerItemAccessLogEvent]

    init(_ events: [AVPlayerItemAccessLogEvent]) { self.events = events }
}

/// A transfer of an item.
open class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The URL without its password.
    public let uri: String?
    /// The number of bytes received.
    public let numberOfBytesTransferred: Int64
    /// The number of times that playback stalled because data had not arrived.
    public let numberOfStalls: Int
    /// The start date of the transfer.
    public let playbackStartDate: Date?

    init(uri: String?, byteCount: Int64, stallCount: Int, start: Date?) {
        self.uri = uri
        numberOfBytesTransferred = byteCount
        numberOfStalls = stallCount
        playbackStartDate = start
    }
}

/// The log of the failures of an item.
open class AVPlayerItemErrorLog: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The failures, oldest first; at most 100.
    public let events: [AVPlayerItemErrorLogEvent]

    init(_ events: [AVPlayerItemErrorLogEvent]) { self.events = events }
}

/// A failure of an item.
open class AVPlayerItemErrorLogEvent: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The date of the failure.
    public let date: Date?
    /// The URL without its password.
    public let uri: String?
    /// The stable code of the failure, such as `network.refused`.
    public let errorDomain: String
    /// A sentence that describes the failure.
    public let errorComment: String?

    init(_ code: String, _ comment: String, uri: String?) {
        date = Date()
        self.uri = uri
        errorDomain = code
        errorComment = comment
    }
}

/// Records the transfers and failures of an item.
final class PlayerItemLog: Sendable {
    private struct State {
        var uri: String?
        var start: Date?
        var byteCount: Int64 = 0
        var stallCount = 0
        var errors: [AVPlayerItemErrorLogEvent] = []
    }

    /// The maximum number of recorded failures: a network outage of an hour causes hundreds.
    private static let limit = 100
    private let state = Mutex(State())

    var accessLog: AVPlayerItemAccessLog? {
        state.withLock { state in
            guard let start = state.start else { return nil }
            let event = AVPlayerItemAccessLogEvent(
                uri: state.uri,
                byteCount: state.byteCount,
                stallCount: state.stallCount,
                start: start
            )
            return AVPlayerItemAccessLog([event])
        }
    }

    var errorLog: AVPlayerItemErrorLog? {
        state.withLock { $0.errors.isEmpty ? nil : AVPlayerItemErrorLog($0.errors) }
    }

    /// Records the start of a transfer.
    /// - Returns: Whether it is the first one.
    func opened(_ uri: String?) -> Bool {
        state.withLock { state in
            guard state.start == nil else { return false }
            (state.uri, state.start) = (uri, Date())
            return true
        }
    }

    func received(_ byteCount: Int64) { state.withLock { $0.byteCount = max($0.byteCount, byteCount) } }

    func stalled() { state.withLock { $0.stallCount += 1 } }

    func failed(code: String, _ comment: String) {
        state.withLock { state in
            if state.errors.count == Self.limit { state.errors.removeFirst() }
            state.errors.append(AVPlayerItemErrorLogEvent(code, comment, uri: state.uri))
        }
    }
}
