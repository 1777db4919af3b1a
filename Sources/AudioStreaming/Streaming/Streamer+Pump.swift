import AVFAudio
import AudioDevice
import ByteStream
import Foundation
import HTTPStream
import MediaCodec

/// The pump's reports.
///
/// All of them come from the pump's thread, or one of the network's.
extension Streamer: DecodePumpHost {
    func pump(_ pump: DecodePump, made stream: any ByteStream) {
        guard let stream = stream as? HTTPByteStream else { return }
        stream.onEvent = { [weak self, weak pump, weak stream] event in
            guard let self, let pump, let stream else { return }
            self.network(event, of: stream, pump)
        }
    }

    private func network(_ event: HTTPStreamEvent, of stream: HTTPByteStream, _ pump: DecodePump) {
        let ranges = stream.heldRanges
        let total = stream.length
        lock.withLock {
            guard let track = track(of: pump) else { return }
            switch event {
            case .response, .completed: break
            case .received(let count):
                told(max(count, track.progress.output.received), total: total, ranges: ranges, of: track)
            case .retry(let attempt, let delay, let code):
                tell(.retry(attempt: attempt, delay: delay, code: code.rawValue), of: track)
            case .warning(let code, let message):
                warn(code, message, track)
            case .waitingForNetwork:
                warn(.waitingForNetwork, "the network is gone; playing goes on by itself when it is back", track)
            case .networkIsBack: break  // Bytes come again, which `download` tells.
            case .discontinuity:
                track.progress.pace?.rest()
                warn(.discontinuity, "the broadcast was cut off for a moment, and goes on", track)
            case .metadata(let fields):
                let time = track.progress.timeline.decodedTime
                track.progress.metadata.received(title: Self.tags(ofBroadcast: fields), at: time)
            case .failed: break  // The pump gets the error too, when it has used the bytes there are.
            }
        }
    }

    private func warn(_ code: ByteStreamError.Code, _ message: String, _ track: Track) {
        let name = track.item?.input.name ?? "input"
        tell(.warning(StreamingError(.init(rawValue: code.rawValue), message, name: name)), of: track)
    }

    /// Returns the tags for Shoutcast's fields.
    private static func tags(ofBroadcast fields: [String: String]) -> [String: String] {
        var tags: [String: String] = [:]
        for (name, value) in fields {
            switch name.lowercased() {
            case "streamtitle": tags["title"] = value
            case "streamurl": tags["titleURL"] = value
            default: tags[name] = value
            }
        }
        return tags
    }

    /// Tells what has come since the network last told of it, which it does a few times a second only.
    func tellReceived() {
        guard let stream = pump?.networkStream else { return }
        let count = stream.receivedByteCount
        if count > progress.output.received {
            told(count, total: stream.length, ranges: stream.heldRanges, of: current)
        }
    }

    private func told(_ received: Int64, total: Int64?, ranges: [Range<Int64>], of track: Track) {
        track.progress.output.received = received
        tell(.download(received: received, total: total, ranges: ranges), of: track)
        guard let total, total > 0, track === current else { return }
        let held = ranges.reduce(0) { $0 + $1.count }
        let share = Float(Double(max(Int64(held), min(received, total))) / Double(total))
        tellDelegate { delegate, streamer in
            guard let url = streamer.url else { return }
            delegate.streamer(streamer, updatedDownloadProgress: min(1, share), forURL: url)
        }
    }

    func pump(_ pump: DecodePump, prepared info: MediaInfo) {
        lock.withLock {
            guard let preparing, preparing.pump === pump else { return }
            prepared(preparing, info)
        }
    }

    func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat? {
        try lock.withLock {
            guard let track = track(of: pump) else { return nil }
            if track.progress.info != nil {
                // A newer version of what has been playing: only the input changes, not what it goes into.
                track.progress.info = info
                tellDuration(info, of: track)
                return track.progress.readFormat
            }
            guard track === current else {
                (track.progress.readFormat, track.progress.outputSampleRate) =
                    (progress.readFormat, progress.outputSampleRate)
                introduce(track, info)
                return track.progress.readFormat
            }
            let format = readFormat(for: info)
            try prepareOutput(for: format)
            progress.info = info
            if info.durationIsExact { progress.timeline.keepWithin(progress.info?.duration) }
            if pump.networkStream?.isBroadcast == true { beginNow(pump) }
            progress.readFormat = format
            progress.outputSampleRate = try engine.openOutput().sampleRate
            connectNodes()
            if !engine.isStopped {
                // Where the output runs on, the end of the input before may have reached what has just been connected.
                engine.holdForChange()
                resetNodes()
            }
            introduce(track, info)
            perform(machine.opened())
            return format
        }
    }

