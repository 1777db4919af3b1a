import Synchronization

/// The counters of a device that any thread may read at any time.
///
/// Lives in memory of its own from the device's `init` to its `deinit`, so that the device's thread needs no reference.
struct DeviceCounters: ~Copyable {
    /// Seconds from render to hearing.
    let latency: Atomic<Double>
    /// The number of times that the device has run dry since `start`.
    let underruns = Atomic<Int>(0)
    /// The number of frames that could not be recorded.
    let droppedFrames = Atomic<Int>(0)

}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory for one value, which is moved into it.
    static func make(_ value: consuming Pointee) -> UnsafeMutablePointer<Pointee> {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
        memory.initialize(to: value)
        return memory
    }

    /// Ends the one value and frees its memory.
    func destroy() {
        deinitialize(count: 1)
        deallocate()
    }
}

extension DeviceFormat {
    /// Throws if no device can take this format.
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
