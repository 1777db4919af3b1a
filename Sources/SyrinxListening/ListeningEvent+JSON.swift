import Foundation
import SyrinxByteStream
import SyrinxTerminal

/// Encodes events as lines of JSON, with one object per line and sorted keys.
package struct EventEncoder {
    package init() {}

    /// Returns the line for an event, without a line break.
    /// - Parameters:
    ///   - event: The event.
    ///   - time: The seconds since the process started.
    package func line(for event: ListeningEvent, at time: Double) throws -> String {
        try JSONText.encode(TimestampedEvent(event: event, at: time))
    }
}

/// The JSON format of the command's output.
package enum JSONText {
    /// Returns a value as a single line with sorted keys; control characters and invisible characters are escaped.
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return PrintableText.escaped(json: String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Returns seconds rounded to microseconds; `nil` for values that are not finite.
    package static func seconds(_ value: Double?) -> Double? {
        guard let value, value.isFinite else { return nil }
        return (value * 1e6).rounded() / 1e6
    }
}

/// The key of a field.
private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private struct TimestampedEvent: Encodable {
    let event: ListeningEvent
    let at: Double

    func encode(to encoder: any Encoder) throws {
        var fields = Fields(container: encoder.container(keyedBy: FieldName.self))
        try fields.put("event", event.name)
        try fields.put("at", JSONText.seconds(at))
        try event.encodeFields(into: &fields)
    }
}

/// Encodes fields; missing values become `null`.
private struct Fields {
    var container: KeyedEncodingContainer<FieldName>

    mutating func put(_ name: String, _ value: (some Encodable)?) throws {
        if let value {
            try container.encode(value, forKey: FieldName(name))
        } else {
            try container.encodeNil(forKey: FieldName(name))
        }
    }
}

extension ListeningEvent {
    /// The value of the field `event`.
    var name: String {
        switch self {
        case .opened: "opened"
        case .state: "state"
        case .position: "position"
        case .duration: "duration"
        case .download: "download"
        case .metadata: "metadata"
        case .chapter: "chapter"
        case .settings: "settings"
        case .retry: "retry"
        case .warning: "warning"
        case .error: "error"
        case .ended: "ended"
        }
    }

    fileprivate func encodeFields(into fields: inout Fields) throws {
        switch self {
        case .opened(let opened):
            try opened.encodeFields(into: &fields)
        case .state(let state, let time):
            try fields.put("state", state.rawValue)
            try fields.put("time", JSONText.seconds(time))
        case .position(let time):
            try fields.put("time", JSONText.seconds(time))
        case .duration(let seconds, let isExact):
            try fields.put("duration", JSONText.seconds(seconds))
            try fields.put("exact", isExact)
        case .download(let received, let total, let ranges):
            try fields.put("received", received)
            try fields.put("total", total)
            try fields.put("ranges", ranges.map { [$0.lowerBound, $0.upperBound] })
        case .metadata(let tags):
            // A tag must not replace a field of the event.
            for (key, value) in tags where key != "event" && key != "at" { try fields.put(key, value) }
        case .chapter(let index, let title, let start, let end):
            try fields.put("index", index)
            try fields.put("title", title)
            try fields.put("start", JSONText.seconds(start))
            try fields.put("end", JSONText.seconds(end))
        case .settings(let rate, let pitch, let volume, let tone, let effects, let language):
            try fields.put("rate", JSONText.seconds(rate))
            try fields.put("pitch", JSONText.seconds(pitch))
            try fields.put("volume", JSONText.seconds(volume))
            try fields.put("mono", tone.isMono)
            try fields.put("balance", JSONText.seconds(tone.balance))
            try fields.put("equalizer", tone.equalizer)
            try fields.put("effects", effects)
            if !language.isEmpty { try fields.put("language", language.joined(separator: ",")) }
        case .retry(let attempt, let delay, let code):
            try fields.put("attempt", attempt)
            try fields.put("delay", JSONText.seconds(delay))
            try fields.put("code", code)
        case .warning(let failure), .error(let failure):
            try fields.put("code", failure.code.rawValue)
            try fields.put("message", failure.message)
            try fields.put("url", failure.name)
            if let stretch = failure.stretch {
                try fields.put("time", JSONText.seconds(stretch.time))
                try fields.put("length", JSONText.seconds(stretch.length))
            }
        case .ended(let frames, let underruns, let bytesReceived, let timeSaved):
            try fields.put("frames", frames)
            try fields.put("underruns", underruns)
            try fields.put("bytesReceived", bytesReceived)
            if let timeSaved { try fields.put("timeSaved", JSONText.seconds(timeSaved)) }
        }
    }
}

extension OpenedFields {
    fileprivate func encodeFields(into fields: inout Fields) throws {
        try fields.put("url", url)
        try fields.put("container", container)
        try fields.put("codec", codec)
        try fields.put("sampleRate", JSONText.seconds(sampleRate))
        try fields.put("channels", channels)
        try fields.put("duration", JSONText.seconds(duration))
        try fields.put("frames", frames)
        try fields.put("seekable", seekable)
        try fields.put("contentLength", contentLength)
    }
}
