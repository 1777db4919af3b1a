import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// The requests of the thread that decodes.
extension HLSLoader {
    // MARK: Segments

    /// Waits for the next segment without removing it.
    /// - Returns: The segment; `nil` at the end.
    /// - Throws: `.cancelled`, `.interrupted`, `.timedOut` if no segment appears, or the error that ends the
    ///   presentation.
    func peek() throws(SyrinxError) -> HLSPlan? {
        advance()
        let deadline = now + transport.patience
        if state.read({ $0.queue.isEmpty && $0.outcome == nil }) {
            // So that the wait looks at the clock again.
            transport.clock.schedule(after: transport.patience + 0.01, on: queue) { [weak self] in
                self?.state.update { _ in }
            }
        }
        let found = try state.wait { state throws(SyrinxError) -> HLSPlan?? in
            guard !state.isCancelled else { throw .cancelled(name: name) }
            if let next = state.queue.first { return .some(next) }
            switch state.outcome {
            case .end: return .some(nil)
            case .failure(let error): throw error
            case nil: break
            }
            guard !state.isInterrupted else { throw .interrupted(name: name) }
            if now >= deadline {
                let seconds = Int(clamped: transport.patience)
                let message =
                    "The sender published no new segment for \(seconds) seconds: it may have stopped. Try again later."
                throw SyrinxError(.timedOut, message, name: name)
            }
            return nil
        }
        return found
    }

    /// Removes the segment that `peek()` returned.
    func take(_ plan: HLSPlan) {
        state.update { state in
            state.queue.removeAll { $0.id == plan.id }
            state.taken = plan
        }
        advance()
    }

    /// Plans anew from a time on.
    func seek(to time: Double) {
        state.update { state in
            state.queue = []
            state.taken = nil
            state.outcome = nil
            state.scheduler.seek(to: time)
        }
    }

    /// Notes that a segment could not be read; the segments after it are planned again.
    func failed(_ plan: HLSPlan, after previous: HLSPlan?, _ error: SyrinxError) {
        let resource = state.update { state in
            state.queue = []
            state.taken = previous
            state.outcome = nil
            state.scheduler.segmentFailed(plan, after: previous, error, at: now)
            return state.store.remove(HLSStore.Key(plan.entry))
        }
        resource?.stream.cancel()
    }

    /// Records that a segment was read to its end.
    func played(_ plan: HLSPlan) { state.update { $0.scheduler.played(plan) } }

    /// Records the start time of a segment.
    func found(_ plan: HLSPlan, at time: Double, movesAll: Bool) {
        state.update { $0.scheduler.found(plan, at: time, movesAll: movesAll) }
    }

    /// Opens the bytes of a segment, decrypted.
    func bytes(of plan: HLSPlan) throws(SyrinxError) -> HLSSegmentBytes {
        let stream = state.update { $0.store.use(HLSStore.Key(plan.entry))?.stream }
        guard var stream else { throw .cancelled(name: name) }
        if plan.segment.part != nil {
            do throws(SyrinxError) {
                try Self.await(stream, plan.segment)
            } catch {
                guard error.code.isAbsence else { throw error }
                // The segment was listed, or requested in advance, before it exists.
                stream = try openAgain(plan)
            }
        }
        return HLSSegmentBytes(stream, plan.segment.resource.range, decryption: try decryption(of: plan.segment))
    }

