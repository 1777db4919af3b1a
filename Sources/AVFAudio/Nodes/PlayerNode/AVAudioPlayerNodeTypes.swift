/// A function that is called once, on a queue of the engine, when a node has consumed or dropped a scheduled item.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void
/// A function that is called once, on a queue of the engine, with the requested kind of completion.
public typealias AVAudioPlayerNodeCompletionHandler = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// The event at which a completion handler is called.
///
/// An item that is dropped by `stop()`, by an interruption or by deallocation of the player completes immediately,
/// whatever the type.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The data was consumed: the handler is called after the render that has read the last frame.
    case dataConsumed = 0
    /// The data was rendered: the handler is called after the render of the last frame.
    case dataRendered = 1
    /// The data was played: the handler is called when the last frame has left the device, as far as the device
    /// reports it.
    ///
    /// In manual rendering mode, equal to `dataRendered`.
    case dataPlayedBack = 2
}

/// Options for a scheduled buffer and its relation to the other scheduled items.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Repeats the buffer until another buffer interrupts it or the player stops.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
    /// Replaces all previously scheduled items, immediately or at the time of the buffer.
    ///
    /// The interrupted sound fades out within 5 ms; immediately in manual rendering.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
    /// Replaces all previously scheduled items at the end of the playing item or of its current loop pass.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}
