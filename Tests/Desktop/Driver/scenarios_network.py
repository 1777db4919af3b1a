"""Addresses: recordings that come from a server."""

from app import App
from helpers import expect, inputs, wait
from servers import Stalls, Unsteady, serve, serve_inputs


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
    app.key("ctrl+l")
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
    app.key("ctrl+l")
    app.answer("Address", f"{address}/stations.pls", "Open Address")
    wait("the first station plays", lambda: app.named("Pause") and app.value("Position") > 0.5)
    wait("the stations are the queue", lambda: app.rows() == ["Shore FM", "Noise FM"])
    app.key("greater")
    wait("the next one plays", lambda: app.title() == "Noise FM" and app.named("Pause"))
    app.key("ctrl+l")
    app.answer("Address", f"{address}/listen", "Open Address")
    wait("a list of another name is one too", lambda: app.title() == "Salt Radio" and app.named("Pause"))
    app.key("ctrl+l")
    app.answer("Address", f"{address}/none.m3u", "Open Address")
    wait("a playlist that is missing is an error", lambda: app.named("Try Again"))
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