    /// Tells what an input is.
    private func introduce(_ track: Track, _ info: MediaInfo) {
        track.progress.info = info
        if let url = track.item?.input.url, url.isFileURL, let size = info.size {
            told(size, total: size, ranges: [0..<size], of: track)
        }
        tell(.opened(info), of: track)
        track.progress.metadata.opened(tags: info.tags)
        if !info.tags.isEmpty { tell(.metadata(info.tags), of: track) }
        tellDuration(info, of: track)
    }

    /// A broadcast begins where it is: what it is going to send later would be waited for in silence.
    private func beginNow(_ pump: DecodePump) {
        guard progress.timeline.baseTime > 0 else { return }
        pump.dropSeek()
        progress.beginNow()
        hub.send(.warning(StreamingError(.notSeekable, "A broadcast is heard from where it is.", name: pump.name)))
    }

    /// Has the output work in `format`, if that can still be settled: an output that runs keeps its own.
    private func prepareOutput(for format: AVAudioFormat) throws {
        guard engine.isStopped else { return }
        let wanted = DeviceFormat(sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
        if try engine.openOutput() != format {
            engine.preferredOutputFormat = wanted
            _ = try engine.openOutput()
        }
    }

    func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int) {
        lock.withLock {
            guard let track = track(of: pump), let known = track.progress.info else { return }
            track.progress.info = info
            if track.progress.timeline.isCurrent(seek: seek) {
                track.progress.metadata.decoded(tags: tags, at: track.progress.timeline.decodedTime)
            }
            let isNews = known.duration != info.duration || known.durationIsExact != info.durationIsExact
            if isNews { tellDuration(info, of: track) }
        }
    }

    private func tellDuration(_ info: MediaInfo, of track: Track) {
        guard let duration = info.duration else { return }
        tell(.duration(duration, isExact: info.durationIsExact), of: track)
        if track === current { tellDelegate(ofDuration: duration) }
    }

    func tellDelegate(ofDuration duration: TimeInterval) {
        tellDelegate { delegate, streamer in delegate.streamer(streamer, updatedDuration: duration) }
    }

    func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int, position: Int64) {
        let handler = lock.withLock { () -> DecodedBufferHandler? in
            guard let track = track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return nil }
            playerNode.scheduleStreamed(buffer, isLast: isLast)
            let count = Int64(buffer.frameLength)
            track.progress.timeline.decodedFrames += count
            track.progress.reopening.decoded(count, isBroadcast: pump.networkStream?.isBroadcast == true)
            feed()
            return settings.decodedBufferHandler
        }
        if buffer.frameLength > 0 { handler?(buffer, position) }
    }

    func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int) {
        lock.withLock {
            guard let track = track(of: pump), track === tail, track.progress.timeline.isCurrent(seek: seek) else {
                return
            }
            track.progress.timeline.endFrames = frameCount
            track.progress.timeline.hasReachedEnd = true
            perform(transition.decoded())
            feed()
        }
    }

    func pump(_ pump: DecodePump, finished seek: Int) {
        lock.withLock {
            guard let track = track(of: pump), track.progress.timeline.isCurrent(seek: seek) else { return }
            finished(track)
        }
    }

    func pump(_ pump: DecodePump, failed error: any Error) {
        lock.withLock {
            guard let track = track(of: pump) else { return }
            if track === preparing {
                // It is opened again in its turn, and may succeed then.
                dropPreparing()
                return perform(transition.refused())
            }
            let failure = StreamingError(error, name: pump.name)
            let isChange = failure.code == .resourceChanged
            if isChange, goOnWithChangedInput(track, failure) { return }
            if failure.code == .notSeekable, goBackWithoutRanges(track, failure) { return }
            track.progress.failure = failure
            guard track === current else { return markEnd(of: track) }
            let hasSoundAhead = playerNode.framesAhead > 0 && machine.wantsToPlay
            if hasSoundAhead { markEnd(of: track) }
            perform(machine.failed(hasSoundAhead: hasSoundAhead))
            feed()
        }
    }

    /// Has the sound end with what is scheduled, of a track that can give no more.
    private func markEnd(of track: Track) {
        guard !track.progress.timeline.hasReachedEnd,
            let nothing = AVAudioPCMBuffer(pcmFormat: track.progress.readFormat, frameCapacity: 1)
        else { return }
        playerNode.scheduleStreamed(nothing, isLast: true)
        track.progress.timeline.hasReachedEnd = true
    }
}
