import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// The recordings that were used last, with the visible parts of their waveforms, and the menu that lists them.
@MainActor
final class RecentPlaces {
    /// The entries of the menu.
    static let count = 8
    private unowned let app: DesktopApp
    private let control: PlayerControl
    private let waveform: WaveformView
    private let menu: Menu
    /// The recording that is noted when it is left: its address, and the title of a station.
    private var current: (address: String, station: String?)?

    /// Lists the recordings in the menu.
    init(_ app: DesktopApp, _ control: PlayerControl, _ waveform: WaveformView, _ menu: Menu) {
        (self.app, self.control, self.waveform, self.menu) = (app, control, waveform, menu)
        show()
    }

    /// The recordings in the menu, the last one first.
    var inputs: [ListeningInput] {
        app.saved.memory.places.prefix(Self.count).compactMap { ListeningInput(location: $0.input) }
    }

    /// The broadcasts with their titles, the last one first.
    var stations: [(input: ListeningInput, title: String)] {
        app.saved.memory.places.compactMap { place in
            place.station.flatMap { title in ListeningInput(location: place.input).map { ($0, title) } }
        }
    }

    /// Lists the recordings that were used last.
    func show() {
        menu.setItems(inputs.enumerated().map { (label: $0.element.shortName, action: "win.recent-\($0.offset)") })
    }

    /// Stores the visible part of the waveform, and marks the recording as the most recent one.
    func leave() {
        guard let current else { return }
        let viewport = waveform.interaction.viewport
        app.saved.memory.keep(
            WindowMemory.Place(
                input: current.address,
                visible: viewport.isWhole || viewport.start >= viewport.end ? nil : viewport.start...viewport.end,
                station: current.station
            )
        )
        app.saved.save()
        self.current = nil
        app.showRecent()
    }

    /// Shows the part of the waveform that was visible when the recording was left, and notes the recording as used.
    func restore() {
        let (session, input) = (control.session, control.session.queue.current)
        guard session.episode == nil, input.part == nil, input.identity != nil else { return }
        // Without a name and password: the list of recent recordings is kept.
        let url = input.url.user == nil ? input.url : URL(string: Redaction.redact(input.url))
        guard let address = url?.absoluteString else { return }
        let title = session.item.tags["station"] ?? input.title ?? input.shortName
        // The length of a recording may not be known yet, but it can be sought in.
        let isStation = control.info.map { $0.duration == nil && !$0.isSeekable } ?? false
        current = (address, isStation ? title : nil)
        if let visible = app.saved.memory.place(of: address)?.visible { waveform.show(visible) }
    }
}
