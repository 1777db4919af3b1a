public import CoreAudioTypes

/// The callback of an input device: a plain C function and the pointer that it gets.
///
/// A plain function, because a call of a closure or an existential may retain, and the device's thread must not.
public struct CaptureCallback: @unchecked Sendable {
    // Unchecked: the pointer is only passed on. The creator of the callback keeps its target alive until
    // `InputDevice.stop()` has returned.

    /// Takes `frameCount` frames of `channels` (one pointer a channel), which are valid during the call.
    ///
    /// Real-time safe. `time`, if given, says when the first of the frames sounded.
    public typealias Capture =
        @convention(c) (
            _ context: UnsafeMutableRawPointer,
            _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
            _ frameCount: UInt32,
            _ time: UnsafePointer<AudioTimeStamp>?
        ) -> Void

    /// Given to the function.
    public let context: UnsafeMutableRawPointer
    /// Takes frames.
    public let capture: Capture

    /// A callback of this function.
    public init(context: UnsafeMutableRawPointer, capture: @escaping Capture) {
        self.context = context
        self.capture = capture
    }
}

/// A source of samples: a sound server, or a test.
///
/// The life of a device: `open`, `start`, `stop`; and again. All of these are called from one control thread at a time, and
/// none from the device's own thread. The device calls back on a thread of its own, in blocks of at most 4096 frames.
public protocol InputDevice: AnyObject, Sendable {
    /// The name in a listing, for example `pulse:alsa_input.analog-stereo`.
    var name: String { get }

    /// Seconds between a sound and the callback with it, as last measured. Any thread.
    var latency: Double { get }

    /// Called once, from a thread of the device's, if it is lost while it runs. Set before `start`.
    var onLoss: (@Sendable (DeviceError) -> Void)? { get set }

    /// Finds the device and settles its format.
    /// - Parameter preferred: What the caller would like; `nil` is the device's own. The device may differ from it.
    /// - Returns: The format that `start` will use.
    /// - Throws: `DeviceError` if there is no such device or service.
    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat

    /// Begins to call `callback`.
    /// - Parameter callback: What it points to has to live until `stop()` has returned.
    func start(_ callback: CaptureCallback) throws(DeviceError)

    /// Ends at once. When it returns, the callback is not running and is not called again.
    func stop()
}
