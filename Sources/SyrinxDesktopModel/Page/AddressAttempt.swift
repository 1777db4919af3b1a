package import SyrinxListening

/// Decides how an address that a person has typed is tried: one without a scheme first with `https:`, then with `http:`.
package struct AddressAttempt: Sendable, Equatable {
    /// The step that follows on a failure.
    package enum Step: Sendable, Equatable {
        /// Another address is tried.
        case again(ListeningInput)
        /// The listener is asked for a name and a password.
        case askPassword
        /// The address cannot be opened, for this reason.
        case fail(PageState.Failure)
    }

    /// The input that is tried.
    package private(set) var input: ListeningInput
    private var other: ListeningInput?
    private var firstFailure: PageState.Failure?

    /// Reads a typed path or address, whose scheme may be missing; `nil` for any other text.
    /// - Parameter text: The text.
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
        // A password is not sent where everybody can read it, unless the listener says so.
        if match.user == nil { other = ListeningInput(location: "http://\(text)") }
    }

    /// Takes note that the input cannot be opened.
    /// - Parameters:
    ///   - failure: The reason.
    package mutating func failed(_ failure: PageState.Failure) -> Step {
        if failure.code == "http.401" { return .askPassword }
        if let other, failure.code.hasPrefix("network.") {
            (input, firstFailure) = (other, failure)
            self.other = nil
            return .again(other)
        }
        // Without an answer of the server, the reason of the usual way says more.
        return .fail(failure.code.hasPrefix("network.") ? firstFailure ?? failure : failure)
    }
}
