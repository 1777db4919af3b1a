package import SyrinxListening

/// Decides how to open a typed address: without a scheme, it is tried with `https:`, then with `http:`.
package struct AddressAttempt: Sendable, Equatable {
    /// The next step after a failure.
    package enum Step: Sendable, Equatable {
        /// Try another address.
        case again(ListeningInput)
        /// Ask the user for a name and a password.
        case askPassword
        /// Report that the address cannot be opened.
        case fail(PageState.Failure)
    }

    /// The input to open.
    package private(set) var input: ListeningInput
    private var other: ListeningInput?
    private var firstFailure: PageState.Failure?

    /// Parses a typed path or address, whose scheme may be missing; returns `nil` for other text.
    /// - Parameter text: The typed text.
    package init?(typed text: String) {
        let text = String(text.trimmingPrefix(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        if let input = ListeningInput(location: text) {
            self.input = input
            return
        }
        let host =
            /(?:(?<user>[^\s\/@]+)@)?(?:localhost|\[[0-9A-Fa-f:.]+\]|[^\s\/:@.]+(?:\.[^\s\/:@.]+)+)(?::\d{1,5})?(?:[\/?#]\S*)?/
        guard let match = text.wholeMatch(of: host), let secure = ListeningInput(location: "https://\(text)") else {
            return nil
        }
        input = secure
        // Don't send a password unencrypted, unless the user typed `http:`.
        if match.user == nil { other = ListeningInput(location: "http://\(text)") }
    }

    /// Called when the input cannot be opened.
    /// - Parameters:
    ///   - failure: The reason.
    package mutating func failed(_ failure: PageState.Failure) -> Step {
        if failure.code == "http.401" { return .askPassword }
        if let other, failure.code.hasPrefix("network.") {
            (input, firstFailure) = (other, failure)
            self.other = nil
            return .again(other)
        }
        // If the server did not respond, the error of the `https:` attempt is more useful.
        return .fail(failure.code.hasPrefix("network.") ? firstFailure ?? failure : failure)
    }
}
