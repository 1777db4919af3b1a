public import AudioDevice
import Foundation
import Synchronization

/// An input device that runs, and what it has heard.
final class Capture: Sendable {
    let device: any InputDevice
    let ring: CaptureRing

    init(device: any InputDevice, sampleRate: Double, channelCount: Int) {
        self.device = device
        ring = CaptureRing(sampleRate: sampleRate, channelCount: channelCount)
    }

    /// What the device is given; the ring has to outlive its run.
    var callback: CaptureCallback {
        CaptureCallback(context: Unmanaged.passUnretained(ring).toOpaque()) { context, channels, count, _ in
            Unmanaged<CaptureRing>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.write(channels, frames: Int(count))
            }
        }
    }
}

extension AVAudioEngine {
    /// What the input node hears: set it while the engine is stopped.
    ///
    /// `nil`, the default, is the sound server's default source.
    ///
    /// An addition to Apple's interface, which has one device only.
    public var inputDevice: (any InputDevice)? {
        get { lock.withLock { chosenInput } }
        set {
            lock.withLock {
                require(renderer == nil, "Stop the engine before giving it another input device.")
                chosenInput = newValue
                openInput = nil
            }
        }
    }

    /// The input node's kernel, or one that gives silence where there is no such node.
    var inputKernel: InputKernel { input?.kernel ?? InputKernel() }

    /// The format of the input device: the rate of the output, and channels of its own.
    var inputDeviceFormat: AVAudioFormat? {
        lock.withLock {
            guard manual == nil else { return nil }
            return try? openInputDevice().format
        }
    }

    private func openInputDevice() throws -> (device: any InputDevice, format: AVAudioFormat) {
        let rate = deviceFormat.sampleRate
        if let openInput, openInput.format.sampleRate == rate { return openInput }
        let device = chosenInput ?? openInput?.device ?? PulseInput()
        device.onLoss = { [weak self] _ in self?.lostInput() }
        let own = try device.open(preferred: nil)
        let wish = DeviceFormat(sampleRate: rate, channelCount: own.channelCount)
        let settled = own == wish ? own : try device.open(preferred: wish)
        guard
            let format = AVAudioFormat(
                standardFormatWithSampleRate: settled.sampleRate,
                channels: AVAudioChannelCount(settled.channelCount)
            )
        else {
            throw DeviceError(.unsupportedFormat, "the input has no usable format.", device: device.name)
        }
        openInput = (device, format)
        return (device, format)
    }

    /// Starts the input device if the graph has come to need it, and stops it if it has ceased to.
    func settleInput() throws {
        guard manual == nil else { return }
        guard plans.usesInput, let input else {
            stopInput()
            return
        }
        guard capture == nil else { return }
        let (device, format) = try openInputDevice()
        let new = Capture(
            device: device,
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount)
        )
        input.kernel.capture.store(Unmanaged.passUnretained(new.ring).toOpaque(), ordering: .releasing)
        retiredCaptures.append(new)
        capture = new
        do {
            try device.start(new.callback)
        } catch {
            capture = nil
            throw error
        }
    }

    func stopInput() {
        guard let capture else { return }
        capture.device.stop()
        self.capture = nil
        input?.kernel.capture.store(nil, ordering: .releasing)
    }

    /// Seconds between a sound and its coming to the input node.
    var inputLatency: TimeInterval { lock.withLock { capture?.device.latency ?? 0 } }
}
