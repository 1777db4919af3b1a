"""Addresses: recordings that come from a server."""

from app import App
from helpers import expect, wait
from servers import Stalls, serve, serve_inputs


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
