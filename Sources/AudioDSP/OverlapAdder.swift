/// Adds windowed frames up into an output, and divides by what the windows add up to.
///
/// One ring for the weights and one a channel, addressed by output frame. One thread at a time.
struct OverlapAdder: ~Copyable {
    private let capacity: Int
    private let channelCount: Int
    private let store: FloatStore
    /// The first output frame not taken yet: what is added before it is dropped, as nobody would take it away.
    private var start = 0
    /// The output frame before which all that has been added lies.
    private var end = 0

    /// Room for frames of `length` whose middles lie within one length of what is read next.
    init(channelCount: Int, length: Int) {
        var capacity = 1024
        while capacity < 3 * length { capacity *= 2 }
        self.capacity = capacity
        self.channelCount = channelCount
        store = FloatStore(count: capacity * (channelCount + 1))
    }

    /// Adds `source[i] * window[i]` to the frame `output + i`.
    @_noLocks @_noAllocation
    mutating func add(
        channel: Int,
        at output: Int,
        _ source: UnsafePointer<Float>,
        window: UnsafePointer<Float>,
        count: Int
    ) {
        end = max(end, output + count)
        let ring = store.pointer + channel * capacity
        let skipped = min(max(start - output, 0), count)
        let offset = (output + skipped) & (capacity - 1)
        let middle = min(count, skipped + capacity - offset)
        for index in skipped..<middle { ring[offset + index - skipped] += source[index] * window[index] }
        for index in middle..<count { ring[index - middle] += source[index] * window[index] }
    }

    /// Adds the product of two windows to what the sum is divided by.
    @_noLocks @_noAllocation
    mutating func addWeight(
        at output: Int,
        _ analysis: UnsafePointer<Float>,
        window: UnsafePointer<Float>,
        count: Int
    ) {
        add(channel: channelCount, at: output, analysis, window: window, count: count)
    }

    /// Takes finished output, leaving silence in its place.
    ///
    /// The weights must be taken too, with `finish`, after the last channel.
    @_noLocks @_noAllocation
    func take(channel: Int, at output: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        let ring = store.pointer + channel * capacity
        let weights = store.pointer + channelCount * capacity
        let mask = capacity - 1
        for index in 0..<count {
            let place = (output + index) & mask
            let weight = weights[place]
            let value = weight > 1e-6 ? ring[place] / weight : 0
            // Nobody hears −400 dB, and arithmetic on what lies below it is slow on some processors.
            target[index] = value.magnitude < 1e-20 ? 0 : value
            ring[place] = 0
        }
    }

    /// Reads output that is not finished yet, as far as it has been added up.
    @_noLocks @_noAllocation
    func peek(channel: Int, at output: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        let ring = store.pointer + channel * capacity
        let weights = store.pointer + channelCount * capacity
        let mask = capacity - 1
        for index in 0..<count {
            let place = (output + index) & mask
            let weight = weights[place]
            target[index] = output + index >= start && weight > 1e-6 ? ring[place] / weight : 0
        }
    }

    /// Clears the weights of what every channel has taken.
    @_noLocks @_noAllocation
    mutating func finish(at output: Int, count: Int) {
        let weights = store.pointer + channelCount * capacity
        for index in 0..<count { weights[(output + index) & (capacity - 1)] = 0 }
        start = output + count
    }

    /// Forgets everything; `output` is the first frame that will be taken.
    @_noLocks @_noAllocation
    mutating func clear(startingAt output: Int) {
        // What has been taken is silent already.
        for channel in 0...channelCount {
            let ring = store.pointer + channel * capacity
            for place in start..<max(end, start) { ring[place & (capacity - 1)] = 0 }
        }
        start = output
        end = output
    }
}
