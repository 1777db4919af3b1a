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

    init(_ description: Builder) {
        (views, showButton) = (description.get("views"), description.get("showButton"))
        (toasts, pages) = (description.get("toasts"), description.get("pages"))
        status = PodcastStatusWidgets(description)
        (leaflet, sidebarHeader) = (description.get("leaflet"), description.get("sidebarHeader"))
        (search, showList) = (description.get("search"), description.get("showList"))
        progress = RefreshProgressWidgets(description)
        episodes = EpisodesWidgets(description)
        bar = NowPlayingWidgets(description)
    }
}

/// The widgets that replace the lists while there are none.
@MainActor
struct PodcastStatusWidgets {
    let page: Widget
    let spinner: Widget
    let button: Widget
    let importButton: Widget

    init(_ description: Builder) {
        (page, spinner) = (description.get("status"), description.get("statusSpinner"))
        (button, importButton) = (description.get("statusButton"), description.get("importButton"))
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

    init(_ description: Builder) {
        menus = EpisodeMenuWidgets(description)
        (header, backButton) = (description.get("episodesHeader"), description.get("backButton"))
        (contents, spinner) = (description.get("contents"), description.get("listSpinner"))
        (status, statusButton) = (description.get("listStatus"), description.get("listButton"))
        (scroller, list) = (description.get("episodeScroller"), description.get("episodeList"))
        more = description.get("moreButton")
        show = ShowWidgets(description)
        episode = EpisodeWidgets(description)
    }
}
