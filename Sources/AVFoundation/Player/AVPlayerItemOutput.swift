internal import AVFAudio
public import CoreMedia
public import Foundation

/// An output of a player item, for its metadata or video.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {
    // Unchecked: subclasses guard their mutable state.
    override init() {}

    /// Called when the output was added to an item, or with `nil` when it was removed.
    func attach(_ item: AVPlayerItem?) {}

    /// Called when the position of the item jumped to a time in seconds.
    func jumped(to time: Double) {}

    /// Called when playback of the item starts or resumes.
    func started() {}
}

/// A delegate that receives the timed metadata of an item.
public protocol AVPlayerItemMetadataOutputPushDelegate: AnyObject {
    /// New titles apply from the start of the time ranges in `groups`.
    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput,
        didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    )
}

/// An output of titles: those of a broadcast, and those of files in one stream.
///
/// ```swift
/// final class Titles: AVPlayerItemMetadataOutputPushDelegate {
///     func metadataOutput(
///         _ output: AVPlayerItemMetadataOutput,
///         didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
///         from track: AVPlayerItemTrack?
///     ) {
///         for item in groups.flatMap(\.items) { print(item.stringValue ?? "untitled") }
///     }
/// }
/// let titles = Titles() // the output does not retain it
/// let output = AVPlayerItemMetadataOutput()
/// output.setDelegate(titles, queue: .main)
/// item.add(output)
/// ```
open class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state; the delegate is called on its own queue.
    private struct State {
        weak var delegate: (any AVPlayerItemMetadataOutputPushDelegate)?
        var queue: DispatchQueue?
    }

    private let lock = NSLock()
    private var state = State()

    /// Creates an output without a delegate.
    /// - Parameter identifiers: Ignored: the output delivers all titles.
    public init(identifiers: [String]? = nil) {
        super.init()
    }

    /// Sets the delegate, and the queue on which it is called; `nil` is the main queue.
    open func setDelegate(_ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue: DispatchQueue?) {
        lock.withLock { state = State(delegate: delegate, queue: queue) }
    }

    /// The delegate.
    open var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? { lock.withLock { state.delegate } }

    /// The queue on which the delegate is called.
    open var delegateQueue: DispatchQueue? { lock.withLock { state.queue } }

    /// Delivers titles that apply from `time` on to the delegate.
    func push(_ items: [AVMetadataItem], at time: CMTime) {
        let queue = delegateQueue ?? .main
        queue.deliver {
            let range = CMTimeRange(start: time, duration: .indefinite)
            let group = AVTimedMetadataGroup(items: items, timeRange: range)
            self.delegate?.metadataOutput(self, didOutputTimedMetadataGroups: [group], from: nil)
        }
    }
}
