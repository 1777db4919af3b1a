public import AudioDevice
import Foundation

extension AVAudioEngine {
    /// The device that the engine plays on.
    ///
    /// Set it while the engine is stopped.
    ///
    /// `nil`, the default, is the system's own output.
    ///
    /// An addition to Apple's interface, which has one device only.
    public var outputDevice: (any OutputDevice)? {
        get { lock.withLock { chosenDevice } }
        set {
            lock.withLock {
                require(renderer == nil, "Stop the engine before giving it another device.")
                chosenDevice = newValue
                device = nil
                openFormat = nil
            }
        }
    }

    /// The format to ask the device for: set it while the engine is stopped.
    ///
    /// `nil`, the default, is the device's own.
    ///
    /// An addition to Apple's interface.
    public var preferredOutputFormat: DeviceFormat? {
        get { lock.withLock { preferredFormat } }
        set {
            lock.withLock {
                guard newValue != preferredFormat else { return }
                preferredFormat = newValue
                openFormat = nil
            }
        }
    }
}
