/// The names under which the desktop shows this program.
///
/// An addition to Apple's interface: Apple's systems identify a program by its bundle.
///
/// ```swift
/// MPRemoteCommandCenter.shared().desktopIdentity = MPDesktopIdentity(
///     title: "My Player", desktopEntry: "org.example.Player")
/// ```
public struct MPDesktopIdentity: Sendable, Equatable {
    /// The display name, such as `Syrinx`.
    public var title: String
    /// The name of the program's desktop file without `.desktop`, by which panels find its icon; `nil` if it has none.
    public var desktopEntry: String?

    /// Creates an identity.
    /// - Parameters:
    ///   - title: The display name.
    ///   - desktopEntry: The name of the desktop file without `.desktop`, such as `org.example.Player`; `nil`
    ///     (default) for none.
    public init(title: String, desktopEntry: String? = nil) {
        (self.title, self.desktopEntry) = (title, desktopEntry)
    }
}
