public import CoreAudioTypes

/// The callback of an input device, which consists of a C function and a context pointer.
///
/// It is a C function because calling a closure or an existential may retain objects, which the device's thread must
/// not do.
public struct CaptureCallback: @unchecked Sendable {
    // Unchecked: the pointer is only passed on. The creator of the callback keeps its target alive until
    // `InputDevice.stop()` has returned.

    /// Processes `frameCount` frames of `channels`, with one pointer per channel, which are valid only during the call.
    ///
    /// Must be real-time safe. `time`, if not `nil`, is the time at which the first frame was recorded.
    public typealias Capture =
        @convention(c) (
            _ context: UnsafeMutableRawPointer,
            _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
            _ frameCount: UInt32,
            _ time: UnsafePointer<AudioTimeStamp>?
        ) -> Void

    /// The pointer that is passed to the function.
    public let context: UnsafeMutableRawPointer
    /// The function that processes frames.
    public let capture: Capture

    /// Creates a callback from a function and its context.
    public init(context: UnsafeMutableRawPointer, capture: @escaping Capture) {
        self.context = context
        self.capture = capture
    }
}

/// A source of samples, such as a sound server.
///
/// Call `open`, `start` and `stop`, in this order, which can be repeated. Call them from one control thread at a time,
/// never from the device's thread. The device calls back on its own thread, in blocks of at most 4096 frames.
public protocol InputDevice: AnyObject, Sendable {
    /// The name of the device in listings, for example `pulse:alsa_input.analog-stereo`.
    var name: String { get }

    /// The time between a sound and the callback with it, in seconds, as last measured.
    ///
    /// May be read on any thread.
    var latency: Double { get }

    /// Called once, on a thread of the device, if the device is lost while it runs.
    ///
    /// Set it before `start`.
    var onLoss: (@Sendable (DeviceError) -> Void)? { get set }

    /// Opens the device, and negotiates the format.
    /// - Parameter preferred: The preferred format; `nil` means the device's own. The device may use another one.
    /// - Returns: The format that `start` will use.
    /// - Throws: `DeviceError` if the device or the sound server does not exist.
    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat

    /// Starts to call `callback`.
    /// - Parameter callback: The callback, whose context must stay valid until `stop()` has returned.
    func start(_ callback: CaptureCallback) throws(DeviceError)

    /// Stops the device.
    ///
    /// After this method returns, the callback is not called.
    func stop()
}
