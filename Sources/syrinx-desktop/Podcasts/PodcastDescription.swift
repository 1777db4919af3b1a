/// The widgets of the page of podcasts, in GTK's XML.
enum PodcastDescription {
    static let content = """
        <interface>
          <object class="GtkStack" id="views"><property name="transition-type">slide-left-right</property></object>
          <object class="AdwSqueezer" id="showButton">
            <property name="homogeneous">False</property><property name="allow-none">True</property>
            <child>\(button("syrinx-podcasts-symbolic", "win.podcasts", "Podcasts (Ctrl+P)"))</child>
          </object>
          <object class="AdwToastOverlay" id="toasts">
            <property name="child"><object class="GtkBox">
              <property name="orientation">vertical</property>
              <child><object class="GtkStack" id="pages">
                <property name="vexpand">True</property><property name="transition-type">crossfade</property>
                <child>\(Description.page("status", status))</child>
                <child>\(Description.page("lists", lists))</child>
              </object></child>
              <child>\(NowPlayingWidgets.description)</child>
            </object></property>
          </object>
          \(menus)
          \(EpisodeMenus.description)
        </interface>
        """

    private static func button(_ icon: String, _ action: String, _ label: String, id: String = "") -> String {
        """
        <object class="GtkButton"\(id.isEmpty ? "" : " id=\"\(id)\"")>
          <property name="icon-name">\(icon)</property>
          <property name="action-name">\(action)</property>
          <property name="tooltip-text">\(label)</property>
          <accessibility><property name="label">\(label)</property></accessibility>
        </object>
        """
    }

    private static func header(_ title: String, _ children: String, id: String = "") -> String {
        """
        <object class="AdwHeaderBar"\(id.isEmpty ? "" : " id=\"\(id)\"")>
          <property name="title-widget">
            <object class="AdwWindowTitle"\(id.isEmpty ? "" : " id=\"\(id)Title\"")><property name="title">\(title)</property></object>
          </property>
          \(children)
        </object>
        """
    }

    private static let mainButtons = """
        <child>\(button("go-previous-symbolic", "win.player", "Back to the Player (Escape)"))</child>
        <child type="end"><object class="GtkMenuButton">
          <property name="icon-name">open-menu-symbolic</property><property name="menu-model">podcastMenu</property>
          <property name="tooltip-text">Podcasts Menu</property>
          <accessibility><property name="label">Podcasts Menu</property></accessibility>
        </object></child>
        <child type="end">\(button("list-add-symbolic", "win.podcast-add", "Add Podcast (Shift+Ctrl+N)"))</child>
        """

    private static let status = """
        <object class="GtkBox">
          <property name="orientation">vertical</property>
          <child>\(header("Podcasts", mainButtons))</child>
          <child><object class="AdwStatusPage" id="status">
            <property name="vexpand">True</property>
            <property name="child"><object class="GtkBox">
              <property name="orientation">vertical</property><property name="spacing">12</property>
              <property name="halign">center</property>
              <child><object class="GtkSpinner" id="statusSpinner">
                <property name="width-request">32</property><property name="height-request">32</property>
              </object></child>
              <child><object class="GtkButton" id="statusButton">
                <style><class name="pill"/><class name="suggested-action"/></style>
              </object></child>
              <child><object class="GtkButton" id="importButton">
                <property name="label">Import…</property><property name="action-name">win.podcast-import</property>
                <style><class name="pill"/></style>
              </object></child>
            </object></property>
          </object></child>
        </object>
        """

    private static let lists = """
        <object class="AdwLeaflet" id="leaflet">
          <property name="can-navigate-back">True</property>
          <child>\(sidebar)</child>
          <child><object class="AdwLeafletPage">
            <property name="navigatable">False</property>
            <property name="child">
              <object class="GtkSeparator"><property name="orientation">vertical</property></object>
            </property>
          </object></child>
          <child>\(episodes)</child>
        </object>
        """

    private static let sidebar = """
        <object class="AdwLeafletPage" id="sidebarPage">
          <property name="name">podcasts</property>
          <property name="child"><object class="GtkBox">
            <property name="orientation">vertical</property><property name="width-request">280</property>
            <property name="hexpand">False</property>
            <child>\(header("Podcasts", mainButtons, id: "sidebarHeader"))</child>
            <child><object class="GtkSearchEntry" id="search">
              <property name="placeholder-text">Search episodes</property>
              <property name="margin-start">12</property><property name="margin-end">12</property>
              <property name="margin-top">6</property><property name="margin-bottom">6</property>
              <accessibility><property name="label">Search Episodes</property></accessibility>
            </object></child>
            <child><object class="GtkScrolledWindow">
              <property name="hscrollbar-policy">never</property><property name="vexpand">True</property>
              <property name="child"><object class="GtkListBox" id="showList">
                <style><class name="navigation-sidebar"/></style>
                <accessibility><property name="label">Podcasts</property></accessibility>
              </object></property>
            </object></child>
            <child><object class="GtkRevealer" id="progressRevealer">
              <property name="child"><object class="GtkBox">
                <property name="orientation">vertical</property><property name="spacing">6</property>
                <property name="margin-start">12</property><property name="margin-end">12</property>
                <property name="margin-top">6</property><property name="margin-bottom">12</property>
                <child><object class="GtkLabel" id="progressLabel">
                  <property name="xalign">0</property><property name="ellipsize">middle</property>
                  <property name="max-width-chars">1</property>
                  <style><class name="caption"/><class name="dim-label"/></style>
                </object></child>
                <child><object class="GtkProgressBar" id="progressBar">
                  <style><class name="thin"/></style>
                  <accessibility><property name="label">Progress</property></accessibility>
                </object></child>
              </object></property>
            </object></child>
          </object></property>
        </object>
        """

