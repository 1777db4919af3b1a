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
    let header: HeaderWidgets
    /// The pages with the queue beside them.
    let flap: Widget
    let pages: Widget
    /// The page that describes the effect of a drop.
    let dropPage: Widget
    let recentMenu: Menu
    let trackMenu: Menu
    let empty: StatusWidgets
    let error: StatusWidgets
    let loading: LoadingWidgets
    let startList: ListBox
    let player: PlayerWidgets
    let queue: QueueWidgets
    let sound: SoundWidgets

    init(_ description: Builder) {
        (toasts, page, header) = (description.get("toasts"), description.get("page"), HeaderWidgets(description))
        (flap, pages, dropPage) = (description.get("flap"), description.get("pages"), description.get("dropPage"))
        recentMenu = description.get("recentMenu")
        trackMenu = description.get("trackMenu")
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
                <child>\(HeaderWidgets.description)</child>
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
}
