import SyrinxDesktopModel

/// The widgets of the player's window, in GTK's XML.
///
/// The classes and properties are those of GTK 4.8 and libadwaita 1.2.
enum WindowDescription {
    static let content = """
        <interface>
          <object class="AdwToastOverlay" id="toasts">
            <property name="child">
              <object class="GtkOverlay" id="overlay">
                <property name="child">
                  <object class="GtkBox" id="page">
                    <property name="orientation">vertical</property>
                    <child>\(header)</child>
                    <child>
                      <object class="AdwFlap" id="flap">
                        <property name="vexpand">True</property>
                        <property name="flap-position">end</property>
                        <property name="reveal-flap">False</property>
                        <property name="locked">True</property>
                        <property name="flap">\(queue)</property>
                        <property name="separator">
                          <object class="GtkSeparator"><property name="orientation">vertical</property></object>
                        </property>
                        <property name="content">
                          <object class="GtkStack" id="pages">
                            <property name="hexpand">True</property>
                            <property name="hhomogeneous">False</property>
                            <property name="vhomogeneous">False</property>
                            <property name="transition-type">crossfade</property>
                            <child>\(page("empty", status("empty", icon: "io.github.syrinx.Syrinx", button: "win.open")))</child>
                            <child>\(page("blank", "<object class=\"GtkBox\"/>"))</child>
                            <child>\(page("start", StartPage.content))</child>
                            <child>\(page("loading", loading))</child>
                            <child>\(page("player", player))</child>
                            <child>\(page("error", status("error", icon: "dialog-warning-symbolic", button: "win.retry")))</child>
                          </object>
                        </property>
                      </object>
                    </child>
                  </object>
                </property>
                <child type="overlay">
                  <object class="AdwStatusPage" id="dropPage">
                    <property name="visible">False</property>
                    <property name="can-target">False</property>
                    <property name="icon-name">document-open-symbolic</property>
                    <property name="title">Drop to Play</property>
                    <style><class name="drop-page"/></style>
                  </object>
                </child>
              </object>
            </property>
          </object>
          \(menu)
        </interface>
        """

    private static func page(_ name: String, _ child: String) -> String {
        """
        <object class="GtkStackPage"><property name="name">\(name)</property><property name="child">\(child)</property></object>
        """
    }

    private static func status(_ name: String, icon: String, button: String) -> String {
        """
        <object class="AdwStatusPage" id="\(name)Status">
          <property name="icon-name">\(icon)</property>
          <property name="child">
            <object class="GtkBox">
              <property name="orientation">vertical</property>
              <property name="spacing">12</property>
              <property name="halign">center</property>
              <child>
                <object class="GtkButton" id="\(name)Button">
                  <property name="action-name">\(button)</property>
                  <style><class name="pill"/><class name="suggested-action"/></style>
                </object>
              </child>
              <child>
                <object class="GtkButton" id="\(name)Next">
                  <property name="label">Next in the Queue</property>
                  <property name="action-name">win.next</property>
                  <property name="visible">False</property>
                  <style><class name="pill"/></style>
                </object>
              </child>
              <child>
                <object class="GtkButton">
                  <property name="label">Open Address…</property>
                  <property name="action-name">win.open-address</property>
                  <style><class name="pill"/></style>
                </object>
              </child>
            </object>
          </property>
        </object>
        """
    }

    private static let loading = """
        <object class="GtkBox">
          <property name="orientation">vertical</property>
          <property name="spacing">18</property>
          <property name="valign">center</property>
          <property name="margin-start">18</property>
          <property name="margin-end">18</property>
          <child>
            <object class="GtkSpinner" id="spinner">
              <property name="width-request">48</property>
              <property name="height-request">48</property>
              <property name="halign">center</property>
            </object>
          </child>
          <child>
            <object class="GtkLabel" id="loadingLabel">
              <property name="wrap">True</property>
              <property name="wrap-mode">word-char</property>
              <property name="justify">center</property>
              <property name="ellipsize">middle</property>
              <property name="lines">2</property>
              <style><class name="dim-label"/></style>
            </object>
          </child>
        </object>
        """

