import AVFAudio

/// The behaviour of a player, frame by frame and without regard to speed.
///
/// The property test compares the node with it.
struct PlayerModel {
    struct Item {
        let samples: [Float]
        let start: Int64?
        let options: AVAudioPlayerNodeBufferOptions
    }

    /// A straight line to a value, as the documentation of the node's fades has it.
    struct Slope {
        private(set) var value: Float
        private(set) var target: Float
        private(set) var rest = 0
        private var step: Float = 0

        init(_ value: Float) {
            self.value = value
            target = value
        }

        mutating func head(to target: Float, in frames: Int) {
            if target == self.target { return }
            guard frames > 0 else {
                self = Slope(target)
                return
            }
            step = (target - value) / Float(frames)
            self.target = target
            rest = frames
        }

        mutating func next() -> Float {
            if rest > 0 {
                rest -= 1
                value = target - step * Float(rest)
            }
            return value
        }
    }

    private let fade: Int
    private var items: [Item] = []
    private var current = 0
    private var offset = 0
    private var gain = Slope(1)
    private var isSounding = false
    private var hasSounded = false
    private var fadesIn = false
    private var hasBegun = false
    private var tail: [Float] = []
    /// The frames in which the gain of what was cut off goes to 0.
    private var tailRest = 0

    private(set) var isPlaying = false
    private var startFrame: Int64?
    private var isPaused = false
    private var dropBefore: Int?
    private var resets = false

    private(set) var nodeFrame: Int64 = 0
    private var playerFrame: Int64 = 0

    /// - Parameter fade: Frames of a fade; 0 where nothing fades.
    init(fade: Int) { self.fade = fade }

    // MARK: What is asked

    mutating func schedule(_ item: Item) { items.append(item) }

    mutating func play(at frame: Int64? = nil) {
        isPlaying = true
        startFrame = frame
    }

    mutating func pause() {
        isPlaying = false
        isPaused = true
    }

    mutating func stop() {
        pause()
        dropBefore = items.count
        resets = true
    }

    /// The player's time at the end of what has been rendered.
    var playerTime: Int64? {
        guard isPlaying else { return nil }
        guard !hasBegun, let startFrame else { return playerFrame }
        return playerFrame - max(0, startFrame - nodeFrame)
    }

    // MARK: What is given

    /// The next `count` frames, after what was asked since the last.
    mutating func render(_ count: Int) -> [Float] {
        takeUp()
        return (0..<count).map { _ in frame() }
    }

    private mutating func takeUp() {
        if let index = dropBefore { cutOff(before: index) }
        dropBefore = nil
        if resets { playerFrame = 0 }
        resets = false
        if isPaused || !isPlaying { hasBegun = false }
        isPaused = false
    }

    private mutating func frame() -> Float {
        if !hasBegun, isPlaying, startFrame ?? 0 <= nodeFrame || startFrame == nil { hasBegun = true }
        if hasBegun {
            goOn()
        } else if isSounding {
            fadeAway()
        }
        let main = isSounding ? sound() : 0
        nodeFrame += 1
        guard !tail.isEmpty else { return main }
        tailRest -= 1
        return main + tail.removeFirst()
    }

    private mutating func sound() -> Float {
        while true {
            if hasBegun, let index = interrupter(.interrupts) {
                cutOff(before: index)
                goOn()
            }
            guard current < items.count else { return silence() }
            if offset == 0, let start = items[current].start, start > playerFrame { return silence() }
            beginBeneathTheTail()
            if let sample = take() {
                playerFrame += 1
                leaveIfThrough()
                hasSounded = true
                return sample
            }
            leaveIfThrough()
        }
    }

    /// Gives a sound that begins while another fades away the rest of the gain.
    private mutating func beginBeneathTheTail() {
        guard !hasSounded, gain.rest == 0, gain.value == 1, !tail.isEmpty else { return }
        gain = Slope(1 - Float(tailRest) / Float(fade))
        gain.head(to: 1, in: tailRest)
    }

    private mutating func silence() -> Float {
        hasSounded = false
        if hasBegun {
            playerFrame += 1
            gain = Slope(1)
        } else {
            stand(fadesIn: false)
        }
        return 0
    }

    private mutating func take() -> Float? {
        let samples = items[current].samples
        guard offset < samples.count else { return nil }
        offset += 1
        return samples[offset - 1] * gain.next()
    }

    private mutating func leaveIfThrough(below bound: Int = .max) {
        let item = items[current]
        guard offset >= item.samples.count else { return }
        if let next = interrupter(.interruptsAtLoop, below: bound) {
            current = next
        } else if !item.options.contains(.loops) || item.samples.isEmpty {
            current += 1
        }
        offset = 0
    }

    /// The last of the items behind the one that plays that takes its place now.
    private func interrupter(_ option: AVAudioPlayerNodeBufferOptions, below bound: Int = .max) -> Int? {
        guard current < items.count else { return nil }
        return items.indices.dropFirst(current + 1).last { index in
            let options = items[index].options
            let isOne = option == .interrupts || !options.contains(.interrupts)
            return index < bound && isOne && options.contains(option)
                && items[index].start ?? playerFrame <= playerFrame
        }
    }

    private mutating func goOn() {
        if !isSounding {
            isSounding = true
            gain = Slope(fadesIn ? 0 : 1)
            fadesIn = false
        }
        gain.head(to: 1, in: fade)
    }

    private mutating func fadeAway() {
        guard hasSounded else { return stand(fadesIn: fadesIn || offset > 0) }
        gain.head(to: 0, in: fade)
        if gain.rest == 0 { stand(fadesIn: true) }
    }

    private mutating func stand(fadesIn: Bool) {
        isSounding = false
        hasSounded = false
        self.fadesIn = fadesIn
    }

    private mutating func cutOff(before index: Int) {
        if isSounding, hasSounded {
            gain.head(to: 0, in: fade)
            var count = 0
            while gain.rest > 0, current < index {
                if offset == 0, let start = items[current].start, start > playerFrame { break }
                if let sample = take() {
                    if count < tail.count { tail[count] += sample } else { tail.append(sample) }
                    count += 1
                }
                leaveIfThrough(below: index)
            }
            if count > 0 { tailRest = fade }
        }
        if current < index {
            current = index
            offset = 0
        }
        stand(fadesIn: false)
    }
}
