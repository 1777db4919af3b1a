/// The sum of the fade-outs of interrupted sounds, a few milliseconds long.
///
/// It lets the next sound start at its exact frame, while the interrupted sound ends without a click.
struct PlayerFadeOut: ~Copyable {
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    /// The length of a fade in frames, which is also the capacity.
    let capacity: Int
    private var begin = 0
    private var end = 0
    /// The number of frames until the fade ends; 0 if no sound fades.
    private(set) var fadeRest = 0

    init(channelCount: Int, capacity: Int) {
        self.channelCount = channelCount
        self.capacity = capacity
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
            samples.initialize(repeating: 0, count: capacity)
            (channels + channel).initialize(to: samples)
        }
    }

    deinit {
        for channel in 0..<channelCount { channels[channel].deallocate() }
        channels.deallocate()
    }

    var isEmpty: Bool {
        @_noLocks @_noAllocation
        get { begin == end }
    }

    /// Moves the remaining frames to the front, so that further fade-outs can be added from there.
    @_noLocks @_noAllocation
    mutating func rewind() {
        guard begin > 0 else { return }
        let count = end - begin
        for channel in 0..<channelCount {
            let samples = channels[channel]
            for frame in 0..<count { samples[frame] = samples[begin + frame] }
            for frame in count..<end { samples[frame] = 0 }
        }
        begin = 0
        end = count
    }

    /// Says that there are at least `count` frames now, of which a fade begins.
    @_noLocks @_noAllocation
    mutating func grow(to count: Int) {
        guard count > 0 else { return }
        end = max(end, count)
        fadeRest = capacity
    }

    /// Returns `fadeRest` as it will be when `count` frames more have been poured.
    @_noLocks @_noAllocation
    func fadeRest(after count: Int) -> Int { end - begin > count ? max(0, fadeRest - count) : 0 }

    /// Adds the remaining frames to `slot`, from `first` up to `limit`; returns the position after the last added
    /// frame.
    @_noLocks @_noAllocation
    mutating func pour(into slot: RenderSlot, from first: Int, to limit: Int) -> Int {
        let count = min(end - begin, limit - first)
        guard count > 0 else { return first }
        for channel in 0..<min(channelCount, slot.channelCount) {
            let source = channels[channel] + begin
            let target = slot.channels[channel] + first
            for frame in 0..<count {
                target[frame] += source[frame]
                source[frame] = 0
            }
        }
        fadeRest = fadeRest(after: count)
        begin += count
        if begin == end {
            begin = 0
            end = 0
        }
        return first + count
    }

    /// Clears all frames.
    @_noLocks @_noAllocation
    mutating func clear() {
        for channel in 0..<channelCount {
            for frame in begin..<end { channels[channel][frame] = 0 }
        }
        begin = 0
        end = 0
        fadeRest = 0
    }
}
