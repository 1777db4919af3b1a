/// The texts of the question before the last window closes while downloads run.
package struct ClosingText: Equatable, Sendable {
    package let heading: String
    package let body: String

    /// Creates the texts for a number of downloads, at least one.
    package init(downloads: Int) {
        let isOne = downloads == 1
        heading = isOne ? "A Download Is Running" : "\(downloads) Downloads Are Running"
        body =
            isOne
            ? "It stops when the window closes, and continues at the next start."
            : "They stop when the window closes, and continue at the next start."
    }
}
