import AVFAudio
import AudioDevice
import ByteStream
import Foundation
import HTTPStream
import MediaCodec

/// What the pump has to tell. All of it comes from the pump's thread, or one of the network's.
extension Streamer: PumpHost {
    func pump(_ pump: Pump, made stream: any ByteStream) {
        guard let stream = stream as? HTTPByteStream else { return }
        stream.onEvent = { [weak self, weak pump, weak stream] event in
            guard let self, let pump, let stream else { return }
            self.network(event, of: stream, pump)
        }
    }

    private func network(_ event: HTTPStreamEvent, of stream: HTTPByteStream, _ pump: Pump) {
        let ranges = stream.heldRanges
        let total = stream.length
        lock.withLock {
            guard pump === self.pump else { return }
            switch event {
            case .response, .completed: break
            case .received(let count):
                told(received: max(count, progress.received), total: total, ranges: ranges)
            case .retry(let attempt, let delay, let code):
                hub.send(.retry(attempt: attempt, delay: delay, code: code.rawValue))
            case .warning(let code, let message):
                warn(code, message, pump)
            case .waitingForNetwork:
                warn(.waitingForNetwork, "the network is gone; playing goes on by itself when it is back", pump)
            case .networkIsBack: break  // Bytes come again, which `download` tells.
            case .discontinuity:
                progress.pace?.rest()
                warn(.discontinuity, "the broadcast was cut off for a moment, and goes on", pump)
            case .metadata(let fields):
                progress.titles.append((progress.decodedTime, Self.tags(ofBroadcast: fields), isOfRecording: false))
            case .failed: break  // The pump is told too, when it has used what there is.
            }
        }
    }

    private func warn(_ code: ByteStreamError.Code, _ message: String, _ pump: Pump) {
        hub.send(.warning(StreamingError(.init(rawValue: code.rawValue), message, name: pump.name)))
    }

    /// What Shoutcast's names are called here.
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
        if count > progress.received { told(received: count, total: stream.length, ranges: stream.heldRanges) }
    }

    private func told(received: Int64, total: Int64?, ranges: [Range<Int64>]) {
        progress.received = received
        hub.send(.download(received: received, total: total, ranges: ranges))
        guard let total, total > 0 else { return }
        let held = ranges.reduce(0) { $0 + $1.count }
        let share = Float(Double(max(Int64(held), min(received, total))) / Double(total))
        tellDelegate { delegate, streamer in
            guard let url = streamer.url else { return }
            delegate.streamer(streamer, updatedDownloadProgress: min(1, share), forURL: url)
        }
    }

    func pump(_ pump: Pump, opened info: MediaInfo) throws -> AVAudioFormat? {
        try lock.withLock {
            guard pump === self.pump else { return nil }
            if progress.info != nil {
                // A newer version of what has been playing: only the input changes, not what it goes into.
                progress.info = info
                tellDuration(info)
                return progress.readFormat
            }
            let format = readFormat(for: info)
            try prepareOutput(for: format)
            progress.info = info
            if info.durationIsExact { progress.keepWithinInput() }
            if pump.networkStream?.isBroadcast == true { beginNow(pump) }
            progress.readFormat = format
            connectNodes()
            if let url = pump.input.url, url.isFileURL, let size = info.size {
                told(received: size, total: size, ranges: [0..<size])
            }
            hub.send(.opened(info))
            progress.tags = info.tags
            progress.heardTags = info.tags
            if !info.tags.isEmpty { hub.send(.metadata(info.tags)) }
            tellDuration(info)
            perform(machine.opened())
            return format
        }
    }

    /// A broadcast begins where it is: what it is going to send later would be waited for in silence.
    private func beginNow(_ pump: Pump) {
        guard progress.baseTime > 0 else { return }
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

    func pump(_ pump: Pump, learned info: MediaInfo, tags: [String: String], seek: Int) {
        lock.withLock {
            guard pump === self.pump, let known = progress.info else { return }
            progress.info = info
            if isCurrent(seek) { progress.note(tags: tags) }
            let isNews = known.duration != info.duration || known.durationIsExact != info.durationIsExact
            if isNews { tellDuration(info) }
        }
    }

    private func tellDuration(_ info: MediaInfo) {
        guard let duration = info.duration else { return }
        hub.send(.duration(duration, isExact: info.durationIsExact))
        tellDelegate { delegate, streamer in delegate.streamer(streamer, updatedDuration: duration) }
    }

    func pump(_ pump: Pump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int, position: Int64) {
        let handler = lock.withLock { () -> DecodedBufferHandler? in
            guard pump === self.pump, isCurrent(seek) else { return nil }
            playerNode.scheduleStreamed(buffer, isLast: isLast)
            progress.decoded(Int64(buffer.frameLength))
            if buffer.frameLength > 0 {
                progress.lostRangesCount = 0
                // A station may come back as another as often as it likes, as long as it is heard between.
                if pump.networkStream?.isBroadcast == true { progress.changeCount = 0 }
            }
            if isLast { progress.hasReachedEnd = true }
            feed()
            return progress.decodedBufferHandler
        }
        if buffer.frameLength > 0 { handler?(buffer, position) }
    }

    /// Whether samples of the seek of that count, 0 for none, are what is to be played.
    private func isCurrent(_ seek: Int) -> Bool {
        seek == 0 ? progress.seekCount == progress.openCount : seek == progress.seekCount
    }

    func pump(_ pump: Pump, failed error: any Error) {
        lock.withLock {
            guard pump === self.pump else { return }
            let failure = StreamingError(error, name: pump.name)
            let isChange = failure.code.rawValue == ByteStreamError.Code.resourceChanged.rawValue
            if isChange, goOnWithChangedInput(failure) { return }
            if failure.code == .notSeekable, goBackWithoutRanges(failure) { return }
            progress.failure = failure
            let hasSoundAhead = playerNode.framesAhead > 0 && machine.wantsToPlay
            if hasSoundAhead { markEnd() }
            perform(machine.failed(hasSoundAhead: hasSoundAhead))
            feed()
        }
    }

    /// Has the sound end with what is scheduled.
    private func markEnd() {
        guard !progress.hasReachedEnd,
            let nothing = AVAudioPCMBuffer(pcmFormat: progress.readFormat, frameCapacity: 1)
        else { return }
        playerNode.scheduleStreamed(nothing, isLast: true)
        progress.hasReachedEnd = true
    }
}