    private static let episodes = """
        <object class="AdwLeafletPage" id="episodesPage">
          <property name="name">episodes</property>
          <property name="child">
            <object class="GtkBox">
              <property name="orientation">vertical</property><property name="hexpand">True</property>
              <child>\(header("", """
                <child>\(button("go-previous-symbolic", "win.podcast-back", "Back to the Podcasts", id: "backButton"))</child>
                <child type="end"><object class="GtkMenuButton" id="showMenuButton">
                  <property name="icon-name">view-more-symbolic</property>
                  <property name="menu-model">showMenu</property>
                  <property name="tooltip-text">Podcast Menu</property>
                  <accessibility><property name="label">Podcast Menu</property></accessibility>
                </object></child>
                <child type="end"><object class="GtkMenuButton" id="arrangementButton">
                  <property name="icon-name">view-sort-descending-symbolic</property>
                  <property name="menu-model">arrangementMenu</property>
                  <property name="tooltip-text">Filter and Order</property>
                  <accessibility><property name="label">Filter and Order</property></accessibility>
                </object></child>
                """, id: "episodesHeader"))</child>
              <child>
                <object class="GtkStack" id="contents">
                  <property name="vexpand">True</property><property name="transition-type">crossfade</property>
                  <property name="hhomogeneous">False</property><property name="vhomogeneous">False</property>
                  <child>\(Description.page("loading", """
                    <object class="GtkSpinner" id="listSpinner">
                      <property name="halign">center</property><property name="valign">center</property>
                      <property name="width-request">32</property><property name="height-request">32</property>
                    </object>
                    """))</child>
                  <child>\(Description.page("empty", """
                    <object class="AdwStatusPage" id="listStatus">
                      <property name="child"><object class="GtkButton" id="listButton">
                        <property name="halign">center</property>
                        <property name="action-name">win.podcast-refresh-list</property>
                        <style><class name="pill"/></style>
                      </object></property>
                    </object>
                    """))</child>
                  <child>\(Description.page("episodes", list))</child>
                  <child>\(Description.page("episode", EpisodeWidgets.description))</child>
                </object>
              </child>
            </object>
          </property>
        </object>
        """

    private static let list = """
        <object class="GtkScrolledWindow" id="episodeScroller">
          <property name="hscrollbar-policy">never</property>
          <property name="child"><object class="AdwClamp">
            <property name="maximum-size">760</property>
            <property name="child"><object class="GtkBox">
              <property name="orientation">vertical</property><property name="spacing">18</property>
              <property name="margin-top">18</property><property name="margin-bottom">18</property>
              <property name="margin-start">12</property><property name="margin-end">12</property>
              <child>\(ShowWidgets.description)</child>
              <child><object class="GtkListBox" id="episodeList">
                <property name="selection-mode">none</property><property name="valign">start</property>
                <style><class name="boxed-list"/></style>
                <accessibility><property name="label">Episodes</property></accessibility>
              </object></child>
              <child><object class="GtkButton" id="moreButton">
                <property name="label">Show More</property><property name="halign">center</property>
                <property name="action-name">win.podcast-more</property>
                <style><class name="pill"/></style>
              </object></child>
            </object></property>
          </object></property>
        </object>
        """

    private static let markAll = Description.section(("Mark All as Played", "win.podcast-mark-all"))

    private static let menus = """
        <menu id="inboxMenu">\(markAll)</menu>
        <menu id="podcastMenu">
          \(Description.section(("Refresh All", "win.podcast-refresh")))
          \(Description.section(("Find Podcasts…", "win.podcast-directory")))
          \(Description.section(
            ("Import Subscriptions…", "win.podcast-import"), ("Export Subscriptions…", "win.podcast-export")))
        </menu>
        <menu id="showMenu">
          \(Description.section(("Refresh", "win.podcast-refresh-list"), ("Settings…", "win.podcast-settings")))
          \(markAll)
          \(Description.section(("Unsubscribe…", "win.podcast-unsubscribe")))
        </menu>
        """

    /// The rules of the style sheet.
    static let style = """
        .artwork { border-radius: 6px; background-color: alpha(currentColor, 0.08); }
        .unplayed-dot { min-width: 8px; min-height: 8px; border-radius: 99px; background-color: @accent_bg_color; }
        progressbar.thin > trough, progressbar.thin > trough > progress { min-height: 4px; }
        .count { padding: 1px 8px; border-radius: 99px; background-color: alpha(currentColor, 0.1); }
        """
}
