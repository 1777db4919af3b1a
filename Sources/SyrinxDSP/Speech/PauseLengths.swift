/// The pauses that are shortened, and what is left of them, in seconds.
///
/// A pause of L seconds, longer than `minimum`, keeps kept + share · (L − kept) seconds, at most `maximum`.
package struct PauseLengths: Equatable, Sendable {
    /// Shorter pauses stay as they are.
    package var minimum: Double
    /// The part that always remains, half of it at either end.
    package var kept: Double
    /// The share of the rest that remains.
    package var share: Double
    /// The most that remains.
    package var maximum: Double
    /// The rate at which breaths and other soft sounds between words are played, 1…2.
    package var softRate: Double

    /// Pauses between sentences become a little shorter.
    package static let mild = PauseLengths(minimum: 0.3, kept: 0.24, share: 0.4, maximum: 1.5, softRate: 1.25)
    /// Pauses between sentences become about as long as those between phrases.
    package static let medium = PauseLengths(minimum: 0.2, kept: 0.16, share: 0.25, maximum: 0.75, softRate: 1.5)
    /// All pauses that are longer than a stop consonant become about equally short.
    package static let strong = PauseLengths(minimum: 0.12, kept: 0.08, share: 0.1, maximum: 0.4, softRate: 2.4)

    /// Returns what remains of a pause of `length` seconds.
    func remainder(of length: Double) -> Double {
        length <= minimum ? length : min(kept + share * (length - kept), maximum)
    }

    /// Returns what is certain to remain of a pause that has lasted `length` seconds and goes on.
    func certainRemainder(of length: Double) -> Double { length <= minimum ? kept : remainder(of: length) }
}
