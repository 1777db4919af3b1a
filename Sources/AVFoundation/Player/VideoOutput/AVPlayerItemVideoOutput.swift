internal import AVFAudio
public import CoreMedia
public import CoreVideo
public import Foundation

/// The delegate of a video output.
public protocol AVPlayerItemOutputPullDelegate: AnyObject {
    /// New pictures are available or imminent, after `requestNotificationOfMediaDataChange(withAdvanceInterval:)`.
    func outputMediaDataWillChange(_ sender: AVPlayerItemOutput)
    /// The decoded pictures were discarded, because the position of the item jumped.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPullDelegate {
    /// Does nothing, by default.
    public func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) {}
    /// Does nothing, by default.
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// An output that provides the pictures of a video item by time.
///
/// Add the output to an item. Then ask for the picture at the item's current time whenever the screen is drawn. The
/// output decodes a few pictures ahead on its own thread, with a second reader of the asset. Any thread may use it.
///
/// ```swift
/// let output = AVPlayerItemVideoOutput(
///     pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey: Int(kCVPixelFormatType_32BGRA)]
/// )
/// item.add(output)
/// let time = item.currentTime() // for each frame of the screen
/// if output.hasNewPixelBuffer(forItemTime: time),
///     let picture = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil)
/// {
///     print(CVPixelBufferGetWidth(picture), "pixels wide")
/// }
/// ```
open class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state; the delegate is called on its own queue.
    private struct State {
        weak var delegate: (any AVPlayerItemOutputPullDelegate)?
        var queue: DispatchQueue?
        weak var item: AVPlayerItem?
        var feed: PictureFeed?
        var wantsNotice = false
    }

    private let lock = NSLock()
    private var state = State()
    private let settings: Result<PictureSettings, PictureSettings.Refusal>

    /// Creates an output with a pixel format and size; the defaults are `420v` and the size of the video.
    ///
    /// If the pixel format is not supported, the output provides no pictures, and the item's error log has the reason.
    /// - Parameter pixelBufferAttributes: Values under the keys `kCVPixelBuffer…Key`.
    public init(pixelBufferAttributes: [String: Any]? = nil) {
        settings = Result { () throws(PictureSettings.Refusal) in try PictureSettings(pixelBufferAttributes ?? [:]) }
        super.init()
    }

    /// Creates an output; equivalent to `init(pixelBufferAttributes:)`.
    /// - Parameter outputSettings: Values under the keys `kCVPixelBuffer…Key`.
    public convenience init(outputSettings: [String: Any]?) { self.init(pixelBufferAttributes: outputSettings) }

    deinit { state.feed?.cancel() }

    // MARK: Pictures

    /// Returns whether a picture that has not been copied yet is available for a time of the item.
    open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        guard itemTime.isNumeric, let feed = feed() else { return false }
        feed.want(itemTime.seconds)
        return feed.hasNew(at: itemTime.seconds)
    }

    /// Returns the picture for a time of the item, also if it was copied before.
    ///
    /// If decoding is slower than playback, the method returns an earlier picture until the right one is decoded.
    /// - Parameters:
    ///   - itemTime: The time in the item. A time outside of the video selects the first or the last picture.
    ///   - outItemTimeForDisplay: Receives the start time of the picture.
    /// - Returns: `nil` if the picture has not been decoded yet; the call then starts decoding it.
    open func copyPixelBuffer(
        forItemTime itemTime: CMTime,
        itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?
    ) -> CVPixelBuffer? {
        guard itemTime.isNumeric, let feed = feed() else { return nil }
        feed.want(itemTime.seconds)
        guard let (picture, start) = feed.take(at: itemTime.seconds) else { return nil }
        outItemTimeForDisplay?.pointee = CMTime(playerSeconds: start)
        return picture
    }

    /// Returns the time of the item at a host time, extrapolated with the rate during playback.
    /// - Parameter hostTimeInSeconds: A time of `CMClockGetHostTimeClock()`, in seconds.
    /// - Returns: `invalid` if the output does not belong to an item.
    open func itemTime(forHostTime hostTimeInSeconds: TimeInterval) -> CMTime {
        guard let item = lock.withLock({ state.item }) else { return .invalid }
        let time = item.currentTime()
        guard hostTimeInSeconds.isFinite, let player = item.player, player.timeControlStatus == .playing else {
            return time
        }
        let lead = hostTimeInSeconds - CMClockGetTime(CMClockGetHostTimeClock()).seconds
        return CMTime(playerSeconds: max(time.seconds + lead * Double(player.rate), 0))
    }

    /// Returns the time of the item at a host time.
    /// - Parameter machAbsoluteTime: The host time in nanoseconds.
    open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
        itemTime(forHostTime: TimeInterval(machAbsoluteTime) / 1e9)
    }

    // MARK: Notification

    /// Sets the delegate, and the queue on which it is called; `nil` is the main queue.
    open func setDelegate(_ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?) {
        lock.withLock { (state.delegate, state.queue) = (delegate, delegateQueue) }
    }

    /// The delegate.
    open var delegate: (any AVPlayerItemOutputPullDelegate)? { lock.withLock { state.delegate } }

    /// The queue on which the delegate is called; `nil` is the main queue.
    open var delegateQueue: DispatchQueue? { lock.withLock { state.queue } }

    /// Requests one call of `outputMediaDataWillChange(_:)`.
    ///
    /// The call follows when a picture for the current time that was not copied is available, or when playback starts.
    /// - Parameter interval: Ignored: the call follows as soon as the picture is available.
    open func requestNotificationOfMediaDataChange(withAdvanceInterval interval: TimeInterval) {
        lock.withLock { state.wantsNotice = true }
        guard let item = lock.withLock({ state.item }), let feed = feed() else { return }
        feed.want(item.currentTime().seconds)
        noticeIfNew()
    }

    private func noticeIfNew() {
        guard let (item, feed) = lock.withLock({ state.item.flatMap { item in state.feed.map { (item, $0) } } }) else {
            return
        }
        if feed.hasNew(at: item.currentTime().seconds) { notice() }
    }

    /// Notifies the delegate of new pictures, if a notification was requested.
    private func notice() {
        let isDue = lock.withLock {
            defer { state.wantsNotice = false }
            return state.wantsNotice
        }
        if isDue { tellDelegate { $0.outputMediaDataWillChange($1) } }
    }

    private func tellDelegate(
        _ tell: @escaping @Sendable (any AVPlayerItemOutputPullDelegate, AVPlayerItemOutput) -> Void
    ) {
        (delegateQueue ?? .main).deliver {
            if let delegate = self.delegate { tell(delegate, self) }
        }
    }

    // MARK: The item

    /// Stores the item to which the output was added; `nil` after removal.
    override func attach(_ item: AVPlayerItem?) {
        let feed = lock.withLock {
            defer { (state.item, state.feed) = (item, nil) }
            return state.feed
        }
        feed?.cancel()
        if let item, case .failure(let refusal) = settings {
            let error = AVError(.operationNotAllowed, .badSettings, refusal.sentence, url: item.asset.resource)
            item.picturesFailed(error)
        }
    }

    /// Handles a jump of the item's position.
    override func jumped(to time: Double) {
        let (feed, isWanted) = lock.withLock { (state.feed, state.wantsNotice) }
        guard feed != nil || isWanted else { return }
        if feed != nil { tellDelegate { $0.outputSequenceWasFlushed($1) } }
        self.feed()?.jump(to: time)
    }

    /// Handles the start of playback.
    override func started() { notice() }

    /// Returns the feed of the item, created at first use; `nil` without an item, or with unsupported settings.
    private func feed() -> PictureFeed? {
        lock.withLock {
            if let feed = state.feed { return feed }
            guard let item = state.item, case .success(let settings) = settings else { return nil }
            let events = PictureFeed.Events(
                decoded: { [weak self] in self?.noticeIfNew() },
                failed: { [weak item] in item?.picturesFailed($0) }
            )
            let feed = PictureFeed(item.asset, settings, events: events) { [weak item] in item?.player }
            state.feed = feed
            return feed
        }
    }
}

extension AVPlayerItem {
    /// Logs that the video cannot be decoded; the audio continues.
    fileprivate func picturesFailed(_ error: AVError) {
        log.failed(code: error.reason.rawValue, error.message)
        DispatchQueue.main.deliver {
            NotificationCenter.default.post(name: AVPlayerItem.newErrorLogEntryNotification, object: self)
        }
    }

    /// Notifies the outputs of a jump to a time in seconds.
    func timeJumped(to seconds: Double) { for output in outputs { output.jumped(to: seconds) } }

    /// Notifies the outputs that playback started.
    func playingBegan() { for output in outputs { output.started() } }
}
