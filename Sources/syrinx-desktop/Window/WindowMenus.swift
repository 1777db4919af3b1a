/// The menus of a window, in GTK's XML.
enum WindowMenus {
    static let description = """
        <menu id="openMenu">
          \(Description.section(
            ("Open Folder…", "win.open-folder"), ("Open Address…", "win.open-address"), ("Paste Address", "win.paste")))
          <section id="recentMenu"><attribute name="label">Recent</attribute></section>
        </menu>
        <menu id="queueMenu">
          \(Description.section(("To What Plays", "win.queue-to-playing")))
          \(Description.section(("Clear", "win.queue-clear")))
        </menu>
        <menu id="mainMenu">
          \(Description.section(("New Window", "app.new-window")))
          <section>
            \(Description.items([("Podcasts", "win.podcasts")]))
            <submenu>
              <attribute name="label">Sleep Timer</attribute>
              \(sleep)
            </submenu>
            <submenu>
              <attribute name="label">Audio Track</attribute>
              <section id="trackMenu"/>
            </submenu>
            \(Description.items([
              ("All Bookmarks…", "win.all-bookmarks"), ("Close Recording", "win.close-item"), ("Show Whole Waveform", "win.show-whole"),
              ("Spectrogram", "win.spectrogram"),
            ]))
          </section>
          \(Description.section(("Keyboard Shortcuts", "win.show-help-overlay"), ("About Syrinx", "app.about")))
        </menu>
        """

    /// The choices of the sleep timer.
    private static let sleep =
        Description.section(
            ("15 Minutes", "win.sleep-15"),
            ("30 Minutes", "win.sleep-30"),
            ("45 Minutes", "win.sleep-45"),
            ("60 Minutes", "win.sleep-60"),
            ("End of Chapter", "win.sleep-chapter"),
            ("End of Recording", "win.sleep-item")
        ) + Description.section(("Off", "win.sleep-off"))
}
