import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// Receives the results of the pumps.
extension PlaybackController: DecodePumpHost {
    func pump(_ pump: DecodePump, made stream: any ByteStream) {
        if let stream = stream as? any NetworkInput { network.observe(stream, of: pump) }
    }

    func pump(_ pump: DecodePump, prepared info: MediaInfo) {
        lock.withLock {
            guard let preparing = tracks.preparing, preparing.pump === pump else { return }
            tracks.prepared(preparing, info)
        }
    }

    func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat? {
        try lock.withLock {
            guard let track = tracks.track(of: pump) else { return nil }
            if track.progress.info != nil {
                // A newer version of the current input: only the input changes, not the output.
                track.progress.info = info
                reporter.reportDuration(info, of: track, isCurrent: track === tracks.current)
            } else if track === tracks.current {
                try prepareOutput(for: info, pump)
                introduce(track, info)
                perform(machine.opened())
            } else {
                (track.progress.readFormat, track.progress.outputSampleRate) =
                    (progress.readFormat, progress.outputSampleRate)
                introduce(track, info)
            }
            tracks.measureAhead(track)
            return track.progress.readFormat
        }
    }

    /// Prepares the output, the nodes and the timeline for the input to be played.
    private func prepareOutput(for info: MediaInfo, _ pump: DecodePump) throws {
        guard let format = output.nodes?.readFormat(for: info) else { return }
        try output.prepare(for: format)
        progress.info = info
        if info.durationIsExact { progress.timeline.keepWithin(info.duration) }
        if pump.isBroadcast { startAtPresent(pump) }
        progress.readFormat = format
        progress.outputSampleRate = try output.engine.openOutput().sampleRate
        output.connect()
    }

    /// Starts a broadcast at its current position: waiting for a later one would be silent.
    private func startAtPresent(_ pump: DecodePump) {
        guard progress.timeline.baseTime > 0 else { return }
        pump.dropSeek()
        progress.beginNow()
        reporter.warn(.notSeekable, "A broadcast is heard from where it is.", of: tracks.current)
    }

    /// Reports the description of an input.
    private func introduce(_ track: Track, _ info: MediaInfo) {
        track.progress.info = info
        if let url = track.item?.input.url, url.isFileURL, let size = info.size {
            network.received(size, total: size, ranges: [0..<size], of: track)
        }
        reporter.send(.opened(info), of: track)
        track.progress.metadata.opened(tags: info.tags)
        if !info.tags.isEmpty { reporter.send(.metadata(info.tags), of: track) }
        reporter.reportDuration(info, of: track, isCurrent: track === tracks.current)
    }

