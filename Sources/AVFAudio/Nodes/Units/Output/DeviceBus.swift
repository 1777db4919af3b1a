import Foundation
import Synchronization
import SyrinxMediaCodec

/// A bus of an output unit.
///
/// Its format is that of the device until the program sets one.
final class DeviceBus: AUAudioUnitBus, @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.
    private let deviceFormat: @Sendable () -> AVAudioFormat
    private let isFixed: Bool
    private let chosen = Mutex<AVAudioFormat?>(nil)

    /// - Parameters:
    ///   - isFixed: Whether the format is the device's, and cannot be set.
    ///   - deviceFormat: The format of the device.
    init(isFixed: Bool, _ deviceFormat: @escaping @Sendable () -> AVAudioFormat) throws {
        self.isFixed = isFixed
        self.deviceFormat = deviceFormat
        try super.init(format: EngineOutput.fallbackFormat)
    }

    override var format: AVAudioFormat { chosen.withLock { $0 } ?? deviceFormat() }

    /// - Throws: `AVAudioEngineError` with `.formatIsFixed` for the side of the device, `.formatMismatch` for a format
    ///   that is compressed or has more than 64 channels.
    override func setFormat(_ format: AVAudioFormat) throws {
        guard !isFixed else {
            throw AVAudioEngineError(.formatIsFixed, "The format is that of the device, and cannot be set.")
        }
        guard let known = AVAudioFormat.checked(format.basicDescription) else {
            throw AVAudioEngineError(.formatMismatch, "An output unit takes uncompressed sound, not \(format).")
        }
        chosen.withLock { $0 = format.channelLayout == nil ? known : format }
    }
}
