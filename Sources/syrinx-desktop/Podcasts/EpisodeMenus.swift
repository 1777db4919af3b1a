import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The header of a list of episodes: its title, the menu of the choice and the order, and the menu of the list.
@MainActor
final class EpisodeMenus {
    private let window: Window
    private let widgets: EpisodeMenuWidgets
    private var isOfShow = true

    /// Connects the menus of a page.
    /// - Parameters:
    ///   - widgets: The widgets of the header.
    ///   - window: The window that has the actions.
    ///   - current: Returns the arrangement of the list that is shown.
    ///   - onChange: Receives the arrangement that the listener has chosen.
    init(
        _ widgets: EpisodeMenuWidgets,
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
        let (title, button) = (widgets.title, widgets.arrangement)
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
        let (button, isOfShow) = (widgets.button, state.show != nil)
        button.isVisible = state.arrangement != nil
        guard isOfShow != self.isOfShow else { return }
        self.isOfShow = isOfShow
        let label = isOfShow ? "Podcast Menu" : "Episodes Menu"
        button.set("menu-model", .object(isOfShow ? widgets.showMenu : widgets.inboxMenu))
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
        let filters = EpisodeArrangement.Filter.allCases.map { ($0.title, "win.\(action($0))") }
        let order = orders.map { (EpisodeArrangement(isOldestFirst: $0.1).orderTitle, "win.\($0.0)") }
        return """
            <menu id="arrangementMenu"><section>\(Description.items(filters))</section><section>\(Description.items(order))</section></menu>
            """
    }()
}

/// The widgets of the header of a list of episodes.
@MainActor
struct EpisodeMenuWidgets {
    let title: Widget
    /// The button of the menu of the choice and the order.
    let arrangement: Widget
    /// The button of the menu of the list.
    let button: Widget
    /// The menu of a list of one podcast.
    let showMenu: Menu
    /// The menu of a list of all podcasts.
    let inboxMenu: Menu

    init(_ description: Builder) {
        (title, arrangement) = (description.get("episodesHeaderTitle"), description.get("arrangementButton"))
        (button, showMenu) = (description.get("showMenuButton"), description.get("showMenu"))
        inboxMenu = description.get("inboxMenu")
    }
}
