import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice

/// A device that stays open while one input follows another, so that a file that is written holds all of them.
///
/// The format is that of the first opening. Between `stop` and the next `start` nothing of any input is given: a device
/// that keeps time gets silence, one that does not gets no frames. `finish()` ends the device itself.
final class ContinuousOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: `format`, `isRunning` and `isPaused` belong to the one control thread that the seam allows at a time; the
    // device's thread sees `shared` only, whose members are atomic.
    private let base: any OutputDevice
    private let shared: UnsafeMutablePointer<Shared>
    private var format: DeviceFormat?
    private var isRunning = false
    private var isPaused = false
    /// Whether the device has gone: then `stop` ends it, so that it can be opened anew.
    private let hasGone = Atomic(false)

    /// The state that both threads use.
    fileprivate struct Shared: ~Copyable {
        /// The current callback, if any; owned by the control thread.
        let callback = Atomic<UnsafeMutablePointer<RenderCallback>?>(nil)
        /// Whether the device's thread may be using `callback`.
        let isBusy = Atomic(false)
        /// Set before the device starts, and never again.
        var channelCount = 0
    }

    /// `base`, kept open.
    init(_ base: any OutputDevice) {
        self.base = base
        shared = .allocate(capacity: 1)
        shared.initialize(to: Shared())
    }

    deinit {
        finish()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    var name: String { base.name }
    var outputName: String? { base.outputName }
    var isPaced: Bool { base.isPaced }
    var keepsMonotonicTime: Bool { base.keepsMonotonicTime }
    var latency: Double { base.latency }
    var underrunCount: Int { base.underrunCount }
    var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { base.onLoss }
        set {
            base.onLoss = { [weak self] error in
                // A file that cannot be written is not begun again.
                if error.code == .deviceLost { self?.hasGone.store(true, ordering: .relaxed) }
                newValue?(error)
            }
        }
    }

    var onChange: (@Sendable () -> Void)? {
        get { base.onChange }
        set { base.onChange = newValue }
    }

    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        if isRunning, let format { return format }
        let opened = try base.open(preferred: preferred)
        format = opened
        return opened
    }

    func start(_ callback: RenderCallback) throws(DeviceError) {
        detach()
        let new = UnsafeMutablePointer<RenderCallback>.allocate(capacity: 1)
        new.initialize(to: callback)
        shared.pointee.callback.store(new, ordering: .sequentiallyConsistent)
        if isRunning {
            if isPaused { resume() }
            return
        }
        shared.pointee.channelCount = format?.channelCount ?? 0
        let own = RenderCallback(context: UnsafeMutableRawPointer(shared), render: render, didRender: didRender)
        do throws(DeviceError) {
            try base.start(own)
            isRunning = true
        } catch {
            detach()
            throw error
        }
    }

    func pause() {
        isPaused = true
        base.pause()
    }

    func resume() {
        isPaused = false
        base.resume()
    }

    func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        base.dropUnheard(atMost: frameCount, change)
    }

    func stop() {
        detach()
        if hasGone.exchange(false, ordering: .relaxed) { finish() }
    }

    /// Ends the device: a file is closed.
    func finish() {
        detach()
        base.stop()
        (isRunning, isPaused) = (false, false)
    }

    /// Removes the callback from the device's thread.
    private func detach() {
        guard let old = shared.pointee.callback.exchange(nil, ordering: .sequentiallyConsistent) else { return }
        // Either the device's thread sees that there is no callback, or it is seen here to be busy.
        while shared.pointee.isBusy.load(ordering: .sequentiallyConsistent) { usleep(200) }
        old.deinitialize(count: 1)
        old.deallocate()
    }
}

/// Called by the device's thread: nothing here allocates, locks or retains.
private func render(
    _ context: UnsafeMutableRawPointer,
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ frameCount: UInt32,
    _ time: UnsafePointer<AudioTimeStamp>?
) -> UInt32 {
    let shared = context.assumingMemoryBound(to: ContinuousOutput.Shared.self)
    shared.pointee.isBusy.store(true, ordering: .sequentiallyConsistent)
    var count: UInt32 = 0
    if let callback = shared.pointee.callback.load(ordering: .sequentiallyConsistent) {
        count = callback.pointee.render(callback.pointee.context, channels, frameCount, time)
    } else {
        for channel in 0..<shared.pointee.channelCount {
            channels[channel].update(repeating: 0, count: Int(frameCount))
        }
    }
    shared.pointee.isBusy.store(false, ordering: .sequentiallyConsistent)
    return count
}

/// Called by the device's thread after each render.
private func didRender(_ context: UnsafeMutableRawPointer) {
    let shared = context.assumingMemoryBound(to: ContinuousOutput.Shared.self)
    shared.pointee.isBusy.store(true, ordering: .sequentiallyConsistent)
    if let callback = shared.pointee.callback.load(ordering: .sequentiallyConsistent) {
        callback.pointee.didRender(callback.pointee.context)
    }
    shared.pointee.isBusy.store(false, ordering: .sequentiallyConsistent)
}
