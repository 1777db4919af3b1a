import Foundation
import SyrinxDevice

/// The output of an engine: its device, or the caller of a manual rendering, and the format that the graph ends in.
///
/// Used under the engine's lock, which methods take where they may be called without it.
final class EngineOutput: @unchecked Sendable {
    // Unchecked: everything that changes is touched under `lock` only; the handlers are set before a device is opened.
    private let lock: NSRecursiveLock
    /// Held while a device is opened, which a search for another does without `lock`; taken after `lock` if with it.
    let deviceLock = NSLock()
    private var chosen: (any OutputDevice)?
    private var preferred: DeviceFormat?
    /// The device in use, if one has been found.
    var device: (any OutputDevice)?
    /// The format of the device, once it has been opened.
    var openFormat: AVAudioFormat?
    /// The format at the end of the graph from start to stop, whatever happens to the device.
    var renderFormat: AVAudioFormat?
    /// The settings of a manual rendering; `nil` while the engine renders for its device.
    var manual: ManualRendering?
    /// Between the graph and a device of another format.
    var adapter: OutputAdapter?
    /// Whether a device is searched in place of one that was lost, which does not run meanwhile.
    var isRecovering = false
    /// Called on a device's own thread, which the holder of the lock may be waiting for.
    var onLoss: (@Sendable (DeviceError) -> Void)?
    var onMove: (@Sendable () -> Void)?

    init(lock: NSRecursiveLock) { self.lock = lock }

    /// The device that was chosen; `nil` is the system's own.
    ///
    /// Setting it forgets the one that was found.
    var chosenDevice: (any OutputDevice)? {
        get { chosen }
        set {
            chosen = newValue
            device = nil
            openFormat = nil
        }
    }

    /// The format to ask the device for; `nil` is its own.
    var preferredFormat: DeviceFormat? {
        get { preferred }
        set {
            guard newValue != preferred else { return }
            preferred = newValue
            openFormat = nil
        }
    }

    // MARK: Formats

    /// The format of connections where no other is known: 44.1 kHz, stereo.
    static var fallbackFormat: AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
            preconditionFailure("44.1 kHz stereo is a format.")
        }
        return format
    }

    /// The format that the graph ends in: that of the device at the start, or of manual rendering.
    var rootFormat: AVAudioFormat { lock.withLock { renderFormat ?? format } }

    /// The format of the device, or of manual rendering, as far as it is settled.
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
                "no sound server and no sound card answers: start one, or choose another output.",
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

    /// Has a device's loss and its changes reported.
    func watch(_ device: any OutputDevice) {
        device.onLoss = { [weak self] error in self?.onLoss?(error) }
        device.onChange = { [weak self] in self?.onMove?() }
    }

    /// Seconds until a frame rendered now is heard.
    var latency: TimeInterval { lock.withLock { manual == nil ? device?.latency ?? 0 : 0 } }

    /// Lets the graph of `renderer` go on, and has the device drop what there is no need to wait for.
    ///
    /// With `dropsUnheard` all that the device has been given is dropped, under a fade; else silence alone.
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
    /// Returns the format as the engine works in it.
    /// - Throws: `DeviceError` with `.unsupportedFormat` if there is none.
    func audioFormat(of device: String) throws -> AVAudioFormat {
        let channels = AVAudioChannelCount(channelCount)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels) else {
            throw DeviceError(.unsupportedFormat, "the device has no usable format", device: device)
        }
        return format
    }
}
