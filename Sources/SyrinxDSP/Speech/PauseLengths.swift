/// The lengths in seconds that determine which pauses are shortened, and to what length.
///
/// A pause of L seconds, longer than `minimum`, is shortened to kept + share · (L − kept) seconds, at most `maximum`.
package struct PauseLengths: Equatable, Sendable {
    /// Shorter pauses stay as they are.
    package var minimum: Double
    /// The part that always remains, half of it at each end, in seconds.
    package var kept: Double
    /// The share of the rest that remains, 0…1.
    package var share: Double
    /// The maximum length of a shortened pause in seconds.
    package var maximum: Double
    /// The rate at which breaths and other soft sounds between words are played, 1…2.
    package var softRate: Double

    /// Pauses between sentences become a little shorter.
    package static let mild = PauseLengths(minimum: 0.3, kept: 0.24, share: 0.4, maximum: 1.5, softRate: 1.25)
    /// Shortens pauses between sentences to about the length of those between phrases.
    package static let medium = PauseLengths(minimum: 0.2, kept: 0.16, share: 0.25, maximum: 0.75, softRate: 1.5)
    /// All pauses that are longer than a stop consonant become about equally short.
    package static let strong = PauseLengths(minimum: 0.12, kept: 0.08, share: 0.1, maximum: 0.4, softRate: 2.4)

    /// Returns the shortened length of a pause of `length` seconds.
    func remainder(of length: Double) -> Double {
        length <= minimum ? length : min(kept + share * (length - kept), maximum)
    }

    /// Returns the minimum shortened length of an unfinished pause that has lasted `length` seconds.
    func certainRemainder(of length: Double) -> Double { length <= minimum ? kept : remainder(of: length) }
}