    func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int) {
        lock.withLock {
            guard let track = tracks.track(of: pump), let known = track.progress.info else { return }
            track.progress.info = info
            if track.progress.timeline.isCurrent(seek: seek) {
                track.progress.metadata.decoded(tags: tags, at: track.progress.timeline.decodedTime)
            }
            guard known.duration != info.duration || known.durationIsExact != info.durationIsExact else { return }
            reporter.reportDuration(info, of: track, isCurrent: track === tracks.current)
        }
    }

    func pump(_ pump: DecodePump, landedAt time: Double, seek: Int) {
        lock.withLock {
            guard let track = tracks.track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return }
            track.progress.timeline.land(at: time)
        }
    }

    func pump(_ pump: DecodePump, measuredAhead result: LoudnessScan.Result) {
        lock.withLock {
            guard let track = tracks.track(of: pump) else { return }
            tracks.take(result, of: track)
        }
    }

    /// Measures a buffer, on the pump's thread, if its input is to be normalized.
    private func measure(_ buffer: AVAudioPCMBuffer, of pump: DecodePump, seek: Int) {
        let meter = lock.withLock { tracks.track(of: pump).flatMap(tracks.meter(of:)) }
        meter?.append(buffer, seek: seek)
    }

    func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int) {
        measure(buffer, of: pump, seek: seek)
        lock.withLock {
            guard let track = tracks.track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return }
            tracks.schedule(buffer, isLast: isLast, of: track)
            feed()
        }
    }

    func pump(_ pump: DecodePump, held buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int) {
        measure(buffer, of: pump, seek: seek)
        lock.withLock {
            guard let track = tracks.track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return }
            if isLast {
                tracks.scheduleHeld(of: track)
                output.endAfterScheduled(track.progress.readFormat)
            }
            feed()
        }
    }

    func pump(_ pump: DecodePump, leftOut cut: PauseFilter.Cut, seek: Int) {
        lock.withLock {
            guard let track = tracks.track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return }
            track.progress.timeline.cuts.add(frame: cut.frame, count: cut.count)
        }
    }

    func pump(_ pump: DecodePump, decoded buffer: AVAudioPCMBuffer, position: Int64, seek: Int) {
        let settings = lock.withLock { () -> StreamerSettings? in
            guard let track = tracks.track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return nil }
            return tracks.settings
        }
        settings?.report(buffer, at: position)
    }

    func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int) {
        let observer = lock.withLock { () -> (@Sendable (ClosedRange<TimeInterval>) -> Void)? in
            guard let track = tracks.track(of: pump), track === tracks.tail,
                track.progress.timeline.isCurrent(seek: seek)
            else { return nil }
            tracks.reachedEnd(of: track, frameCount: frameCount)
            feed()
            return tracks.settings.decodingObserver
        }
        observer?(0...(.infinity))
    }

    func pump(_ pump: DecodePump, finished seek: Int) {
        lock.withLock {
            guard let track = tracks.track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return }
            tracks.finished(track)
        }
    }

    func pump(_ pump: DecodePump, keepsSound error: SyrinxError) {
        lock.withLock {
            if let track = tracks.track(of: pump) { reporter.send(.warning(error), of: track) }
        }
    }

    func pump(_ pump: DecodePump, lacks sound: MissingSound) {
        lock.withLock {
            if let track = tracks.track(of: pump) { reporter.send(.missing(sound), of: track) }
        }
    }

    func pump(_ pump: DecodePump, failed error: any Error) {
        lock.withLock {
            guard let track = tracks.track(of: pump) else { return }
            let failure = SyrinxError(error, name: pump.name)
            if track === tracks.preparing { return tracks.failedPreparing(failure) }
            if recovers(track, from: failure) { return }
            tracks.scheduleHeld(of: track)
            track.progress.failure = failure
            guard track === tracks.current else { return endWithWhatIsDecoded(track) }
            let hasSoundAhead = output.framesAhead > 0 && machine.wantsToPlay
            if hasSoundAhead { endWithWhatIsDecoded(track) }
            perform(machine.failed(hasSoundAhead: hasSoundAhead))
            feed()
        }
    }

    /// Reopens the input after a failure that another attempt can fix.
    ///
    /// An input that has changed on the server continues with its new version. An input that is no longer seekable is
    /// read from its start: a server may stop supporting ranges at any time.
    /// - Returns: False for another failure, or if another attempt is useless.
    private func recovers(_ track: Track, from failure: SyrinxError) -> Bool {
        switch failure.code {
        case .resourceChanged:
            let sampleRate = track.progress.readFormat.sampleRate
            guard track.progress.reopening.mayFollowChange(sampleRate: sampleRate) else { return false }
            reporter.send(.warning(failure), of: track)
        case .notSeekable:
            guard track.item?.input != .standardInput, track.progress.reopening.mayReadFromStart() else { return false }
            if track.progress.info?.isSeekable == true { reporter.send(.warning(failure), of: track) }
        default: return false
        }
        tracks.openAnew(track, readsAhead: [.playing, .paused].contains(machine.status))
        return true
    }

    /// Ends playback after the scheduled audio of a track that can deliver no more.
    private func endWithWhatIsDecoded(_ track: Track) {
        guard !track.progress.timeline.hasReachedEnd else { return }
        output.endAfterScheduled(track.progress.readFormat)
        track.progress.timeline.hasReachedEnd = true
    }
}

extension StreamerSettings {
    /// Passes on a buffer that starts at frame `position` of the input.
    fileprivate func report(_ buffer: AVAudioPCMBuffer, at position: Int64) {
        guard buffer.frameLength > 0 else { return }
        decodedBufferHandler?(buffer, position)
        let start = Double(position) / buffer.format.sampleRate
        decodingObserver?(start...(start + Double(buffer.frameLength) / buffer.format.sampleRate))
    }
}