    /// Waits for the first byte of a part.
    private static func await(
        _ stream: any ByteStream,
        _ part: HLSMediaPlaylist.Segment
    ) throws(SyrinxError) {
        var failure: SyrinxError?
        withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            do throws(SyrinxError) {
                _ = try stream.read(at: part.resource.range?.lowerBound ?? 0, into: byte)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func openAgain(_ plan: HLSPlan) throws(SyrinxError) -> any ByteStream {
        let key = HLSStore.Key(plan.entry)
        var failure: SyrinxError?
        let (old, new) = state.update { state in
            let old = state.store.remove(key)
            do throws(SyrinxError) {
                try open(plan, as: key, &state)
            } catch {
                failure = error
            }
            return (old, state.isCancelled ? nil : state.store.use(key)?.stream)
        }
        old?.stream.cancel()
        if let failure { throw failure }
        guard let new else { throw .cancelled(name: name) }
        try Self.await(new, plan.segment)
        return new
    }

    /// Opens the start of the segment after `plan` in the same rendition; returns `nil` if there is none.
    func overlap(after plan: HLSPlan) throws(SyrinxError) -> HLSSegmentBytes? {
        guard let entry = state.read({ $0.scheduler.successor(of: plan) }) else { return nil }
        let decryption = try decryption(of: entry.segment)
        let stream = try use(transport.open(entry.segment.resource.url, .overlap))
        return HLSSegmentBytes(stream, entry.segment.resource.range, decryption: decryption)
    }

    /// Releases the bytes that `overlap(after:)` opened.
    func close(_ bytes: HLSSegmentBytes) {
        bytes.stream.cancel()
        state.update { $0.small[ObjectIdentifier(bytes.stream)] = nil }
    }

    // MARK: Keys and initialisation sections

    private func decryption(of segment: HLSMediaPlaylist.Segment) throws(SyrinxError) -> AESDecryptor? {
        guard let key = segment.key else { return nil }
        let number = UInt64(bitPattern: segment.sequence)
        let counted =
            [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return try decryption(key, vector: key.vector ?? counted)
    }

    private func decryption(_ key: HLSMediaPlaylist.Key, vector: [UInt8]) throws(SyrinxError) -> AESDecryptor {
        let bytes: [UInt8]
        if let known = state.read({ $0.keys[key.url] }) {
            bytes = known
        } else {
            bytes = try read(HLSMediaPlaylist.Resource(url: key.url), .key, limit: 4096)
            guard bytes.count == AESDecryptor.blockSize else {
                let message =
                    "The key of the stream has \(bytes.count) bytes in place of 16: its address does not lead to a key."
                throw SyrinxError(.corrupt, message, name: StreamingInput.url(key.url).name)
            }
            state.update { state in
                if state.keys.count >= 64 { state.keys = [:] }
                state.keys[key.url] = bytes
            }
        }
        guard let decryption = AESDecryptor(key: bytes, vector: vector) else {
            throw SyrinxError(.outOfMemory, "There is not enough memory to decrypt the stream.", name: name)
        }
        return decryption
    }

    /// Returns the bytes of an initialisation section.
    func bytes(of initialization: HLSMediaPlaylist.Initialization) throws(SyrinxError) -> [UInt8] {
        if let known = state.read({ $0.initializations[initialization] }) { return known }
        var bytes = try read(initialization.resource, .initialization, limit: 4 << 20)
        if let key = initialization.key {
            let vector = key.vector ?? [UInt8](repeating: 0, count: AESDecryptor.blockSize)
            let decryption = try decryption(key, vector: vector)
            bytes = decryption.update(bytes) + (decryption.finish() ?? [])
        }
        state.update { state in
            if state.initializations.count >= 8 { state.initializations = [:] }
            state.initializations[initialization] = bytes
        }
        return bytes
    }

    private func read(
        _ resource: HLSMediaPlaylist.Resource,
        _ purpose: HLSPurpose,
        limit: Int
    ) throws(SyrinxError) -> [UInt8] {
        if case .initialization = purpose, let known = prefetched(resource),
            let bytes = try? HLSText.bytes(of: known, resource.range, limit: limit)
        {
            return bytes
        }
        let stream = try use(transport.open(resource.url, purpose))
        defer {
            stream.cancel()
            state.update { $0.small[ObjectIdentifier(stream)] = nil }
        }
        return try HLSText.bytes(of: stream, resource.range, limit: limit)
    }

    /// The stream of a section that the playlist had hinted at.
    private func prefetched(_ resource: HLSMediaPlaylist.Resource) -> (any ByteStream)? {
        let hint = HLSMediaPlaylist.Hint(url: resource.url, start: resource.range?.lowerBound ?? 0)
        return state.update { state in
            state.store.use(HLSStore.Key(hint, epoch: state.scheduler.window?.epoch ?? 0))?.stream
        }
    }

    /// Registers a stream, so that it is interrupted and cancelled with the others.
    private func use(_ stream: any ByteStream) -> any ByteStream {
        let isCancelled = state.update { state in
            state.small[ObjectIdentifier(stream)] = stream
            if state.isInterrupted { stream.setInterrupted(true) }
            return state.isCancelled
        }
        if isCancelled { stream.cancel() }
        if let stream = stream as? HTTPByteStream {
            stream.onEvent = { [weak self] event in
                guard let self else { return }
                switch event {
                case .retry, .waitingForNetwork, .networkIsBack, .warning:
                    queue.async { [weak self] in self?.onEvent?(event) }
                default: break
                }
            }
        }
        return stream
    }
}
