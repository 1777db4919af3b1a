public import CoreAudioTypes
public import Foundation
public import SyrinxByteStream

/// The rate and the number of channels in which a device takes samples: always float 32, one buffer a channel.
public struct DeviceFormat: Hashable, Sendable {
    /// Frames per second.
    public var sampleRate: Double
    /// The number of channels, in the order of WAVE.
    public var channelCount: Int

    /// A format of `sampleRate` frames per second and `channelCount` channels.
    public init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}

/// The callback of an output device: two plain C functions and the pointer that they get.
///
/// Plain functions, because a call of a closure or an existential may retain, and the device's thread must not.
public struct RenderCallback: @unchecked Sendable {
    // Unchecked: the pointer is only passed on. The creator of the callback keeps its target alive until
    // `OutputDevice.stop()` has returned.

    /// Fills `channels` (one pointer a channel) with `frameCount` frames, all of them.
    ///
    /// Returns how many of them come from before the end of the sound: the rest is silence after it. Real-time safe.
    ///
    /// `time`, if given, says when the first of the frames is heard.
    public typealias Render =
        @convention(c) (
            _ context: UnsafeMutableRawPointer,
            _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
            _ frameCount: UInt32,
            _ time: UnsafePointer<AudioTimeStamp>?
        ) -> UInt32

    /// Called on the same thread after each `Render`, outside of what must be real-time safe, to wake who waits.
    public typealias DidRender = @convention(c) (_ context: UnsafeMutableRawPointer) -> Void

    /// Given to both functions.
    public let context: UnsafeMutableRawPointer
    /// Fills buffers.
    public let render: Render
    /// Wakes the thread that waits for rendered frames.
    public let didRender: DidRender

    /// A callback of these two functions.
    public init(context: UnsafeMutableRawPointer, render: @escaping Render, didRender: @escaping DidRender) {
        self.context = context
        self.render = render
        self.didRender = didRender
    }
}

/// A destination of samples: a sound server, a sound card, a file, or a clock without sound.
///
/// The life of a device: `open`, `start`, any number of `pause` and `resume`, `stop`; and again. All of these are called
/// from one control thread at a time, and none from the device's own thread. The device calls back on a thread of its own.
public protocol OutputDevice: AnyObject, Sendable {
    /// The name in a listing, for example `pulse:alsa_output.analog-stereo`.
    var name: String { get }

    /// The name of the loudspeakers or headphones, as people read it, such as `Built-in Audio`; `nil` if it is not known. Any thread.
    var outputName: String? { get }

    /// Whether the device keeps real time. One that does not asks for samples as fast as they come, writes only frames
    /// from before the end of the sound, and its render callback may block.
    var isPaced: Bool { get }

    /// Whether the host times that the device gives are those of the monotonic clock, at which frames are heard.
    var keepsMonotonicTime: Bool { get }

    /// Whether a sound is heard sooner if the device has begun to play silence before: it takes most of that back then.
    var takesBackSilence: Bool { get }

    /// Seconds between the render of a frame and its being heard, as last measured: 0 where nothing is heard.
    /// Any thread.
    var latency: Double { get }

    /// The number of times that the device has run dry since `start`.
    ///
    /// Any thread.
    var underrunCount: Int { get }

    /// Called once, from a thread of the device's, if it is lost while it runs. Set before `start`.
    var onLoss: (@Sendable (DeviceError) -> Void)? { get set }

    /// Called, from a thread of the device's, each time that the sound has gone on somewhere else while it runs: the sound
    /// server has moved it to another output. Set before `start`.
    var onChange: (@Sendable () -> Void)? { get set }

    /// Finds the device and settles its format.
    /// - Parameter preferred: What the caller would like; `nil` is the device's own. The device may differ from it.
    /// - Returns: The format that `start` will use.
    /// - Throws: `DeviceError` if there is no such device or service.
    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat

    /// Begins to call `callback`.
    /// - Parameter callback: What it points to has to live until `stop()` has returned.
    func start(_ callback: RenderCallback) throws(DeviceError)

    /// Holds the sound where it is: unheard frames of the device are kept. No callback until `resume`.
    func pause()

    /// Goes on after `pause`.
    func resume()

    /// Drops the last unheard frames of the device, and asks for samples in their place, so that these are heard
    /// at once: after a seek, or where what the device has is silence.
    ///
    /// What is dropped fades over the first 5 ms of what takes its place. A paused device asks for samples too, before this
    /// returns, and plays them after `resume`.
    /// - Parameters:
    ///   - frameCount: The most frames that may be dropped; `Int.max` for all.
    ///   - change: Called while no callback runs, between what is dropped and what is asked for.
    /// - Returns: Whether frames were dropped; if not, `change` has not been called, and nothing is different.
    func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool

    /// Ends at once. When it returns, the callback is not running and is not called again. What was not yet heard is
    /// dropped; a file is closed, complete and readable.
    func stop()
}

extension OutputDevice {
    /// Nothing: of a device that does not move.
    public var onChange: (@Sendable () -> Void)? {
        get { nil }
        set { _ = newValue }
    }

    /// `nil`: of a device that has no name for people.
    public var outputName: String? { nil }

    /// `isPaced`: a device that keeps real time tells it by the monotonic clock.
    public var keepsMonotonicTime: Bool { isPaced }

    /// `false`: of a device to which nothing is lost by a later start.
    public var takesBackSilence: Bool { false }

    /// Returns `false`: of a device that cannot, or that holds too little to be worth it.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool { false }
}

/// An error of a device.
public struct DeviceError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public typealias Code = ErrorCode

    /// The kind of the failure.
    public let code: Code
    /// One sentence that a person can act on.
    public let message: String
    /// The name of the device.
    public let device: String

    /// A failure of `device`.
    public init(_ code: Code, _ message: String, device: String) {
        self.code = code
        self.message = message.asSentence
        self.device = device
    }

    /// The device and the sentence.
    public var description: String { "\(device): \(message)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}

// Codes of devices.
extension ErrorCode {
    /// No sound server or sound card answers.
    public static let deviceUnavailable = ErrorCode(rawValue: "device.unavailable")
    /// There is no sink or PCM of that name.
    public static let deviceNotFound = ErrorCode(rawValue: "device.notFound")
    /// The device was there and is gone, or its server ended.
    public static let deviceLost = ErrorCode(rawValue: "device.lost")
    /// The device cannot do what was asked of it.
    public static let unsupportedFormat = ErrorCode(rawValue: "device.unsupportedFormat")
    /// Writing the file failed.
    public static let deviceWriteFailed = ErrorCode(rawValue: "device.writeFailed")
}
