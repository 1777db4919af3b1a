extension WindowDescription {
    /// The page of the player.
    static let player = """
        <object class="GtkScrolledWindow">
          <property name="hscrollbar-policy">never</property>
          <property name="child">
            <object class="GtkBox" id="player">
              <property name="orientation">vertical</property>
              <property name="spacing">6</property>
              <property name="margin-top">6</property>
              <property name="margin-bottom">12</property>
              <child>
                <object class="GtkPicture" id="video">
                  <property name="visible">False</property>
                  <property name="vexpand">True</property>
                  <property name="height-request">160</property>
                  <property name="margin-bottom">6</property>
                  <style><class name="video"/></style>
                  <accessibility><property name="label">Video</property></accessibility>
                </object>
              </child>
              <child>
                <object class="GtkPicture" id="cover">
                  <property name="visible">False</property>
                  <property name="vexpand">True</property>
                  <property name="halign">center</property>
                  <property name="margin-start">18</property>
                  <property name="margin-end">18</property>
                  <property name="margin-top">6</property>
                  <property name="margin-bottom">12</property>
                  <property name="height-request">120</property>
                  <style><class name="cover"/></style>
                  <accessibility><property name="label">Cover</property></accessibility>
                </object>
              </child>
              <child>
                <object class="GtkLabel" id="trackTitle">
                  <property name="ellipsize">end</property>
                  <property name="wrap">True</property>
                  <property name="wrap-mode">word-char</property>
                  <property name="lines">2</property>
                  <property name="justify">center</property>
                  <property name="margin-start">18</property>
                  <property name="margin-end">18</property>
                  <style><class name="title-2"/></style>
                </object>
              </child>
              <child>
                <object class="GtkLabel" id="trackDetail">
                  <property name="ellipsize">end</property>
                  <property name="margin-start">18</property>
                  <property name="margin-end">18</property>
                  <style><class name="dim-label"/></style>
                </object>
              </child>
              <child>
                <object class="GtkLabel" id="chapterLabel">
                  <property name="ellipsize">end</property>
                  <property name="visible">False</property>
                  <property name="margin-start">18</property>
                  <property name="margin-end">18</property>
                  <style><class name="heading"/></style>
                </object>
              </child>
              <child>
                <object class="GtkLabel" id="sleepLabel">
                  <property name="ellipsize">end</property>
                  <property name="visible">False</property>
                  <style><class name="dim-label"/><class name="numeric"/></style>
                </object>
              </child>
              <child>
                <object class="AdwBin" id="waveformArea">
                  <property name="vexpand">True</property>
                  <property name="child">
                    <object class="GtkBox">
                      <property name="orientation">vertical</property>
                      <property name="spacing">6</property>
                      <child>
                        <object class="GtkOverlay" id="waveform">
                          <property name="height-request">96</property>
                          <property name="margin-top">6</property>
                          <property name="margin-start">18</property>
                          <property name="margin-end">18</property>
                          <property name="vexpand">True</property>
                        </object>
                      </child>
                      <child>
                        <object class="GtkCenterBox">
                          <property name="margin-start">18</property>
                          <property name="margin-end">18</property>
                          <child type="start">
                            <object class="GtkLabel" id="elapsed">
                              <style><class name="numeric"/><class name="caption"/></style>
                            </object>
                          </child>
                          <child type="center">
                            <object class="GtkLabel" id="networkLabel">
                              <property name="ellipsize">end</property>
                              <property name="margin-start">12</property>
                              <property name="margin-end">12</property>
                              <style><class name="dim-label"/><class name="caption"/></style>
                            </object>
                          </child>
                          <child type="end">
                            <object class="GtkLabel" id="remaining">
                              <style><class name="numeric"/><class name="caption"/><class name="dim-label"/></style>
                            </object>
                          </child>
                        </object>
                      </child>
                    </object>
                  </property>
                </object>
              </child>
              <child>\(controls)</child>
              <child>\(sliders)</child>
            </object>
          </property>
        </object>
        """

    private static func button(_ id: String, icon: String, action: String, label: String, keys: String) -> String {
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

    private static let controls = """
        <object class="GtkBox">
          <property name="halign">center</property>
          <property name="spacing">12</property>
          <property name="margin-top">6</property>
          <property name="margin-bottom">6</property>
          <child>\(button("previous", icon: "media-skip-backward-symbolic", action: "win.previous", label: "Previous", keys: "&lt;"))</child>
          <child>\(button("skipBack", icon: "syrinx-skip-back-symbolic", action: "win.skip-back", label: "Back", keys: "Left"))</child>
          <child>
            <object class="GtkButton" id="playButton">
              <property name="action-name">win.toggle</property>
              <property name="tooltip-text">Play or Pause (Space)</property>
              <style><class name="circular"/><class name="suggested-action"/><class name="play"/></style>
              <property name="child">
                <object class="GtkStack" id="playSigns">
                  <property name="halign">center</property>
                  <property name="valign">center</property>
                  <child>
                    <object class="GtkStackPage">
                      <property name="name">play</property>
                      <property name="child">
                        <object class="GtkImage">
                          <property name="icon-name">media-playback-start-symbolic</property>
                          <property name="pixel-size">28</property>
                        </object>
                      </property>
                    </object>
                  </child>
                  <child>
                    <object class="GtkStackPage">
                      <property name="name">pause</property>
                      <property name="child"><object class="GtkBox" id="meter"/></property>
                    </object>
                  </child>
                </object>
              </property>
            </object>
          </child>
          <child>\(button("skipForward", icon: "syrinx-skip-forward-symbolic", action: "win.skip-forward", label: "Forward", keys: "Right"))</child>
          <child>\(button("next", icon: "media-skip-forward-symbolic", action: "win.next", label: "Next", keys: "&gt;"))</child>
        </object>
        """

    private static func slider(
        _ id: String,
        label: String,
        lower: Double,
        upper: Double,
        step: Double,
        page: Double,
        value: Double,
        hasOrigin: Bool = false
    ) -> String {
        """
        <object class="GtkBox">
          <property name="spacing">6</property>
          <child>
            <object class="GtkLabel" id="\(id)Label">
              <property name="label">\(label)</property>
              <property name="xalign">0</property>
              <property name="width-chars">7</property>
            </object>
          </child>
          <child>
            <object class="GtkScale" id="\(id)">
              <property name="hexpand">True</property>
              <property name="has-origin">\(hasOrigin ? "True" : "False")</property>
              <property name="round-digits">-1</property>
              <property name="tooltip-text">\(label) (double-click to reset)</property>
              <style><class name="compact"/></style>
              <property name="adjustment">
                <object class="GtkAdjustment" id="\(id)Adjustment">
                  <property name="lower">\(lower)</property>
                  <property name="upper">\(upper)</property>
                  <property name="step-increment">\(step)</property>
                  <property name="page-increment">\(page)</property>
                  <property name="value">\(value)</property>
                </object>
              </property>
              <accessibility><property name="label">\(label)</property></accessibility>
            </object>
          </child>
          <child>
            <object class="GtkLabel" id="\(id)Value">
              <property name="xalign">1</property>
              <property name="width-chars">6</property>
              <style><class name="numeric"/><class name="dim-label"/></style>
            </object>
          </child>
        </object>
        """
    }

    private static let sliders = """
        <object class="AdwClamp">
          <property name="maximum-size">480</property>
          <property name="margin-start">18</property>
          <property name="margin-end">18</property>
          <property name="child">
            <object class="GtkBox">
              <property name="orientation">vertical</property>
              <child>\(slider("rate", label: "Speed", lower: 0.25, upper: 4, step: 0.25, page: 0.5, value: 1))</child>
              <child>\(slider("pitch", label: "Pitch", lower: -24, upper: 24, step: 1, page: 12, value: 0))</child>
              <child>\(slider("volume", label: "Volume", lower: 0, upper: 100, step: 2, page: 10, value: 100, hasOrigin: true))</child>
            </object>
          </property>
        </object>
        """

    /// The rules of the style sheet.
    static let style = """
        .play { min-width: 64px; min-height: 64px; padding: 0; }
        .control { min-width: 40px; min-height: 40px; padding: 0; }
        .video { background-color: black; }
        .drop-page { background-color: alpha(@window_bg_color, 0.9); }
        scale.seek { opacity: 0; }
        scale.compact { padding-top: 8px; padding-bottom: 8px; }
        .playing-row { font-weight: bold; }
        .drop-queue { box-shadow: inset 0 0 0 2px @accent_color; }
        row.drop-above { box-shadow: inset 0 2px @accent_color; }
        row.drop-below { box-shadow: inset 0 -2px @accent_color; }
        """
}
