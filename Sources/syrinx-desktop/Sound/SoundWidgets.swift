import SyrinxGTK

/// The controls of the sound: the sliders of the player's page, and the pane of all else.
@MainActor
struct SoundWidgets {
    let rate: SliderWidgets
    let pitch: SliderWidgets
    let volume: SliderWidgets
    let pane: Widget
    let effectsOn: Widget
    let curve: Widget
    let equalizer: Widget
    let compressor: EffectWidgets
    let echo: EffectWidgets
    let reverb: EffectWidgets
    let smartSpeed: Widget
    let voiceBoost: Widget
    let mono: Widget
    let balance: Widget
    let balanceAdjustment: Object
    let output: Widget
    let normalize: Widget
    let effects: EffectListView
    let kept: KeptSettingsRow

    init(_ description: Builder) {
        rate = SliderWidgets(description, "rate")
        pitch = SliderWidgets(description, "pitch")
        volume = SliderWidgets(description, "volume")
        (pane, effectsOn) = (description.get("soundPane"), description.get("effectsOn"))
        (curve, equalizer) = (description.get("equalizerCurve"), description.get("equalizer"))
        compressor = EffectWidgets(description, "compressor", hasAmount: false)
        echo = EffectWidgets(description, "echo", hasAmount: true)
        reverb = EffectWidgets(description, "reverb", hasAmount: true)
        (smartSpeed, voiceBoost) = (description.get("smartSpeed"), description.get("voiceBoost"))
        (mono, balance) = (description.get("mono"), description.get("balance"))
        (balanceAdjustment, output) = (description.get("balanceAdjustment"), description.get("output"))
        normalize = description.get("normalize")
        (effects, kept) = (EffectListView(description), KeptSettingsRow(description))
    }

    /// The pane, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkBox" id="soundPane">
          <property name="orientation">vertical</property><property name="spacing">12</property>
          <property name="width-request">300</property><property name="margin-top">6</property>
          <property name="margin-bottom">6</property><property name="margin-start">6</property>
          <property name="margin-end">6</property>
          <child>
            <object class="GtkBox">
              <property name="spacing">12</property>
              <child><object class="GtkLabel">
              <property name="label">Effects</property><property name="xalign">0</property>
              <property name="hexpand">True</property><style><class name="heading"/></style>
              </object></child>
              <child><object class="GtkSwitch" id="effectsOn">
              <property name="active">True</property><property name="valign">center</property>
              <property name="tooltip-text">All Effects</property>
              </object></child>
            </object>
          </child>
          <child><object class="GtkBox" id="equalizerCurve"/></child>
          <child><object class="GtkListBox">
            <property name="selection-mode">none</property>
            <style><class name="boxed-list"/></style>
            <child>\(row("Equalizer", dropDown("equalizer")))</child>
            <child>\(row("Compressor", dropDown("compressor")))</child>
            <child>\(row("Echo", amount("echoMix", 30) + "</child><child type=\"suffix\">" + dropDown("echo")))</child>
            <child>\(row("Reverb", amount("reverbMix", 30) + "</child><child type=\"suffix\">" + dropDown("reverb")))</child>
          </object></child>
          <child>
            <object class="GtkListBox">
              <property name="selection-mode">none</property>
              <style><class name="boxed-list"/></style>
              <child>\(row("Smart Speed", """
                <object class="GtkDropDown" id="smartSpeed">
                  <property name="valign">center</property>
                  <property name="model"><object class="GtkStringList"><items>
                  <item>Off</item><item>Mild</item><item>Medium</item><item>Strong</item>
                  </items></object></property>
                </object>
                """))</child>
              <child>\(row("Voice Boost", """
                <object class="GtkSwitch" id="voiceBoost"><property name="valign">center</property></object>
                """))</child>
              <child>\(row("Even Loudness", """
                <object class="GtkSwitch" id="normalize"><property name="valign">center</property></object>
                """))</child>
              <child>\(row("Mono", """
                <object class="GtkSwitch" id="mono"><property name="valign">center</property></object>
                """))</child>
              <child>\(row("Balance", balance))</child>
              <child>\(row("Output", dropDown("output")))</child>
            </object>
          </child>
          \(EffectListView.description)
          <child>\(KeptSettingsRow.description)</child>
        </object>
        """

    private nonisolated static let balance = """
        <object class="GtkScale" id="balance">
          <property name="width-request">140</property><property name="valign">center</property>
          <property name="has-origin">False</property>
          <property name="tooltip-text">Balance (double-click to reset)</property>
          <property name="adjustment"><object class="GtkAdjustment" id="balanceAdjustment">
          <property name="lower">-1</property><property name="upper">1</property>
          <property name="step-increment">0.1</property><property name="page-increment">0.5</property>
          </object></property>
          <marks><mark value="0" position="bottom"/></marks>
        </object>
        """

    private nonisolated static func dropDown(_ id: String) -> String {
        """
        <object class="GtkDropDown" id="\(id)"><property name="valign">center</property></object>
        """
    }

    /// A slider for the share of an effect, in percent.
    private nonisolated static func amount(_ id: String, _ value: Int) -> String {
        """
        <object class="GtkScale" id="\(id)">
          <property name="width-request">100</property><property name="valign">center</property>
          <property name="visible">False</property>
          <property name="adjustment"><object class="GtkAdjustment" id="\(id)Adjustment">
          <property name="upper">100</property><property name="step-increment">5</property>
          <property name="page-increment">10</property><property name="value">\(value)</property>
          </object></property>
        </object>
        """
    }

    private nonisolated static func row(_ title: String, _ control: String) -> String {
        """
        <object class="AdwActionRow">
          <property name="title">\(title)</property>
          <property name="activatable">False</property>
          <child type="suffix">\(control)</child>
        </object>
        """
    }
}

/// The choice of an effect, and the slider for its share.
@MainActor
struct EffectWidgets {
    let choice: Widget
    /// The slider for the share, and its value in percent; `nil` if the effect has none.
    let amount: (slider: Widget, adjustment: Object)?

    /// Looks the widgets up.
    /// - Parameters:
    ///   - name: The name of the effect.
    ///   - hasAmount: Whether the effect has a share.
    init(_ description: Builder, _ name: String, hasAmount: Bool) {
        choice = description.get(name)
        amount = hasAmount ? (description.get("\(name)Mix"), description.get("\(name)MixAdjustment")) : nil
    }
}
