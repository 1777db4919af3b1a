import SyrinxListening

/// Times as people read them.
enum ClockText {
    /// `m:ss`, or `h:mm:ss` from an hour on; also from an hour on of `like`, so that two times stand alike.
    static func text(_ seconds: Double, like other: Double = 0) -> String {
        let whole = seconds.isFinite ? Int(min(max(seconds, 0), ClockTime.limit)) : 0
        let second = String(whole % 60).leftPadded(to: 2, with: "0")
        guard whole >= 3600 || other >= 3600 else { return "\(whole / 60):\(second)" }
        return "\(whole / 3600):\(String(whole / 60 % 60).leftPadded(to: 2, with: "0")):\(second)"
    }
}
