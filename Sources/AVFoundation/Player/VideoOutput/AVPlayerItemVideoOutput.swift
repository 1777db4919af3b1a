internal import AVFAudio
public import CoreMedia
public import CoreVideo
public import Foundation

/// The delegate of an output that gives pictures on demand.
public protocol AVPlayerItemOutputPullDelegate: AnyObject {
    /// New pictures are there, or are about to be, after `requestNotificationOfMediaDataChange`.
    func outputMediaDataWillChange(_ sender: AVPlayerItemOutput)
    /// The pictures that were decoded have been dropped, as time has jumped.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPullDelegate {
    /// Does nothing.
    public func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) {}
    /// Does nothing.
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// An output of an item's moving pictures, by time.
///
/// Add it to an item and ask it for the picture of a time, the item's own for example, as often as a screen is drawn. Pictures are
/// decoded on a thread of the output, a few ahead of the time asked for last, from a second reader of the asset. Any thread may use it.
open class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {
    // Unchecked: what changes is behind a lock; the delegate is called on its own queue.
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

    /// An output of pictures of a pixel format, `420v` if it is left out, and of a size, that of the item if it is left out.
    ///
    /// With a format that is not given here there are no pictures, and the item's error log says why.
    /// - Parameter pixelBufferAttributes: Values under the keys `kCVPixelBuffer…Key`.
    public init(pixelBufferAttributes: [String: Any]? = nil) {
        settings = Result { () throws(PictureSettings.Refusal) in try PictureSettings(pixelBufferAttributes ?? [:]) }
        super.init()
    }

    /// An output of pictures; as `init(pixelBufferAttributes:)`.
    /// - Parameter outputSettings: Values under the keys `kCVPixelBuffer…Key`.
    public convenience init(outputSettings: [String: Any]?) { self.init(pixelBufferAttributes: outputSettings) }

    deinit { state.feed?.cancel() }

    // MARK: Pictures

    /// Returns whether there is a picture for a time of the item that has not been copied yet.
    open func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        guard itemTime.isNumeric, let feed = feed() else { return false }
        feed.want(itemTime.seconds)
        return feed.hasNew(at: itemTime.seconds)
    }

    /// Returns the picture for a time of the item, also if it has been copied before.
    ///
    /// If pictures are decoded more slowly than times go on, an earlier one is given until the right one is there.
    /// - Parameters:
    ///   - itemTime: The time. Before the first picture it is that one that is given, and behind the last the last.
    ///   - outItemTimeForDisplay: Receives the time at which the picture begins.
    /// - Returns: `nil` if the picture has not been decoded yet, which is then done.
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

    /// Returns the time of the item at a time of the host: the present one, carried on at the rate while it plays.
    /// - Parameter hostTimeInSeconds: A time of `CMClockGetHostTimeClock()`, in seconds.
    /// - Returns: `invalid` if the output belongs to no item.
    open func itemTime(forHostTime hostTimeInSeconds: TimeInterval) -> CMTime {
        guard let item = lock.withLock({ state.item }) else { return .invalid }
        let time = item.currentTime()
        guard hostTimeInSeconds.isFinite, let player = item.player, player.timeControlStatus == .playing else {
            return time
        }
        let lead = hostTimeInSeconds - CMClockGetTime(CMClockGetHostTimeClock()).seconds
        return CMTime(playerSeconds: max(time.seconds + lead * Double(player.rate), 0))
    }

    /// Returns the time of the item at a time of the host.
    /// - Parameter machAbsoluteTime: Nanoseconds of the host's clock.
    open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
        itemTime(forHostTime: TimeInterval(machAbsoluteTime) / 1e9)
    }

    // MARK: Notification

    /// Sets the delegate and the queue that it is called on; `nil` is the main queue.
    open func setDelegate(_ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?) {
        lock.withLock { (state.delegate, state.queue) = (delegate, delegateQueue) }
    }

    /// The delegate.
    open var delegate: (any AVPlayerItemOutputPullDelegate)? { lock.withLock { state.delegate } }

    /// The queue that the delegate is called on; `nil` is the main queue.
    open var delegateQueue: DispatchQueue? { lock.withLock { state.queue } }

    /// Asks for one call of `outputMediaDataWillChange`.
    ///
    /// It comes when there is a picture for the item's time that has not been copied, or when playing begins.
    /// - Parameter interval: Accepted for programs that give it: the call comes as soon as the picture is there.
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

    /// Tells the delegate of new pictures, if that has been asked for.
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

    /// Takes note of the item that the output has been added to, or that it has been removed.
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

    /// The item's time has jumped.
    override func jumped(to time: Double) {
        let (feed, isWanted) = lock.withLock { (state.feed, state.wantsNotice) }
        guard feed != nil || isWanted else { return }
        if feed != nil { tellDelegate { $0.outputSequenceWasFlushed($1) } }
        self.feed()?.jump(to: time)
    }

    /// The item's time goes on from now on.
    override func started() { notice() }

    /// The feed of the item, made at the first use; `nil` without an item, and if the settings cannot be met.
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
    /// Notes down that pictures cannot be decoded; the sound plays on.
    fileprivate func picturesFailed(_ error: AVError) {
        log.failed(code: error.reason.rawValue, error.message)
        DispatchQueue.main.deliver {
            NotificationCenter.default.post(name: AVPlayerItem.newErrorLogEntryNotification, object: self)
        }
    }

    /// Tells the outputs that the time has jumped, in seconds.
    func timeJumped(to seconds: Double) { for output in outputs { output.jumped(to: seconds) } }

    /// Tells the outputs that the time goes on.
    func playingBegan() { for output in outputs { output.started() } }
}
