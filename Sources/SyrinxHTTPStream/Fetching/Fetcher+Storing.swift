import SyrinxByteStream

/// Storing received bytes in memory and on disk.
extension Fetcher {
    /// Whether disk writes lag behind the download.
    var isDiskBehind: Bool {
        guard let disk = options.cache, disk.isBehind else { return false }
        return stored?.entry.resource != nil
    }

    /// Reports when pending disk writes are done, or that they are not done after `seconds`.
    func waitForDisk(seconds: Double, _ state: inout State) {
        // The call may run at once, while the lock is held.
        options.cache?.whenCaughtUp { [weak self, transport] in
            transport.schedule(after: 0) { [weak self] in
                self?.act { state in
                    state.diskTimer?.cancel()
                    state.diskTimer = nil
                    return state.machine.diskCaughtUp()
                }
            }
        }
        state.diskTimer = transport.schedule(after: seconds) { [weak self] in
            self?.act { state in
                state.diskTimer = nil
                return state.machine.diskTimedOut()
            }
        }
    }

    /// Stores the audio among the received bytes, and returns its size in bytes.
    func keep(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ state: inout State) -> Int {
        guard var metadata = state.metadata else {
            window.insert(bytes, at: offset)
            state.ring?.append(bytes, at: offset)
            stored?.entry.append(bytes, at: offset)
            return bytes.count
        }
        var position = offset
        let wasBroken = metadata.isBroken
        for piece in metadata.push(bytes) {
            switch piece {
            case .audio(let range):
                window.insert(UnsafeRawBufferPointer(rebasing: bytes[range]), at: position)
                state.ring?.append(UnsafeRawBufferPointer(rebasing: bytes[range]), at: position)
                position += Int64(range.count)
            case .heldAudio(let held):
                held.withUnsafeBytes { bytes in
                    window.insert(bytes, at: position)
                    state.ring?.append(bytes, at: position)
                }
                position += Int64(held.count)
            case .metadata(let fields):
                state.titles.append(fields, at: position)
                state.marks.append(fields, at: position)
            }
        }
        if metadata.isBroken, !wasBroken {
            let message = "the stream titles are not at the announced positions; all bytes are now treated as audio"
            state.events.append(.warning(code: .badResponse, message: message))
        }
        state.metadata = metadata
        return Int(position - offset)
    }
}
