/// The settings of GTK's renderer.
public enum RendererSettings {
    /// Returns the value that `GDK_DEBUG` is to have; `nil` if it stays as it is.
    ///
    /// GDK loads OpenGL's driver also where Cairo is chosen to draw. It takes some 50 MB and is not used.
    /// - Parameter environment: The environment of the process.
    public static func debugFlags(_ environment: [String: String]) -> String? {
        guard environment["GSK_RENDERER"] == "cairo" else { return nil }
        let flags = environment["GDK_DEBUG"] ?? ""
        guard !flags.contains("gl-") else { return nil }
        return flags.isEmpty ? "gl-disable" : flags + ",gl-disable"
    }
}
