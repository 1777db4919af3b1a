import SyrinxGTK
import SyrinxHTTPStream

/// The window that names the program and its version.
@MainActor
enum AboutWindow {
    /// Shows the window in front of another.
    static func show(_ parent: Window) {
        let builder = Builder(
            """
            <interface><object class="AdwAboutWindow" id="about">
            <property name="application-name">Syrinx</property>
            <property name="application-icon">\(DesktopApp.id)</property>
            <property name="version">\(SyrinxVersion.text)</property>
            <property name="comments">Plays recordings, podcasts and radio, at any speed and pitch.</property>
            <property name="license-type">apache-2-0</property>
            </object></interface>
            """
        )
        let about = builder.get("about", Window.self)
        about.setParent(parent)
        about.present()
    }
}
