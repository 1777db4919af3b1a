import SyrinxGTK

/// The widgets of a window, in which each page has a struct of its own.
///
/// Each is looked up once. The classes and properties are those of GTK 4.8 and libadwaita 1.2.
@MainActor
struct WindowWidgets {
    /// The overlay of messages, which has all of the window.
    let toasts: Widget
    /// The box that takes the colours of the cover.
    let page: Widget
    let header: Widget
    let title: Widget
    let openButton: Widget
    let queueButton: Widget
    let soundButton: Widget
    /// The pages with the queue beside them.
    let flap: Widget
    let pages: Widget
    /// The page that says what a drop does.
    let dropPage: Widget
    let recentMenu: Menu
    let empty: StatusWidgets
    let error: StatusWidgets
    let loading: LoadingWidgets
    let startList: ListBox
    let player: PlayerWidgets
    let queue: QueueWidgets
    let sound: SoundWidgets

    init(_ description: Builder) {
        (toasts, page, header) = (description.get("toasts"), description.get("page"), description.get("header"))
        (title, openButton) = (description.get("title"), description.get("openButton"))
        (queueButton, soundButton) = (description.get("queueButton"), description.get("soundButton"))
        (flap, pages, dropPage) = (description.get("flap"), description.get("pages"), description.get("dropPage"))
        recentMenu = description.get("recentMenu")
        empty = StatusWidgets(description, "empty")
        error = StatusWidgets(description, "error")
        loading = LoadingWidgets(description)
        startList = description.get("startList")
        player = PlayerWidgets(description)
        queue = QueueWidgets(description)
        sound = SoundWidgets(description)
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <interface>
          <object class="AdwToastOverlay" id="toasts">
            <property name="child"><object class="GtkOverlay" id="overlay">
              <property name="child"><object class="GtkBox" id="page">
                <property name="orientation">vertical</property>
                <child>\(header)</child>
                <child><object class="AdwFlap" id="flap">
                  <property name="vexpand">True</property><property name="flap-position">end</property>
                  <property name="reveal-flap">False</property><property name="locked">True</property>
                  <property name="flap">\(QueueWidgets.description)</property>
                  <property name="separator">
                    <object class="GtkSeparator"><property name="orientation">vertical</property></object>
                  </property>
                  <property name="content"><object class="GtkStack" id="pages">
                    <property name="hexpand">True</property><property name="hhomogeneous">False</property>
                    <property name="vhomogeneous">False</property>
                    <property name="transition-type">crossfade</property>
                    <child>\(Description.page("empty", StatusWidgets.description("empty", icon: "io.github.syrinx.Syrinx", button: "win.open")))</child>
                    <child>\(Description.page("blank", "<object class=\"GtkBox\"/>"))</child>
                    <child>\(Description.page("start", StartPage.content))</child>
                    <child>\(Description.page("loading", LoadingWidgets.description))</child>
                    <child>\(Description.page("player", PlayerWidgets.description))</child>
                    <child>\(Description.page("error", StatusWidgets.description("error", icon: "dialog-warning-symbolic", button: "win.retry")))</child>
                  </object></property>
                </object></child>
              </object></property>
              <child type="overlay"><object class="AdwStatusPage" id="dropPage">
                <property name="visible">False</property><property name="can-target">False</property>
                <property name="icon-name">document-open-symbolic</property>
                <property name="title">Drop to Play</property>
                <style><class name="drop-page"/></style>
              </object></child>
            </object></property>
          </object>
          \(WindowMenus.description)
        </interface>
        """

    private nonisolated static let header = """
        <object class="AdwHeaderBar" id="header">
          <style><class name="flat"/></style>
          <property name="title-widget"><object class="AdwSqueezer">
            <property name="homogeneous">False</property><property name="allow-none">True</property>
            <child><object class="AdwWindowTitle" id="title"><property name="title">Syrinx</property></object></child>
          </object></property>
          <child><object class="AdwSplitButton" id="openButton">
            <property name="label">Open</property><property name="action-name">win.open</property>
            <property name="tooltip-text">Open Files (Ctrl+O)</property>
            <property name="menu-model">openMenu</property>
            <property name="dropdown-tooltip">More Ways to Open</property>
          </object></child>
          <child type="end"><object class="GtkMenuButton" id="menuButton">
            <property name="icon-name">open-menu-symbolic</property><property name="menu-model">mainMenu</property>
            <property name="primary">True</property><property name="tooltip-text">Main Menu</property>
            <accessibility><property name="label">Main Menu</property></accessibility>
          </object></child>
          <child type="end"><object class="GtkToggleButton" id="queueButton">
            <property name="icon-name">view-list-symbolic</property>
            <property name="tooltip-text">Queue (F9)</property>
            <property name="active" bind-source="flap" bind-property="reveal-flap" bind-flags="bidirectional|sync-create"/>
            <accessibility><property name="label">Queue</property></accessibility>
          </object></child>
          <child type="end"><object class="GtkMenuButton" id="soundButton">
            <property name="icon-name">syrinx-sound-symbolic</property>
            <property name="tooltip-text">Sound</property>
            <property name="popover"><object class="GtkPopover">
              <property name="child">\(SoundWidgets.description)</property>
            </object></property>
            <accessibility><property name="label">Sound</property></accessibility>
          </object></child>
        </object>
        """
}
