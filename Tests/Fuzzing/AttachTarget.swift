import SyrinxListening

/// Lines of the protocol between a player and faces in other processes. The first byte chooses the direction.
enum AttachTarget {
    static func run(_ choice: UInt8, _ text: [UInt8]) {
        var splitter = LineSplitter(longestLine: 4096)
        var lines: [String] = []
        for line in splitter.lines(in: text) + [splitter.rest()].compactMap(\.self) {
            if case .text(let text) = line { lines.append(text) }
        }
        if choice & 1 == 0 { request(lines) } else { show(lines) }
    }

    /// Has a session carry out what is a request.
    private static func request(_ lines: [String]) {
        let inputs = ["/a.flac", "/b.flac", "/c.flac"].compactMap { ListeningInput(location: $0) }
        var session = ListeningSession(inputs: inputs, lifetime: .window)
        var (states, queue) = (StateFeed(), QueueFeed())
        var mirror = StateMirror()
        _ = mirror.take(states.whole(ListeningState(session)))
        for line in lines.prefix(50) {
            guard let call = try? AttachCall(line: line) else { continue }
            let again = try? AttachCall(line: call.line)
            // A command is written as text, which has no spaces at the ends of a name.
            if case .wish(.command) = call.request {
            } else {
                precondition(again?.id == call.id, "a request that is not one when it is written")
            }
            guard case .wish(let wish) = call.request else { continue }
            _ = session.handle(.request(wish), at: 1)
            _ = queue.change(to: session)
            let state = ListeningState(session)
            if let message = states.change(to: state), let sent = AttachMessage(line: message.line()) {
                _ = mirror.take(sent)
            }
            precondition(mirror.state?.queue == state.queue, "a face that sees another queue")
        }
    }

    /// Has a face take what is a message.
    private static func show(_ lines: [String]) {
        var (state, queue) = (StateMirror(), QueueMirror())
        for line in lines.prefix(50) {
            guard let message = AttachMessage(line: line) else { continue }
            if state.take(message), let count = state.state?.queue.count { queue.setCount(min(count, 10_000)) }
            _ = state.state?.sound.settings
            if let change = message.queue { queue.take(change) }
            if let rows = message.answer?.rows { queue.take(rows) }
            if case .rows(let from, let count)? = queue.next(shown: [0]) {
                precondition(from >= 0 && count > 0 && from + count <= queue.rows.count, "rows that are not there")
            }
        }
    }
}
