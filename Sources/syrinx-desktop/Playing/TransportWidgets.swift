import SyrinxGTK

/// The buttons that play, skip and change the recording.
@MainActor
struct TransportWidgets {
    let previous: Widget
    let skipBack: Widget
    let play: Widget
    /// The signs of the button, for playing and for pausing.
    let signs: Widget
    let meter: Widget
    let skipForward: Widget
    let next: Widget

    init(_ description: Builder) {
        (previous, skipBack) = (description.get("previous"), description.get("skipBack"))
        (play, signs, meter) = (description.get("playButton"), description.get("playSigns"), description.get("meter"))
        (skipForward, next) = (description.get("skipForward"), description.get("next"))
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkBox">
          <property name="halign">center</property><property name="spacing">12</property>
          <property name="margin-top">6</property><property name="margin-bottom">6</property>
          <child>\(button("previous", icon: "media-skip-backward-symbolic", action: "win.previous", label: "Previous", keys: "&lt;"))</child>
          <child>\(button("skipBack", icon: "syrinx-skip-back-symbolic", action: "win.skip-back", label: "Back", keys: "Left"))</child>
          <child><object class="GtkButton" id="playButton">
            <property name="action-name">win.toggle</property>
            <property name="tooltip-text">Play or Pause (Space)</property>
            <style><class name="circular"/><class name="suggested-action"/><class name="play"/></style>
            <property name="child"><object class="GtkStack" id="playSigns">
              <property name="halign">center</property><property name="valign">center</property>
              <child><object class="GtkStackPage">
                <property name="name">play</property>
                <property name="child"><object class="GtkImage">
                  <property name="icon-name">media-playback-start-symbolic</property>
                  <property name="pixel-size">28</property>
                </object></property>
              </object></child>
              <child><object class="GtkStackPage">
                <property name="name">pause</property>
                <property name="child"><object class="GtkBox" id="meter"/></property>
              </object></child>
            </object></property>
          </object></child>
          <child>\(button("skipForward", icon: "syrinx-skip-forward-symbolic", action: "win.skip-forward", label: "Forward", keys: "Right"))</child>
          <child>\(button("next", icon: "media-skip-forward-symbolic", action: "win.next", label: "Next", keys: "&gt;"))</child>
        </object>
        """

    private nonisolated static func button(
        _ id: String,
        icon: String,
        action: String,
        label: String,
        keys: String
    ) -> String {
        """
        <object class="GtkButton" id="\(id)">
          <property name="icon-name">\(icon)</property>
          <property name="action-name">\(action)</property>
          <property name="tooltip-text">\(label) (\(keys))</property>
          <property name="valign">center</property>
          <style><class name="circular"/><class name="flat"/><class name="control"/></style>
          <accessibility><property name="label">\(label)</property></accessibility>
        </object>
        """
    }
}
