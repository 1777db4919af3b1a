import SyrinxGTK
import SyrinxListening

/// The list of the effects that commands have added to the player, with buttons that move and remove them.
@MainActor
final class EffectListView {
    /// Receives the listener's changes.
    var onCommand: (ListeningCommand) -> Void = { _ in }
    private let list: PlaceListWidgets
    private let choice: Widget
    private var rows: [Widget] = []
    private var shown: [EffectArgument] = []
    /// Whether the choice goes back to its title, which is no choice of the listener.
    private var isResetting = false

    /// Connects the list of a window.
    init(_ description: Builder) {
        list = PlaceListWidgets(description, "effect")
        choice = description.get("addEffect")
        let names = EffectKind.all.map(\.name)
        choice.setItems(["Add…"] + names)
        choice.setAccessibleLabel("Add an Effect")
        choice.setAccessibleLabelOfButtons("Add an Effect")
        choice.observe("notify::selected") { [weak self] choice in
            guard let self, !self.isResetting else { return }
            let index = choice.int("selected") - 1
            guard names.indices.contains(index) else { return }
            self.isResetting = true
            choice.set("selected", .int(0))
            self.isResetting = false
            self.onCommand(.addEffect(names[index]))
        }
    }

    /// Lists effects.
    func show(_ effects: [EffectArgument]) {
        guard effects != shown else { return }
        shown = effects
        let former = rows
        rows = effects.indices.map(row)
        list.replace(former, with: rows)
    }

    private func row(_ index: Int) -> Widget {
        let effect = shown[index]
        let values = effect.values.map { key, value in "\(key) \(Self.text(value))" }.sorted().joined(separator: ", ")
        let count = shown.count
        var buttons: [PlaceButton] = []
        func add(_ icon: String, _ label: String, _ command: ListeningCommand) {
            buttons.append(PlaceButton(icon: icon, label: label) { [weak self] in self?.onCommand(command) })
        }
        if index > 0 { add("go-up-symbolic", "Move Up", .moveEffect(from: index, to: index - 1)) }
        if index + 1 < count { add("go-down-symbolic", "Move Down", .moveEffect(from: index, to: index + 1)) }
        add("user-trash-symbolic", "Remove", .removeEffect(index))
        let spoken = "Effect \(index + 1) of \(count): \(effect.name) \(values)"
        return PlaceRow(effect.name, values, spoken: spoken, buttons: buttons).row
    }

    private static func text(_ value: ListeningCommand.EffectValue) -> String {
        switch value {
        case .number(let number): SoundLimits.number(number)
        case .name(let name): name
        }
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description =
        PlaceListWidgets.description("Added Effects", id: "effect")
            + """
            <child><object class="GtkBox">
              <property name="spacing">12</property>
              <child><object class="GtkLabel">
                <property name="label">More Effects</property><property name="xalign">0</property>
                <property name="hexpand">True</property><property name="margin-start">12</property>
              </object></child>
              <child><object class="GtkDropDown" id="addEffect"><property name="valign">center</property></object></child>
            </object></child>
            """
}
