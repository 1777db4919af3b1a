/// Called once when a node is done with what was scheduled, or has dropped it.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void
/// Called once, with the kind of completion that was asked for.
public typealias AVAudioPlayerNodeCompletionHandler = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// When a completion is called.
///
/// What is dropped, by `stop()`, by an interruption or because the player goes away, completes at once, whatever the type.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has taken the last of the data: after the render that took it.
    case dataConsumed = 0
    /// The data has been rendered: after the render in which the last of it was.
    case dataRendered = 1
    /// The data has been heard: when its last frame has left the device, as far as that tells.
    ///
    /// With manual rendering, where nothing is heard, as `dataRendered`.
    case dataPlayedBack = 2
}

/// The relation of a buffer to those scheduled before and after it.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Plays again and again, until it is interrupted or the player stops.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
    /// Takes the place of whatever was scheduled before it, at once or at its time.
    ///
    /// What it cuts off fades away under it within 5 ms, in manual rendering at once.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
    /// Takes the place of whatever was scheduled before it when what plays has come to its end, or comes round.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}
