"""Addresses: recordings that come from a server."""

import time

from app import App
from helpers import expect, inputs, run, scratch, wait
from servers import Guarded, Stalls, Unsteady, serve, serve_inputs


def an_address():
    server, address = serve_inputs()
    app = App(f"{address}/song.m4a")
    wait("it plays", lambda: app.named("Pause"))
    wait("the time moves", lambda: app.value("Position") > 0.9)
    app.close()
    server.shutdown()


def an_address_is_pasted():
    server, address = serve(Stalls)
    app = App()
    app.key("o")
    app.answer("Address", f"{address}/tone.wav", "Open Address")
    wait("it plays", lambda: app.value("Position") > 1)
    wait("it says that it waits", lambda: app.text("^Buffering|^The connection|^Connecting"), 25)
    expect("the button still pauses", app.named("Pause"))
    app.screenshot("waiting")
    app.close()
    server.shutdown()


def a_playlist_of_radio_stations():
    server, address = serve_inputs()
    (inputs / "stations.pls").write_text("[playlist]\nFile1=song.m4a\nTitle1=Shore FM\nFile2=noise.flac\nTitle2=Noise FM\n")
    # Neither the ending of its name nor its type say that it is a playlist.
    (inputs / "listen").write_text("#EXTM3U\n#EXTINF:-1,Salt Radio\nnoise.flac\n")
    app = App()
    app.key("o")
    app.answer("Address", f"{address}/stations.pls", "Open Address")
    wait("the first station plays", lambda: app.named("Pause") and app.value("Position") > 0.5)
    wait("the stations are the queue", lambda: app.rows() == ["Shore FM", "Noise FM"])
    app.key("greater")
    wait("the next one plays", lambda: app.title() == "Noise FM" and app.named("Pause"))
    app.key("o")
    app.answer("Address", f"{address}/listen", "Open Address")
    wait("a list of another name is one too", lambda: app.title() == "Salt Radio" and app.named("Pause"))
    app.key("o")
    entry = wait("the dialog is shown", lambda: app.named("Address"))
    entry.queryEditableText().setTextContents(f"{address}/none.m3u")
    app.wait_for_dialog()
    run("xdotool", "key", "Return")
    wait("a playlist that is missing is an error, in the dialog", lambda: app.text("404|not there|no such|does not exist|not found"))
    text = entry.queryText()
    shown = text.getText(0, text.characterCount)
    expect("the address is kept", shown == f"{address}/none.m3u", shown)
    expect("what plays plays on", app.title() == "Salt Radio" and app.named("Pause"))
    app.screenshot_all("address-error")
    for words in ("not an address", "127.0.0.1:1/a.mp3"):
        entry.queryEditableText().setTextContents(words)
        run("xdotool", "key", "Return")
        message = "^This is not an address" if " " in words else "refuse|connect"
        wait(f"{words} is an error in the dialog", lambda: app.text(message), 30)
    # Without a scheme: https is refused by this server, http is not.
    entry.queryEditableText().setTextContents(f"{address.removeprefix('http://')}/song.m4a")
    run("xdotool", "key", "Return")
    wait("an address without a scheme plays", lambda: app.title() == "The Tide" and app.named("Pause"))
    wait("the dialog has closed", lambda: not app.named("Address"))
    app.close()
    server.shutdown()


def an_address_that_comes_back():
    server, address = serve_inputs()
    port = server.server_address[1]
    server.shutdown()
    server.server_close()
    app = App(f"{address}/song.m4a")
    wait("it says that it connects again, or that it cannot", lambda: app.text("Connecting|connection|could not"), 40)
    wait("the page of errors is shown", lambda: app.named("Try Again"), 60)
    server, _ = serve_inputs(port)
    app.named("Try Again").queryAction().doAction(0)
    wait("it plays", lambda: app.named("Pause") and app.value("Position") > 0.5)
    app.close()
    server.shutdown()


def an_address_that_is_lost_while_it_plays():
    unsteady = Unsteady()
    app = App(f"{unsteady.url}/tone.wav")
    wait("it plays", lambda: app.named("Pause") and app.value("Position") > 0.5)
    unsteady.is_down = True
    unsteady.gate.set()
    wait("it says that it tries again", lambda: app.text("^The connection failed. Trying again|^Connecting again"), 30)
    unsteady.is_down = False
    position = app.value("Position")
    wait("it plays on by itself", lambda: app.value("Position") > position + 2, 30)
    expect("nothing is said about the network any longer", not app.text("Trying again|^Connecting|^Buffering"))
    app.close()
    unsteady.server.shutdown()


def an_address_with_a_password():
    server, address = serve(Guarded)
    app = App()
    app.key("o")
    entry = wait("the dialog is shown", lambda: app.named("Address"))
    entry.queryEditableText().setTextContents(f"{address}/song.m4a")
    app.wait_for_dialog()
    run("xdotool", "key", "Return")
    wait("the dialog asks for a name and a password", lambda: app.text("asks for a name and a password"))

    def log_in(password):
        wait("the name is asked for", lambda: app.named("Name")).queryEditableText().setTextContents("me")
        # An entry of passwords has its text within.
        box = wait("the password is asked for", lambda: app.named("Password"))
        node = next(n for n in [box, *app.all(box)] if "EditableText" in n.get_interfaces())
        node.queryEditableText().setTextContents(password)
        time.sleep(0.2)
        run("xdotool", "key", "Return")

    log_in("wrong")
    wait("a wrong password is told", lambda: app.text("does not accept"))
    app.screenshot_all("password")
    log_in("tide")
    wait("it plays", lambda: app.title() == "The Tide" and app.named("Pause"))
    app.key("space")
    wait("space pauses", lambda: app.named("Play"))
    app.close()
    texts = [path.read_text(errors="replace") for path in scratch.rglob("*") if path.is_file() and "state" in path.parts]
    expect("the password is not kept", texts and not [t for t in texts if "tide" in t], len(texts))
    app = App(f"{address}/song.m4a")
    wait("an address from elsewhere asks, too", lambda: app.text("^Name and Password$"))
    log_in("tide")
    wait("it plays", lambda: app.title() == "The Tide" and app.named("Pause"))
    # The window was behind the dialog.
    app.window = wait("the window is there", app.find_window)
    app.close()
    server.shutdown()
