import GTK

extension PlayerWindow {
    /// Opens what changes the sound.
    func showEffects() { widgets.get("soundButton").popUp() }
}