    private static let header = """
        <object class="AdwHeaderBar" id="header">
          <style><class name="flat"/></style>
          <property name="title-widget">
            <object class="AdwSqueezer">
              <property name="homogeneous">False</property>
              <property name="allow-none">True</property>
              <child><object class="AdwWindowTitle" id="title"><property name="title">Syrinx</property></object></child>
            </object>
          </property>
          <child>
            <object class="AdwSplitButton" id="openButton">
              <property name="label">Open</property>
              <property name="action-name">win.open</property>
              <property name="tooltip-text">Open Files (Ctrl+O)</property>
              <property name="menu-model">openMenu</property>
              <property name="dropdown-tooltip">More Ways to Open</property>
            </object>
          </child>
          <child type="end">
            <object class="GtkMenuButton" id="menuButton">
              <property name="icon-name">open-menu-symbolic</property>
              <property name="menu-model">mainMenu</property>
              <property name="primary">True</property>
              <property name="tooltip-text">Main Menu</property>
              <accessibility><property name="label">Main Menu</property></accessibility>
            </object>
          </child>
          <child type="end">
            <object class="GtkToggleButton" id="queueButton">
              <property name="icon-name">view-list-symbolic</property>
              <property name="tooltip-text">Queue (F9)</property>
              <property name="active" bind-source="flap" bind-property="reveal-flap" bind-flags="bidirectional|sync-create"/>
              <accessibility><property name="label">Queue</property></accessibility>
            </object>
          </child>
          <child type="end">
            <object class="GtkMenuButton" id="soundButton">
              <property name="icon-name">syrinx-sound-symbolic</property>
              <property name="tooltip-text">Sound</property>
              <property name="popover">
                <object class="GtkPopover">
                  <property name="child">\(effects)</property>
                </object>
              </property>
              <accessibility><property name="label">Sound</property></accessibility>
            </object>
          </child>
        </object>
        """

    /// A list of places of the recording with its heading, hidden until there are some.
    private static func places(_ title: String, heading: String, list: String) -> String {
        """
        <child>
          <object class="GtkLabel" id="\(heading)">
            <property name="label">\(title)</property>
            <property name="xalign">0</property>
            <property name="margin-start">12</property>
            <property name="margin-top">12</property>
            <property name="visible">False</property>
            <style><class name="heading"/></style>
          </object>
        </child>
        <child>
          <object class="GtkListBox" id="\(list)">
            <property name="selection-mode">none</property>
            <property name="visible">False</property>
            <style><class name="navigation-sidebar"/></style>
            <accessibility><property name="label">\(title)</property></accessibility>
          </object>
        </child>
        """
    }

    private static let queue = """
        <object class="GtkBox" id="queuePane">
          <property name="orientation">vertical</property>
          <property name="width-request">280</property>
          <property name="hexpand">False</property>
          <style><class name="background"/><class name="queue-pane"/></style>
          <child>
            <object class="GtkScrolledWindow" id="queueScroller">
              <property name="hscrollbar-policy">never</property>
              <property name="vexpand">True</property>
              <property name="child">
                <object class="GtkBox" id="queueContent">
                  <property name="orientation">vertical</property>
                  \(places("Chapters", heading: "chaptersHeading", list: "chapterList"))
                  \(places("Bookmarks", heading: "bookmarksHeading", list: "bookmarkList"))
                  <child>
                    <object class="GtkBox">
                      <property name="margin-start">12</property>
                      <property name="margin-end">6</property>
                      <property name="margin-top">6</property>
                      <child>
                        <object class="GtkBox">
                          <property name="orientation">vertical</property>
                          <property name="valign">center</property>
                          <property name="margin-end">6</property>
                          <property name="hexpand">True</property>
                          <child>
                            <object class="GtkLabel">
                              <property name="label">Queue</property>
                              <property name="xalign">0</property>
                              <style><class name="heading"/></style>
                            </object>
                          </child>
                          <child>
                            <object class="GtkLabel" id="queueSummary">
                              <property name="xalign">0</property>
                              <property name="ellipsize">end</property>
                              <property name="visible">False</property>
                              <style><class name="caption"/><class name="numeric"/><class name="dim-label"/></style>
                            </object>
                          </child>
                        </object>
                      </child>
                      <child>
                        <object class="GtkToggleButton" id="queueSearchButton">
                          <property name="icon-name">system-search-symbolic</property>
                          <property name="tooltip-text">Search in the Queue (Ctrl+F)</property>
                          <style><class name="flat"/></style>
                          <accessibility><property name="label">Search in the Queue</property></accessibility>
                        </object>
                      </child>
                      <child>
                        <object class="GtkToggleButton" id="shuffleButton">
                          <property name="icon-name">media-playlist-shuffle-symbolic</property>
                          <property name="tooltip-text">Shuffle (S)</property>
                          <style><class name="flat"/></style>
                          <accessibility><property name="label">Shuffle</property></accessibility>
                        </object>
                      </child>
                      <child>
                        <object class="GtkToggleButton" id="repeatButton">
                          <style><class name="flat"/></style>
                        </object>
                      </child>
                      <child>
                        <object class="GtkMenuButton" id="queueMenuButton">
                          <property name="icon-name">view-more-symbolic</property>
                          <property name="menu-model">queueMenu</property>
                          <property name="tooltip-text">More of the Queue</property>
                          <style><class name="flat"/></style>
                          <accessibility><property name="label">More of the Queue</property></accessibility>
                        </object>
                      </child>
                    </object>
                  </child>
                  <child>
                    <object class="GtkRevealer" id="queueSearch">
                      <property name="child">
                        <object class="GtkSearchEntry" id="queueSearchEntry">
                          <property name="visible">False</property>
                          <property name="placeholder-text">Title, performer, album</property>
                          <property name="margin-start">12</property>
                          <property name="margin-end">12</property>
                          <property name="margin-top">6</property>
                          <accessibility><property name="label">Words to Search for in the Queue</property></accessibility>
                        </object>
                      </property>
                    </object>
                  </child>
                  <child>
                    <object class="GtkListBox" id="queueList">
                      <property name="selection-mode">none</property>
                      <style><class name="navigation-sidebar"/></style>
                      <accessibility><property name="label">Queue</property></accessibility>
                      <child type="placeholder">
                        <object class="GtkLabel" id="queuePlaceholder">
                          <property name="label">\(QueueRows.emptyText(isSearch: false))</property>
                          <property name="wrap">True</property>
                          <property name="margin-top">24</property>
                          <property name="margin-bottom">24</property>
                          <property name="margin-start">12</property>
                          <property name="margin-end">12</property>
                          <property name="justify">center</property>
                          <style><class name="dim-label"/></style>
                        </object>
                      </child>
                    </object>
                  </child>
                </object>
              </property>
            </object>
          </child>
        </object>
        """

