/// The version of Syrinx, which programs and requests tell.
public enum SyrinxVersion {
    /// The version, by semantic versioning.
    public static let text = "0.1.0"
    /// The value of `User-Agent`: the name, and the first two numbers of the version.
    static let userAgent = "Syrinx/" + text.split(separator: ".").prefix(2).joined(separator: ".")
}
