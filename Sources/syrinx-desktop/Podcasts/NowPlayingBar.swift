import SyrinxDesktopModel
import SyrinxGTK

/// The bar below the lists: what plays, and its time.
@MainActor
struct NowPlayingBar {
    let widgets: NowPlayingWidgets

    /// Shows what plays in a window.
    func show(_ page: PageState, _ track: TrackText) {
        let isPlayer = page.page != .empty
        widgets.revealer.set("reveal-child", .bool(isPlayer))
        guard isPlayer else { return }
        let isPause = page.showsPause
        let label = isPause ? "Pause" : "Play"
        widgets.play.set("icon-name", .string("media-playback-\(isPause ? "pause" : "start")-symbolic"))
        widgets.play.tooltip = label
        widgets.play.setAccessibleLabel(label)
        widgets.title.set("label", .string(page.waitingText ?? page.texts?.title ?? track.title))
    }

    /// Shows the time.
    /// - Parameters:
    ///   - position: The position in seconds.
    ///   - duration: The length in seconds, if it is known.
    func showTime(_ position: Double, of duration: Double?) {
        let total = duration.map { " / " + TimeText.clock($0) } ?? ""
        widgets.time.set("label", .string(TimeText.clock(position, of: duration) + total))
    }
}

/// The widgets of the bar below the lists.
@MainActor
struct NowPlayingWidgets {
    let revealer: Widget
    let play: Widget
    let title: Widget
    let time: Widget

    init(_ description: Builder) {
        (revealer, play) = (description.get("barRevealer"), description.get("barPlay"))
        (title, time) = (description.get("barTitle"), description.get("barTime"))
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkRevealer" id="barRevealer">
          <property name="transition-type">slide-up</property>
          <property name="child"><object class="GtkBox">
            <property name="orientation">vertical</property>
            <child><object class="GtkSeparator"/></child>
            <child><object class="GtkBox">
              <property name="spacing">6</property>
              <style><class name="toolbar"/></style>
              <child><object class="GtkButton" id="barPlay">
                <property name="action-name">win.toggle</property><property name="valign">center</property>
                <style><class name="circular"/><class name="flat"/></style>
              </object></child>
              <child><object class="GtkButton" id="barButton">
                <property name="action-name">win.player</property><property name="hexpand">True</property>
                <property name="tooltip-text">Show the Player</property>
                <style><class name="flat"/></style>
                <accessibility><property name="label">Show the Player</property></accessibility>
                <property name="child"><object class="GtkBox">
                  <property name="spacing">12</property>
                  <child><object class="GtkLabel" id="barTitle">
                    <property name="xalign">0</property><property name="hexpand">True</property>
                    <property name="ellipsize">end</property>
                    <style><class name="heading"/></style>
                  </object></child>
                  <child><object class="GtkLabel" id="barTime">
                    <style><class name="numeric"/><class name="dim-label"/><class name="caption"/></style>
                  </object></child>
                </object></property>
              </object></child>
            </object></child>
          </object></property>
        </object>
        """
}
