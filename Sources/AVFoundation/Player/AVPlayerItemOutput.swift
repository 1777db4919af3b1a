internal import AVFAudio
public import CoreMedia
public import Foundation

/// An output of what a player item holds beside its sound.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {
    // Unchecked: subclasses guard what changes.
    override init() {}

    /// Takes note of the item that the output has been added to; `nil` when it has been removed.
    func attach(_ item: AVPlayerItem?) {}

    /// The time of the item has jumped, to a time in seconds.
    func jumped(to time: Double) {}

    /// The time of the item goes on from now on.
    func started() {}
}

/// An object that gets the timed metadata of an item.
public protocol AVPlayerItemMetadataOutputPushDelegate: AnyObject {
    /// Titles hold from now on.
    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput,
        didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    )
}

/// An output of titles: those of a broadcast, and of files that follow each other in one stream.
open class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {
    // Unchecked: what changes is behind a lock; the delegate is called on its own queue.
    private struct State {
        weak var delegate: (any AVPlayerItemMetadataOutputPushDelegate)?
        var queue: DispatchQueue?
    }

    private let lock = NSLock()
    private var state = State()

    /// An output without a delegate.
    /// - Parameter identifiers: Accepted for programs that give it: all titles are given.
    public init(identifiers: [String]? = nil) {
        super.init()
    }

    /// Sets the delegate and the queue that it is called on; `nil` is the main queue.
    open func setDelegate(_ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue: DispatchQueue?) {
        lock.withLock { state = State(delegate: delegate, queue: queue) }
    }

    /// The delegate.
    open var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? { lock.withLock { state.delegate } }

    /// The queue that the delegate is called on.
    open var delegateQueue: DispatchQueue? { lock.withLock { state.queue } }

    /// Gives the delegate titles that hold from `time` on.
    func push(_ items: [AVMetadataItem], at time: CMTime) {
        let queue = delegateQueue ?? .main
        queue.deliver {
            let range = CMTimeRange(start: time, duration: .indefinite)
            let group = AVTimedMetadataGroup(items: items, timeRange: range)
            self.delegate?.metadataOutput(self, didOutputTimedMetadataGroups: [group], from: nil)
        }
    }
}
