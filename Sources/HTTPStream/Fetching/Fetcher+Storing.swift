import ByteStream
import NIOCore

/// Keeps what comes, in memory and on disk.
extension Fetcher {
    // MARK: A disk that is behind

    func waitsForDisk(_ id: Int, _ state: inout State) -> Bool {
        guard state.disk == .none, let disk = options.cache, disk.isBehind, stored?.entry.resource != nil else {
            return false
        }
        let ahead = state.machine.position - state.machine.reader
        guard !options.isHeard || options.isInTheBackground || ahead > Self.neededSoon else { return false }
        state.disk = .waiting(id: id)
        // That nothing comes now says nothing of the line.
        state.rate = ThroughputMeter()
        // It may call at once, and the lock is held.
        disk.whenCaughtUp { [weak self, loop] in loop.execute { [weak self] in self?.endDiskWait(as: .none) } }
        state.diskTimer = loop.scheduleTask(in: .clamped(seconds: options.diskPatience)) { [weak self] in
            self?.endDiskWait(as: .stuck)
        }
        return true
    }

    /// Bytes ahead of the reader that do not wait for a disk.
    private static let neededSoon: Int64 = 256 << 10

    private func endDiskWait(as end: DiskWait) {
        act { state in
            state.diskTimer?.cancel()
            state.diskTimer = nil
            defer { state.disk = end }
            guard case .waiting(let id) = state.disk, id == state.machine.id, state.machine.phase == .receiving else {
                return []
            }
            return [.resume]
        }
    }

    /// Keeps what is audio of the bytes that have come, and says how many that are.
    func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ state: inout State) -> Int {
        guard var metadata = state.metadata else {
            cache.insert(bytes, at: offset)
            stored?.entry.append(bytes, at: offset)
            return bytes.count
        }
        var position = offset
        let wasBroken = metadata.isBroken
        for piece in metadata.push(bytes) {
            switch piece {
            case .audio(let range):
                cache.insert(UnsafeRawBufferPointer(rebasing: bytes[range]), at: position)
                position += Int64(range.count)
            case .heldAudio(let held):
                held.withUnsafeBytes { cache.insert($0, at: position) }
                position += Int64(held.count)
            case .metadata(let fields):
                state.titles.append((position, fields))
                // The titles may not be read for hours: the oldest are of no use then, except those that still apply.
                if state.titles.count > 64 {
                    let oldest = state.titles.removeFirst()
                    for (name, value) in oldest.fields where state.titles[0].fields.count < ICYDemultiplexer.mostNames {
                        if state.titles[0].fields[name] == nil { state.titles[0].fields[name] = value }
                    }
                }
            }
        }
        if metadata.isBroken, !wasBroken {
            let message = "the server's titles are not where it says, so all it sends is taken for audio"
            state.events.append(.warning(code: .badResponse, message: message))
        }
        state.metadata = metadata
        return Int(position - offset)
    }
}
