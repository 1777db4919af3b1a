import AudioDevice
import Foundation

extension AVAudioEngine {
    func setAutoShutdown(_ isEnabled: Bool) {
        lock.withLock {
            idleWatch.isEnabled = isEnabled
            if !isEnabled { wake() }
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
        guard manual == nil, case .running = phase, let device, device.isPaced, !plans.hasOtherEnds else { return }
        let (all, content, _) = renderer.time.read()
        if idleWatch.rendered(all: all, content: content, sampleRate: renderer.sampleRate) { device.pause() }
    }
}
