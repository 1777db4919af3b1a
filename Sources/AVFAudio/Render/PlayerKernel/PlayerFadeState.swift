/// The fade of a player.
///
/// A sound starts at full level, or fades in if it was paused midway; it fades out before a pause.
struct PlayerFadeState {
    /// The gain of the next frames.
    var gain = Ramp(1)
    /// Whether frames are laid: also while it fades away into a pause.
    private(set) var isSounding = false
    /// Whether the last frame belonged to an item, so that silence after it would click.
    var hasSounded = false
    /// Whether the player was paused within a sound, so that resuming has to fade in.
    private var fadesIn = false

    /// Whether frames pass unchanged.
    @_noLocks @_noAllocation
    func isPlain() -> Bool { isSounding && gain.remaining == 0 && gain.current == 1 }

    /// Whether the fade-out is complete.
    @_noLocks @_noAllocation
    func hasFaded() -> Bool { isSounding && gain.remaining == 0 && gain.current == 0 }

    /// Starts or resumes, with a fade-in if necessary.
    @_noLocks @_noAllocation
    mutating func goOn(fadeFrames: Int) {
        if !isSounding {
            isSounding = true
            gain.jump(to: fadesIn ? 0 : 1)
            fadesIn = false
        }
        gain.head(to: 1, over: fadeFrames)
    }

    /// Begins beneath a sound that fades away in `rest` of `fadeFrames` frames: the gains of both add up to 1.
    @_noLocks @_noAllocation
    mutating func begin(beneath rest: Int, of fadeFrames: Int) {
        gain.jump(to: 1 - Float(rest) / Float(fadeFrames))
        gain.head(to: 1, over: rest)
    }

    /// Records silent output, after which sound starts at full level.
    @_noLocks @_noAllocation
    mutating func giveSilence() {
        hasSounded = false
        gain.jump(to: 1)
    }

    /// Starts a fade-out, at whose end the player is paused.
    @_noLocks @_noAllocation
    mutating func fadeAway(fadeFrames: Int, isMidway: Bool) {
        guard hasSounded else { return pause(isMidway: isMidway) }
        gain.head(to: 0, over: fadeFrames)
        if gain.remaining == 0 { stand(fadesIn: true) }
    }

    /// Pauses without an audible fade.
    ///
    /// Only a pause within an item requires a fade-in later.
    @_noLocks @_noAllocation
    mutating func pause(isMidway: Bool) {
        let faded = fadesIn
        stand(fadesIn: isMidway || faded)
    }

    @_noLocks @_noAllocation
    mutating func stand(fadesIn: Bool) {
        isSounding = false
        hasSounded = false
        self.fadesIn = fadesIn
    }
}
