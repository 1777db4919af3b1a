import SyrinxDesktopModel
import SyrinxGTK

/// The questions about subscriptions.
@MainActor
enum PodcastDialogs {
    /// Asks for a feed to subscribe to.
    /// - Parameters:
    ///   - window: The window that the dialog belongs to.
    ///   - address: The address that is proposed.
    ///   - onAddress: Receives the address that was entered.
    static func askForFeed(
        _ window: Window,
        _ address: String,
        _ onAddress: @escaping @MainActor (String) -> Void
    ) {
        TextPrompt(
            heading: "Add Podcast",
            body: "The address of the podcast's feed (RSS or Atom).",
            label: "Address of the Feed",
            text: address,
            action: "_Subscribe",
            entry:
                "<property name=\"input-purpose\">url</property><property name=\"placeholder-text\">https://</property>"
        ).ask(window, onAddress)
    }

    /// Asks whether a subscription is to be ended.
    /// - Parameters:
    ///   - podcast: The podcast.
    ///   - window: The window that the dialog belongs to.
    ///   - onRemove: Called if the listener confirms it.
    static func askToUnsubscribe(
        from podcast: PodcastShow,
        _ window: Window,
        _ onRemove: @escaping @MainActor () -> Void
    ) {
        let builder = Builder(
            """
            <interface><object class="AdwMessageDialog" id="dialog">
            <property name="heading">Unsubscribe?</property>
            <responses>
              <response id="cancel">_Cancel</response>
              <response id="remove" appearance="destructive">_Unsubscribe</response>
            </responses>
            <property name="close-response">cancel</property>
            </object></interface>
            """
        )
        let dialog = builder.get("dialog", Window.self)
        let text = "“\(podcast.title)” goes, with its downloads and the positions in its episodes."
        dialog.set("body", .string(text))
        dialog.setParent(window)
        dialog.on("response") { arguments in
            if arguments.string(0) == "remove" { onRemove() }
        }
        dialog.present()
    }
}