    private static let menu = """
        <menu id="openMenu">
          <section>
            <item><attribute name="label">Open Folder…</attribute><attribute name="action">win.open-folder</attribute></item>
            <item><attribute name="label">Open Address…</attribute><attribute name="action">win.open-address</attribute></item>
            <item><attribute name="label">Paste Address</attribute><attribute name="action">win.paste</attribute></item>
          </section>
          <section id="recentMenu"><attribute name="label">Recent</attribute></section>
        </menu>
        <menu id="queueMenu">
          <section>
            <item><attribute name="label">To What Plays</attribute><attribute name="action">win.queue-to-playing</attribute></item>
          </section>
          <section>
            <item><attribute name="label">Clear</attribute><attribute name="action">win.queue-clear</attribute></item>
          </section>
        </menu>
        <menu id="mainMenu">
          <section>
            <item><attribute name="label">New Window</attribute><attribute name="action">app.new-window</attribute></item>
          </section>
          <section>
            <item><attribute name="label">Podcasts</attribute><attribute name="action">win.podcasts</attribute></item>
            <submenu>
              <attribute name="label">Sleep Timer</attribute>
              <section>
                <item><attribute name="label">15 Minutes</attribute><attribute name="action">win.sleep-15</attribute></item>
                <item><attribute name="label">30 Minutes</attribute><attribute name="action">win.sleep-30</attribute></item>
                <item><attribute name="label">45 Minutes</attribute><attribute name="action">win.sleep-45</attribute></item>
                <item><attribute name="label">60 Minutes</attribute><attribute name="action">win.sleep-60</attribute></item>
                <item><attribute name="label">End of Chapter</attribute><attribute name="action">win.sleep-chapter</attribute></item>
                <item><attribute name="label">End of Recording</attribute><attribute name="action">win.sleep-item</attribute></item>
              </section>
              <section>
                <item><attribute name="label">Off</attribute><attribute name="action">win.sleep-off</attribute></item>
              </section>
            </submenu>
            <item><attribute name="label">Close Recording</attribute><attribute name="action">win.close-item</attribute></item>
            <item><attribute name="label">Show Whole Waveform</attribute><attribute name="action">win.show-whole</attribute></item>
            <item><attribute name="label">Spectrogram</attribute><attribute name="action">win.spectrogram</attribute></item>
          </section>
          <section>
            <item><attribute name="label">Keyboard Shortcuts</attribute><attribute name="action">win.show-help-overlay</attribute></item>
            <item><attribute name="label">About Syrinx</attribute><attribute name="action">app.about</attribute></item>
          </section>
        </menu>
        """
}
