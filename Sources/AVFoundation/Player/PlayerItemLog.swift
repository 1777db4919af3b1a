public import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// The transfers of an item.
open class AVPlayerItemAccessLog: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The transfers: one here.
    public let events: [AVPlayerItemAccessLogEvent]

    init(_ events: [AVPlayerItemAccessLogEvent]) { self.events = events }
}

/// A transfer of an item.
open class AVPlayerItemAccessLogEvent: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The address, without a password.
    public let uri: String?
    /// The bytes that have been received.
    public let numberOfBytesTransferred: Int64
    /// The number of times that sound has stopped because data had not arrived.
    public let numberOfStalls: Int
    /// The start of the transfer.
    public let playbackStartDate: Date?

    init(uri: String?, byteCount: Int64, stallCount: Int, start: Date?) {
        self.uri = uri
        numberOfBytesTransferred = byteCount
        numberOfStalls = stallCount
        playbackStartDate = start
    }
}

/// The failures of an item.
open class AVPlayerItemErrorLog: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The failures, the oldest first; at most a hundred.
    public let events: [AVPlayerItemErrorLogEvent]

    init(_ events: [AVPlayerItemErrorLogEvent]) { self.events = events }
}

/// A failure of an item.
open class AVPlayerItemErrorLogEvent: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The time of the failure.
    public let date: Date?
    /// The address, without a password.
    public let uri: String?
    /// The stable code of the failure, such as `network.refused`.
    public let errorDomain: String
    /// One sentence about the failure.
    public let errorComment: String?

    init(_ code: String, _ comment: String, uri: String?) {
        date = Date()
        self.uri = uri
        errorDomain = code
        errorComment = comment
    }
}

/// Collects the transfers and failures of an item.
final class PlayerItemLog: Sendable {
    private struct State {
        var uri: String?
        var start: Date?
        var byteCount: Int64 = 0
        var stallCount = 0
        var errors: [AVPlayerItemErrorLogEvent] = []
    }

    /// Failures that are kept: a network that is away for an hour makes hundreds.
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

    /// Reports that a transfer has begun.
    /// - Returns: Whether it is the first.
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
