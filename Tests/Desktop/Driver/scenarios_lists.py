"""Lists of episodes: the choice, the order, and marks of many episodes."""

from app import App
from helpers import expect, run, scratch, wait
from recordings import song
from servers import FeedServer


def position(app, title):
    """Returns the height at which an episode is listed."""
    row = next(n for n in app.all() if (n.name or "").startswith(f"{title}, "))
    return app.box(row)[1]


def a_list_of_episodes_is_arranged_and_marked():
    feeds = FeedServer()
    config = scratch / "config" / "syrinx"
    config.mkdir(parents=True)
    (config / "config.toml").write_text("new-episodes = 3\n")
    app = App(XDG_CONFIG_HOME=str(scratch / "config"))
    app.place(800, 840)
    app.key("ctrl+shift+n")
    app.subscribe(feeds.url + "/feed.xml")
    wait("the episodes are listed", lambda: app.text("^Low Water$"))
    expect("the newest are first", position(app, "Driftwood") < position(app, "Low Water"))
    app.act("win.podcast-oldest-first")
    wait("the oldest are first", lambda: position(app, "Low Water") < position(app, "Driftwood"))
    expect("the order is told", app.text("^Oldest First$"))
    app.act("win.podcast-filter-new")
    wait("only new episodes are listed", lambda: app.text("^Driftwood$") and not app.text("^Low Water$"))
    wait("the choice is told", lambda: app.text("^New, Oldest First$"))
    app.screenshot_all("podcasts-arranged")
    app.act("win.podcast-filter-started")
    wait("an empty list says why", lambda: app.text("^No Started Episodes$"))

    app.act("win.podcast-inbox")
    wait("the inbox has the new episodes", lambda: app.text("^Driftwood$") and not app.text("^Low Water$"))
    expect("it has an order of its own", not app.text("Oldest First"))
    app.act("win.podcast-filter-all")
    wait("all episodes of all podcasts are listed", lambda: app.text("^Low Water$") and app.text("^All Episodes$"))
    app.act("win.podcast-filter-new")
    wait("the new ones are listed again", lambda: not app.text("^Low Water$"))
    app.act("win.podcast-mark-all")
    wait("the number is told", lambda: app.text("^3 episodes marked as played\\.$"))
    wait("nothing is new", lambda: app.text("^All Heard$"))
    app.screenshot_all("podcasts-marked")
    app.press(wait("undo is offered", lambda: app.named("Undo")))
    wait("undo is told", lambda: app.text("^3 episodes marked as before\\.$"))
    wait("they are new again", lambda: app.text("^Driftwood$"))

    app.press(wait("the newest has a menu", lambda: app.named("Episode Menu")))
    wait("the menu opens", lambda: app.named("Mark Older as Played"))
    run("xdotool", "key", "Down", "Down", "Down", "Return")
    wait("the older ones are marked", lambda: app.text("^2 episodes marked as played\\.$"))
    wait("the newest stays new", lambda: app.text("^Driftwood$") and not app.text("^Harbour Lights$"))
    app.act("win.podcast-undo-mark")
    wait("they are new again", lambda: app.text("^Harbour Lights$"))
    app.close()
    feeds.server.shutdown()


def a_bookmark_is_renamed_and_removed():
    app = App(song)
    app.place(1000, 700)
    wait("it plays", lambda: app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.key("F9")
    app.slider("Position").queryValue().currentValue = 30
    wait("the position is set", lambda: abs(app.value("Position") - 30) < 0.6)
    app.key("b")
    wait("the bookmark is listed", lambda: app.named("Remove At 0:30", "push button"))
    expect("under its heading", app.text("^Bookmarks$"))
    app.named("Rename At 0:30", "push button").queryAction().doAction(0)
    app.answer("Name of the Bookmark", "The bell", "Rename Bookmark")
    remove = wait("it has its name", lambda: app.named("Remove The bell", "push button"))
    app.screenshot_all("bookmarks-listed")
    app.slider("Position").queryValue().currentValue = 10
    wait("the position is another", lambda: abs(app.value("Position") - 10) < 0.6)
    app.press(wait("its row is shown", lambda: app.named("Bookmark The bell, 0:30")))
    wait("its row leads to it", lambda: abs(app.value("Position") - 30) < 0.6)
    remove.queryAction().doAction(0)
    wait("it is gone", lambda: not app.named("Remove The bell"))
    app.close()
