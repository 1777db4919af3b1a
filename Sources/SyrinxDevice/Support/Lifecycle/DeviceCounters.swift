import Synchronization

/// The counters of a device, which any thread may read.
///
/// They are in memory of their own from the device's `init` to its `deinit`, so that the device's thread needs no
/// reference.
struct DeviceCounters: ~Copyable {
    /// The time between rendering and hearing, in seconds.
    let latency: Atomic<Double>
    /// The number of underruns since `start`.
    let underruns = Atomic<Int>(0)
    /// The number of frames that could not be recorded.
    let droppedFrames = Atomic<Int>(0)

}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Allocates memory for one value, and moves the value into it.
    static func make(_ value: consuming Pointee) -> UnsafeMutablePointer<Pointee> {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
        memory.initialize(to: value)
        return memory
    }

    /// Destroys the value and frees its memory.
    func destroy() {
        deinitialize(count: 1)
        deallocate()
    }
}

extension DeviceFormat {
    /// Throws an error if no device supports this format.
    func check(_ device: String) throws(DeviceError) {
        guard sampleRate.isFinite, sampleRate >= 1, sampleRate <= 10_000_000, (1...64).contains(channelCount) else {
            throw DeviceError(
                .unsupportedFormat,
                "a rate of \(sampleRate) Hz with \(channelCount) channels cannot be played",
                device: device
            )
        }
    }
}
