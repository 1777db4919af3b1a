import AudioDevice
import Foundation

extension AVAudioEngine {
    /// Whether the device rests while the engine runs and has nothing to play; default false.
    ///
    /// After five seconds in which no player plays and no other source is connected, the device is paused, and with it the
    /// engine's time. It goes on when a player is told to play, the graph changes, or `start()` is called; `isRunning` stays
    /// true. Devices that do not keep time never rest.
    public var isAutoShutdownEnabled: Bool {
        get { lock.withLock { idleWatch.isEnabled } }
        set {
            lock.withLock {
                idleWatch.isEnabled = newValue
                if !newValue { wake() }
            }
        }
    }

    /// There may be something to play again.
    func wake() {
        lock.withLock {
            guard idleWatch.wake(), case .running = phase else { return }
            device?.resume()
        }
    }

    /// After a render, with the lock: lets the device rest if nothing has sounded for long.
    func restIfIdle(_ renderer: EngineRenderer) {
        guard manual == nil, case .running = phase, let device, device.isPaced else { return }
        let (all, content, _) = renderer.time.read()
        if idleWatch.rendered(all: all, content: content, sampleRate: renderer.sampleRate) { device.pause() }
    }
}
