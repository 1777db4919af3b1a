public import CoreAudioTypes
public import Foundation
public import SyrinxByteStream

/// The sample rate and channel count of a device; samples are always 32-bit floats, with one buffer per channel.
public struct DeviceFormat: Hashable, Sendable {
    /// The sample rate, in hertz.
    public var sampleRate: Double
    /// The number of channels, which are in WAVE order.
    public var channelCount: Int

    /// Creates a format from a sample rate in hertz and a channel count.
    public init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}

/// The callback of an output device, which consists of two C functions and a context pointer.
///
/// They are C functions because calling a closure or an existential may retain objects, which the device's thread must
/// not do.
public struct RenderCallback: @unchecked Sendable {
    // Unchecked: the pointer is only passed on. The creator of the callback keeps its target alive until
    // `OutputDevice.stop()` has returned.

    /// Fills `channels`, with one pointer per channel, with `frameCount` frames.
    ///
    /// Returns the number of frames before the end of the audio; the remaining frames must be silence. Must be
    /// real-time safe. `time`, if not `nil`, is the time at which the first frame will be heard.
    public typealias Render =
        @convention(c) (
            _ context: UnsafeMutableRawPointer,
            _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
            _ frameCount: UInt32,
            _ time: UnsafePointer<AudioTimeStamp>?
        ) -> UInt32

    /// Called after each `Render` on the same thread, to wake other threads; need not be real-time safe.
    public typealias DidRender = @convention(c) (_ context: UnsafeMutableRawPointer) -> Void

    /// The pointer that is passed to both functions.
    public let context: UnsafeMutableRawPointer
    /// The function that renders frames.
    public let render: Render
    /// The function that is called after rendering.
    public let didRender: DidRender

    /// Creates a callback from two functions and their context.
    public init(context: UnsafeMutableRawPointer, render: @escaping Render, didRender: @escaping DidRender) {
        self.context = context
        self.render = render
        self.didRender = didRender
    }
}

/// A destination of samples: a sound server, a sound card, a file, or a clock without sound.
///
/// Call `open`, `start`, any number of `pause` and `resume`, and `stop`, which can be repeated. Call them from one
/// control thread at a time, never from the device's thread. The device calls back on its own thread.
public protocol OutputDevice: AnyObject, Sendable {
    /// The name of the device in listings, for example `pulse:alsa_output.analog-stereo`.
    var name: String { get }

    /// The name of the speakers or headphones for display, such as `Built-in Audio`; `nil` if it is unknown.
    ///
    /// May be read on any thread.
    var outputName: String? { get }

    /// Whether the device keeps real time.
    ///
    /// A device that is not paced asks for samples as fast as they are rendered, and uses only frames before the end of
    /// the audio. Its render callback may block.
    var isPaced: Bool { get }

    /// Whether the host times of the device are those of the monotonic clock, at which frames are heard.
    var keepsMonotonicTime: Bool { get }

    /// Whether a sound starts sooner if the device is already playing silence, most of which it can then take back.
    var takesBackSilence: Bool { get }

    /// The time between rendering a frame and hearing it, in seconds, as last measured; 0 if nothing is heard.
    ///
    /// May be read on any thread.
    var latency: Double { get }

    /// The number of underruns since `start`.
    ///
    /// May be read on any thread.
    var underrunCount: Int { get }

    /// Called once, on a thread of the device, if the device is lost while it runs.
    ///
    /// Set it before `start`.
    var onLoss: (@Sendable (DeviceError) -> Void)? { get set }

    /// Called, on a thread of the device, each time the sound server moves the running sound to another output.
    ///
    /// Set it before `start`.
    var onChange: (@Sendable () -> Void)? { get set }

    /// Opens the device, and negotiates the format.
    /// - Parameter preferred: The preferred format; `nil` means the device's own. The device may use another one.
    /// - Returns: The format that `start` will use.
    /// - Throws: `DeviceError` if the device or the sound server does not exist.
    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat

    /// Starts to call `callback`.
    /// - Parameter callback: The callback, whose context must stay valid until `stop()` has returned.
    func start(_ callback: RenderCallback) throws(DeviceError)

    /// Pauses playback and keeps queued frames.
    ///
    /// The callback is not called until `resume`.
    func pause()

    /// Resumes playback after `pause`.
    func resume()

    /// Drops the last queued frames and renders new ones in their place, so that a change, such as a seek, is heard at
    /// once.
    ///
    /// The dropped frames fade out over the first 5 ms of the new ones. A paused device also renders, before this
    /// method returns, and plays the new frames after `resume`.
    /// - Parameters:
    ///   - frameCount: The maximum number of frames to drop; `Int.max` for all.
    ///   - change: Called after frames have been dropped and before new ones are rendered, while no callback runs.
    /// - Returns: Whether frames were dropped; if not, `change` has not been called and nothing has changed.
    func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool

    /// Stops the device, and discards queued frames; a file is closed, complete and readable.
    ///
    /// After this method returns, the callback is not called.
    func stop()
}

extension OutputDevice {
    /// Does nothing, for a device that never moves the sound to another output.
    public var onChange: (@Sendable () -> Void)? {
        get { nil }
        set { _ = newValue }
    }

    /// Returns `nil`, for a device without a name for display.
    public var outputName: String? { nil }

    /// Returns `isPaced`, because a paced device usually uses the monotonic clock.
    public var keepsMonotonicTime: Bool { isPaced }

    /// Returns `false`, for a device to which a later start makes no difference.
    public var takesBackSilence: Bool { false }

    /// Returns `false`, for a device that cannot drop frames, or has too few of them.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool { false }
}

/// An error of an audio device.
public struct DeviceError: LocalizedError, Sendable, CustomStringConvertible {
    /// The type of the error's code.
    public typealias Code = ErrorCode

    /// The code of the error.
    public let code: Code
    /// A message for the user.
    public let message: String
    /// The name of the device.
    public let device: String

    /// Creates an error of `device`.
    public init(_ code: Code, _ message: String, device: String) {
        self.code = code
        self.message = message.asSentence
        self.device = device
    }

    /// The name of the device and the message.
    public var description: String { "\(device): \(message)" }

    /// The same text as `description`, used for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Error codes of audio devices.
extension ErrorCode {
    /// There is no sound server and no sound card.
    public static let deviceUnavailable = ErrorCode(rawValue: "device.unavailable")
    /// There is no sink or PCM of this name.
    public static let deviceNotFound = ErrorCode(rawValue: "device.notFound")
    /// The device was removed, or its sound server has ended.
    public static let deviceLost = ErrorCode(rawValue: "device.lost")
    /// The device does not support the format or the request.
    public static let unsupportedFormat = ErrorCode(rawValue: "device.unsupportedFormat")
    /// The file could not be written.
    public static let deviceWriteFailed = ErrorCode(rawValue: "device.writeFailed")
}
