/// The version of Syrinx, as reported by its programs and HTTP requests.
public enum SyrinxVersion {
    /// The semantic version.
    public static let text = "0.1.0"
    /// The value of `User-Agent`: the name, and the first two components of the version.
    static let userAgent = "Syrinx/" + text.split(separator: ".").prefix(2).joined(separator: ".")
}
