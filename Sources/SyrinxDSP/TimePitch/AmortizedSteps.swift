/// The work for a frame, divided into steps of known cost that are spread over the reads before the frame is due.
///
/// The order of steps is fixed, and each depends only on earlier ones, so the result does not depend on when they run.
/// Adding, starting and taking steps never allocate.
struct AmortizedSteps: ~Copyable {
    enum Kind {
        /// Computes the window of an opening.
        case open
        /// Removes transients from the opening.
        case shapeOpening
        /// Reads a part of the opening and adds it to the output, for all channels.
        case sound
        /// Reads some of the frame before, which was not turned, in one channel.
        case fetchHeard
        /// Transforms the frame before, in one channel.
        case hear
        /// Looks for transients in further input.
        case listen
        /// Cuts transients out of the windows.
        case shape
        /// Computes some of the interpolator's rows.
        case tune
        /// Interpolates some of the frame's input at its pitch, in all channels.
        case resample
        /// Reads the frame's input, in one channel.
        case fetch
        /// Transforms the input that should already be sounding, for one channel.
        case analyseEarlier
        /// Transforms the frame, in one channel.
        case analyse
        /// Finds the partials.
        case find
        /// Turns some of them.
        case turn
        /// Stores the rotated spectrum for the next frame.
        case keep
        /// Restores the level of parts that do not agree with the frame before.
        case raise
        /// Measures the levels in which formants are.
        case level
        /// Smooths them once.
        case smooth
        /// Puts formants back.
        case formants
        /// Transforms back, in one channel.
        case invert
        /// Reads and averages the current output and its possible continuations.
        case compare
        /// Tries some of the joins, on averages.
        case searchCoarsely
        /// Tests some joins around the best coarse ones.
        case searchFinely
        /// Adds the frame to the output, in one channel.
        case add
        /// Adds its weights.
        case weigh
    }

    struct Step {
        var kind: Kind
        /// A channel, or which part it is.
        var index: Int
        /// The first item, and the number of items or parts.
        var from: Int
        var count: Int
        var cost: Int
    }

    private let capacity: Int
    // Allocated here, freed in deinit, and not shared.
    private let steps: UnsafeMutablePointer<Step>
    private var count = 0
    private var position = 0
    private var total = 0
    private var done = 0
    /// The number of steps that cannot wait.
    private var urgent = 0
    /// The cost of all steps taken since the start.
    private(set) var spent = 0

    init(capacity: Int) {
        self.capacity = capacity
        steps = .allocate(capacity: capacity)
        steps.initialize(repeating: Step(kind: .weigh, index: 0, from: 0, count: 0, cost: 0), count: capacity)
    }

    deinit {
        steps.deallocate()
    }

    /// Whether every step has been taken.
    var isDone: Bool { @_noLocks @_noAllocation get { position == count } }

    @_noLocks @_noAllocation
    mutating func clear() {
        count = 0
        position = 0
        total = 0
        done = 0
        urgent = 0
    }

    /// Makes all steps so far urgent.
    @_noLocks @_noAllocation
    mutating func hurry() { urgent = count }

    /// Appends a step.
    ///
    /// - Parameter cost: The relative cost of the step, in about nanoseconds on a processor of 2020.
    @_noLocks @_noAllocation
    mutating func append(_ kind: Kind, _ index: Int = 0, from: Int = 0, count length: Int = 0, cost: Int) {
        guard count < capacity else { return }
        let step = steps + count
        step[0].kind = kind
        step[0].index = index
        step[0].from = from
        step[0].count = length
        step[0].cost = cost
        count += 1
        total += cost
    }

    /// The next step to take so that `part` of `whole` of the cost has been spent, or nil if it has.
    @_noLocks @_noAllocation
    mutating func next(part: Int, of whole: Int) -> Step? {
        guard position < count else { return nil }
        let step = steps[position]
        // As close to the part as whole steps allow.
        let isDue = (2 * done + step.cost) * whole <= 2 * total * part
        guard isDue || position < urgent || part >= whole else { return nil }
        position += 1
        done += step.cost
        spent &+= step.cost
        return step
    }
}
