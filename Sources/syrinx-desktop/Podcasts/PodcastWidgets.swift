import SyrinxGTK

/// The widgets of the page of podcasts, in which each part has a struct of its own.
@MainActor
struct PodcastWidgets {
    /// The stack of the page and of the player.
    let views: Widget
    let showButton: Widget
    let toasts: Widget
    let pages: Widget
    let status: PodcastStatusWidgets
    /// The podcasts and the episodes, one beside the other if there is room.
    let leaflet: Widget
    let sidebarHeader: Widget
    let search: Widget
    let showList: ListBox
    let progress: RefreshProgressWidgets
    let episodes: EpisodesWidgets
    let bar: NowPlayingWidgets

    /// Looks the widgets up.
    init(_ description: Builder) {
        views = description.get("views")
        showButton = description.get("showButton")
        toasts = description.get("toasts")
        pages = description.get("pages")
        status = PodcastStatusWidgets(description)
        leaflet = description.get("leaflet")
        sidebarHeader = description.get("sidebarHeader")
        search = description.get("search")
        showList = description.get("showList")
        progress = RefreshProgressWidgets(description)
        episodes = EpisodesWidgets(description)
        bar = NowPlayingWidgets(description)
    }
}

/// The widgets that stand for the lists while there are none.
@MainActor
struct PodcastStatusWidgets {
    let page: Widget
    let spinner: Widget
    let button: Widget
    let importButton: Widget

    /// Looks the widgets up.
    init(_ description: Builder) {
        page = description.get("status")
        spinner = description.get("statusSpinner")
        button = description.get("statusButton")
        importButton = description.get("importButton")
    }
}

/// The widgets of a list of episodes, and of the page of one of them.
@MainActor
struct EpisodesWidgets {
    let menus: EpisodeMenuWidgets
    let header: Widget
    let backButton: Widget
    /// The stack of the pages.
    let contents: Widget
    let spinner: Widget
    let status: Widget
    let statusButton: Widget
    let scroller: Widget
    let list: ListBox
    let more: Widget
    let show: ShowWidgets
    let episode: EpisodeWidgets

    /// Looks the widgets up.
    init(_ description: Builder) {
        menus = EpisodeMenuWidgets(description)
        header = description.get("episodesHeader")
        backButton = description.get("backButton")
        contents = description.get("contents")
        spinner = description.get("listSpinner")
        status = description.get("listStatus")
        statusButton = description.get("listButton")
        scroller = description.get("episodeScroller")
        list = description.get("episodeList")
        more = description.get("moreButton")
        show = ShowWidgets(description)
        episode = EpisodeWidgets(description)
    }
}
