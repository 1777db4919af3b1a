import SyrinxGTK

/// The widgets of the player's page but for its sliders, which are the sound's.
@MainActor
struct PlayerWidgets {
    let video: Widget
    let cover: Widget
    let title: Widget
    let detail: Widget
    let chapter: Widget
    let sleep: Widget
    let waveformArea: Widget
    let waveform: Widget
    let elapsed: Widget
    let network: Widget
    let remaining: Widget
    let transport: TransportWidgets

    init(_ description: Builder) {
        (video, cover, title) = (description.get("video"), description.get("cover"), description.get("trackTitle"))
        (detail, chapter) = (description.get("trackDetail"), description.get("chapterLabel"))
        (sleep, waveformArea) = (description.get("sleepLabel"), description.get("waveformArea"))
        (waveform, elapsed) = (description.get("waveform"), description.get("elapsed"))
        (network, remaining) = (description.get("networkLabel"), description.get("remaining"))
        transport = TransportWidgets(description)
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkScrolledWindow">
          <property name="hscrollbar-policy">never</property>
          <property name="child"><object class="GtkBox" id="player">
            <property name="orientation">vertical</property><property name="spacing">6</property>
            <property name="margin-top">6</property><property name="margin-bottom">12</property>
            <child><object class="GtkPicture" id="video">
              <property name="visible">False</property><property name="vexpand">True</property>
              <property name="height-request">160</property><property name="margin-bottom">6</property>
              <style><class name="video"/></style>
              <accessibility><property name="label">Video</property></accessibility>
            </object></child>
            <child><object class="GtkPicture" id="cover">
              <property name="visible">False</property><property name="vexpand">True</property>
              <property name="halign">center</property><property name="margin-start">18</property>
              <property name="margin-end">18</property><property name="margin-top">6</property>
              <property name="margin-bottom">12</property><property name="height-request">120</property>
              <style><class name="cover"/></style>
              <accessibility><property name="label">Cover</property></accessibility>
            </object></child>
            <child><object class="GtkLabel" id="trackTitle">
              <property name="ellipsize">end</property><property name="wrap">True</property>
              <property name="wrap-mode">word-char</property><property name="lines">2</property>
              <property name="justify">center</property><property name="margin-start">18</property>
              <property name="margin-end">18</property>
              <style><class name="title-2"/></style>
            </object></child>
            <child><object class="GtkLabel" id="trackDetail">
              <property name="ellipsize">end</property><property name="margin-start">18</property>
              <property name="margin-end">18</property>
              <style><class name="dim-label"/></style>
            </object></child>
            <child><object class="GtkLabel" id="chapterLabel">
              <property name="ellipsize">end</property><property name="visible">False</property>
              <property name="margin-start">18</property><property name="margin-end">18</property>
              <style><class name="heading"/></style>
            </object></child>
            <child><object class="GtkLabel" id="sleepLabel">
              <property name="ellipsize">end</property><property name="visible">False</property>
              <style><class name="dim-label"/><class name="numeric"/></style>
            </object></child>
            <child><object class="AdwBin" id="waveformArea">
              <property name="vexpand">True</property>
              <property name="child"><object class="GtkBox">
                <property name="orientation">vertical</property><property name="spacing">6</property>
                <child><object class="GtkOverlay" id="waveform">
                  <property name="height-request">96</property><property name="margin-top">6</property>
                  <property name="margin-start">18</property><property name="margin-end">18</property>
                  <property name="vexpand">True</property>
                </object></child>
                <child><object class="GtkCenterBox">
                  <property name="margin-start">18</property><property name="margin-end">18</property>
                  <child type="start"><object class="GtkLabel" id="elapsed">
                    <style><class name="numeric"/><class name="caption"/></style>
                  </object></child>
                  <child type="center"><object class="GtkLabel" id="networkLabel">
                    <property name="ellipsize">end</property><property name="margin-start">12</property>
                    <property name="margin-end">12</property>
                    <style><class name="dim-label"/><class name="caption"/></style>
                  </object></child>
                  <child type="end"><object class="GtkLabel" id="remaining">
                    <style><class name="numeric"/><class name="caption"/><class name="dim-label"/></style>
                  </object></child>
                </object></child>
              </object></property>
            </object></child>
            <child>\(TransportWidgets.description)</child>
            <child>\(sliders)</child>
          </object></property>
        </object>
        """

    private nonisolated static let sliders = """
        <object class="AdwClamp">
          <property name="maximum-size">480</property><property name="margin-start">18</property>
          <property name="margin-end">18</property>
          <property name="child"><object class="GtkBox">
            <property name="orientation">vertical</property>
            <child>\(SliderWidgets.description("rate", label: "Speed", lower: 0.25, upper: 4, step: 0.25, page: 0.5, value: 1))</child>
            <child>\(SliderWidgets.description("pitch", label: "Pitch", lower: -24, upper: 24, step: 1, page: 12, value: 0))</child>
            <child>\(SliderWidgets.description("volume", label: "Volume", lower: 0, upper: 100, step: 2, page: 10, value: 100, hasOrigin: true))</child>
          </object></property>
        </object>
        """

    /// The rules of the style sheet.
    nonisolated static let style = """
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
