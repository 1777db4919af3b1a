/// The names by which the desktop's panels show this program.
///
/// It is Syrinx's own: Apple's systems know a program by its bundle.
public struct MPDesktopIdentity: Sendable, Equatable {
    /// The name for people, such as `Syrinx`.
    public var title: String
    /// The name of the program's desktop file without `.desktop`, by which panels find its icon; `nil` if it has none.
    public var desktopEntry: String?

    /// Creates an identity.
    /// - Parameters:
    ///   - title: The name for people.
    ///   - desktopEntry: The name of the desktop file without `.desktop`, such as `org.example.Player`; `nil`, the default, if there
    ///     is none.
    public init(title: String, desktopEntry: String? = nil) {
        (self.title, self.desktopEntry) = (title, desktopEntry)
    }
}
