/// Whether a player sounds, and how loud: it begins at once, or fades in where it stood still within a sound; it fades away
/// before it stands still.
struct PlayerFadeState {
    /// The gain of the next frames.
    var gain = Ramp(1)
    /// Whether frames are laid: also while it fades away into a pause.
    private(set) var isSounding = false
    /// Whether the last frame given was of an item, so that silence after it would be a click.
    var hasSounded = false
    /// Whether it stands within a sound, so that going on from there has to fade.
    private var fadesIn = false

    /// Whether what is laid is given as it is.
    @_noLocks @_noAllocation
    func isPlain() -> Bool { isSounding && gain.remaining == 0 && gain.current == 1 }

    /// Whether all of it has faded away.
    @_noLocks @_noAllocation
    func hasFaded() -> Bool { isSounding && gain.remaining == 0 && gain.current == 0 }

    /// Sounds, from where it stands or fades.
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

    /// Gives silence: what begins after it begins at its full level.
    @_noLocks @_noAllocation
    mutating func giveSilence() {
        hasSounded = false
        gain.jump(to: 1)
    }

    /// Fades away, and stands still at the end of that.
    @_noLocks @_noAllocation
    mutating func fadeAway(fadeFrames: Int, isMidway: Bool) {
        guard hasSounded else { return pause(isMidway: isMidway) }
        gain.head(to: 0, over: fadeFrames)
        if gain.remaining == 0 { stand(fadesIn: true) }
    }

    /// Stands still where nothing is heard: only what is within an item has to fade in again.
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
