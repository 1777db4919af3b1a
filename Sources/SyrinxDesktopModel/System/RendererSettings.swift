/// The settings of GTK's renderer.
public enum RendererSettings {
    /// Returns the value to set for `GDK_DEBUG`; `nil` to leave it unchanged.
    ///
    /// GDK loads the OpenGL driver, which takes about 50 MB, even if Cairo is selected for rendering.
    /// - Parameter environment: The environment of the process.
    public static func debugFlags(_ environment: [String: String]) -> String? {
        guard environment["GSK_RENDERER"] == "cairo" else { return nil }
        let flags = environment["GDK_DEBUG"] ?? ""
        guard !flags.contains("gl-") else { return nil }
        return flags.isEmpty ? "gl-disable" : flags + ",gl-disable"
    }
}
