import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The header of a list of episodes: its title, the menu of the choice and the order, and the menu of the list.
@MainActor
final class EpisodeMenus {
    private let window: Window
    private let widgets: Builder
    private var shownMenu = "showMenu"

    /// Connects the menus of a page.
    /// - Parameters:
    ///   - widgets: The widgets of `PodcastDescription`.
    ///   - window: The window that has the actions.
    ///   - current: Returns the arrangement of the list that is shown.
    ///   - onChange: Gets the arrangement that the listener has chosen.
    init(
        _ widgets: Builder,
        _ window: Window,
        current: @escaping @MainActor () -> EpisodeArrangement?,
        onChange: @escaping @MainActor (EpisodeArrangement) -> Void
    ) {
        (self.window, self.widgets) = (window, widgets)
        func change(_ body: (inout EpisodeArrangement) -> Void) {
            guard var arrangement = current() else { return }
            body(&arrangement)
            onChange(arrangement)
        }
        for filter in EpisodeArrangement.Filter.allCases {
            window.addToggle(Self.action(filter), isOn: false) { change { $0.filter = filter } }
        }
        for (name, isOldestFirst) in Self.orders {
            window.addToggle(name, isOn: false) { change { $0.isOldestFirst = isOldestFirst } }
        }
        window.addAction("podcast-next-filter") { change { $0.filter = $0.filter.next } }
        window.addAction("podcast-reverse") { change { $0.isOldestFirst.toggle() } }
    }

    /// Shows the title of the list, and the menus that it has.
    func show(_ state: PodcastsState) {
        let (title, button) = (widgets.get("episodesHeaderTitle"), widgets.get("arrangementButton"))
        title.set("title", .string(state.title))
        title.set("subtitle", .string(state.subtitle))
        showListMenu(state)
        button.isVisible = state.arrangement != nil
        guard let arrangement = state.arrangement else { return }
        for filter in EpisodeArrangement.Filter.allCases {
            window.setToggle(Self.action(filter), arrangement.filter == filter)
        }
        for (name, isOldestFirst) in Self.orders { window.setToggle(name, arrangement.isOldestFirst == isOldestFirst) }
        button.setClass("accent", !state.subtitle.isEmpty)
    }

    /// Shows the menu of a list that can be marked as a whole, and of its podcast if it has one.
    private func showListMenu(_ state: PodcastsState) {
        let button = widgets.get("showMenuButton")
        button.isVisible = state.arrangement != nil
        let (name, label) = state.show == nil ? ("inboxMenu", "Episodes Menu") : ("showMenu", "Podcast Menu")
        guard name != shownMenu else { return }
        shownMenu = name
        button.set("menu-model", .object(widgets.get(name, Object.self)))
        button.tooltip = label
        button.setAccessibleLabel(label)
    }

    private nonisolated static let orders = [("podcast-newest-first", false), ("podcast-oldest-first", true)]

    /// The name of the action of a choice.
    private nonisolated static func action(_ filter: EpisodeArrangement.Filter) -> String {
        "podcast-filter-\(filter.rawValue)"
    }

    /// The menu, in GTK's XML.
    nonisolated static let description: String = {
        func item(_ label: String, _ action: String) -> String {
            """
            <item><attribute name="label">\(label)</attribute><attribute name="action">win.\(action)</attribute></item>
            """
        }
        let filters = EpisodeArrangement.Filter.allCases.map { item($0.title, action($0)) }.joined()
        let order = orders.map { item(EpisodeArrangement(isOldestFirst: $0.1).orderTitle, $0.0) }.joined()
        return """
            <menu id="arrangementMenu"><section>\(filters)</section><section>\(order)</section></menu>
            """
    }()
}
