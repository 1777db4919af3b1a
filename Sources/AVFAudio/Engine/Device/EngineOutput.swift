import Foundation
import SyrinxDevice

/// The output of an engine: a device or the caller of manual rendering, and the output format of the graph.
///
/// All members require the engine's lock. Methods that may be called without the lock take it themselves.
final class EngineOutput: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state; the handlers are set before a device is opened.
    private let lock: NSRecursiveLock
    /// Guards opening a device, which the search for another output does without `lock`.
    ///
    /// When both are needed, take `lock` first.
    let deviceLock = NSLock()
    private var chosen: (any OutputDevice)?
    private var preferred: DeviceFormat?
    /// The device in use; `nil` before one is opened.
    var device: (any OutputDevice)?
    /// The format of the device, once it has been opened.
    var openFormat: AVAudioFormat?
    /// The output format of the graph, constant from start to stop even if the device changes.
    var renderFormat: AVAudioFormat?
    /// The settings of a manual rendering; `nil` while the engine renders for its device.
    var manual: ManualRendering?
    /// Between the graph and a device of another format.
    var adapter: OutputAdapter?
    /// Whether the engine is looking for a replacement of a lost device.
    ///
    /// It renders nothing meanwhile.
    var isRecovering = false
    /// Called on a device's own thread, which the holder of the lock may be waiting for.
    var onLoss: (@Sendable (DeviceError) -> Void)?
    var onMove: (@Sendable () -> Void)?

    init(lock: NSRecursiveLock) { self.lock = lock }

    /// The device that the program chose; `nil` selects the system's default.
    ///
    /// Setting it releases the device that was opened before.
    var chosenDevice: (any OutputDevice)? {
        get { chosen }
        set {
            chosen = newValue
            device = nil
            openFormat = nil
        }
    }

    /// The format to request from the device; `nil` requests the device's own format.
    var preferredFormat: DeviceFormat? {
        get { preferred }
        set {
            guard newValue != preferred else { return }
            preferred = newValue
            openFormat = nil
        }
    }

    // MARK: Formats

    /// The format of connections if no other format is known: 44.1 kHz, stereo.
    static var fallbackFormat: AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
            preconditionFailure("44.1 kHz stereo is a format.")
        }
        return format
    }

    /// The format that the graph ends in: that of the device at the start, or of manual rendering.
    var rootFormat: AVAudioFormat { lock.withLock { renderFormat ?? format } }

    /// The format of manual rendering, or of the device, which is opened if necessary; else the fallback format.
    var format: AVAudioFormat {
        lock.withLock {
            if let manual { return manual.graphFormat }
            if openFormat == nil { _ = try? open() }
            return openFormat ?? Self.fallbackFormat
        }
    }

    // MARK: The device

    /// Finds the device, if that is not done, and settles its format.
    func open() throws -> AVAudioFormat {
        if let openFormat, device != nil { return openFormat }
        guard let device = chosen ?? device ?? OutputDevices.automatic() else {
            throw DeviceError(
                .deviceUnavailable,
                "no sound server and no sound card responds: start one, or choose another output.",
                device: "auto"
            )
        }
        watch(device)
        let settled = try deviceLock.withLock { try device.open(preferred: preferred) }
        let format = try settled.audioFormat(of: device.name)
        self.device = device
        openFormat = format
        return format
    }

    /// Observes the loss and the changes of a device.
    func watch(_ device: any OutputDevice) {
        device.onLoss = { [weak self] error in self?.onLoss?(error) }
        device.onChange = { [weak self] in self?.onMove?() }
    }

    /// Seconds from the render of a frame until the frame is audible.
    var latency: TimeInterval { lock.withLock { manual == nil ? device?.latency ?? 0 : 0 } }

    /// Resumes the graph of `renderer`, and makes the device drop frames that need not be played first.
    /// - Parameters:
    ///   - renderer: The renderer of the held graph.
    ///   - fades: Whether the sound fades in.
    ///   - dropsUnheard: Whether the device fades out and drops all frames that it has not played. If `false`, it
    ///     drops only silence.
    func resume(_ renderer: EngineRenderer, fades: Bool, dropsUnheard: Bool) {
        let silence = adapter?.frameCount(ofSilence: renderer.stillFrameCount) ?? renderer.stillFrameCount
        let isDone =
            device?.dropUnheard(atMost: dropsUnheard ? .max : silence) {
                if dropsUnheard { renderer.touchBottom() }
                renderer.open(fades: fades)
            } ?? false
        if !isDone { renderer.open(fades: fades) }
    }
}

extension AVAudioFormat {
    /// The same rate and channels as 32-bit float with one buffer a channel.
    var asStandard: AVAudioFormat? { isStandard ? self : asStandard(sampleRate: sampleRate) }

    /// The same channels as 32-bit float with one buffer a channel, at another rate.
    func asStandard(sampleRate: Double) -> AVAudioFormat? {
        if let channelLayout {
            return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: channelLayout)
        }
        return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channelCount)
    }
}

extension DeviceFormat {
    /// Returns the engine's format for the device.
    /// - Throws: `DeviceError` with `.unsupportedFormat` if the engine cannot render in the device's format.
    func audioFormat(of device: String) throws(DeviceError) -> AVAudioFormat {
        let channels = AVAudioChannelCount(channelCount)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels) else {
            throw DeviceError(.unsupportedFormat, "the device has no usable format", device: device)
        }
        return format
    }
}
