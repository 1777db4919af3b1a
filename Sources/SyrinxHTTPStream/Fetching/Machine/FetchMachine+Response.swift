import SyrinxByteStream

/// The rules for statuses, ranges and versions of responses.
extension FetchMachine {
    /// Says that the head of transfer `id`'s answer has come.
    ///
    /// `now` is in seconds since 1970, for `Retry-After` dates.
    mutating func responded(_ id: Int, _ head: ResponseHead, now: Double = 0) -> [Action] {
        guard id == self.id, phase == .requesting else { return [] }
        switch head.status {
        case 200, 203: return whole(head)
        case 206: return part(head)
        case 204, 205: return finish(.emptyBody)
        case 301, 302, 303, 307, 308: return redirect(head)
        case 416: return beyondTheEnd(head)
        case 408, 425, 429, 500...599:
            return tryAgain(.status(head, remedy: entity == nil ? .retry : .reconnect, now: now))
        case 404 where isBroadcast && receivedByteCount > 0:
            // The station is gone until its sender is back.
            return tryAgain(.status(head, remedy: .reconnect, now: now))
        case 401, 403, 404, 410:
            // A signed URL behind a redirect may have run out: the original may lead to a new one.
            guard receivedByteCount > 0, current != original, !retry.hasResolvedAnew else { fallthrough }
            retry.hasResolvedAnew = true
            current = original
            return [.stop] + begin(at: position)
        default:
            return finish(.status(head, remedy: .none, sendsUser: options.sendsUser(to: current, from: original)))
        }
    }

    /// The transfer is of no use; drop it, and try again if that may help.
    private mutating func tryAgain(_ failure: FetchFailure) -> [Action] {
        [.stop] + failed(id, failure)
    }

    // MARK: 200

    private mutating func whole(_ head: ResponseHead) -> [Action] {
        if let actions = decode(head) { return actions }
        if isBroadcast || (entity == nil && head.isBroadcast) { return broadcast(head) }
        let interval = head.metadataInterval
        // With metadata in it, or compressed, the length is not that of the audio.
        let tellsLength = interval == nil && !isDecoded
        let found = sent(ResourceVersion(head, length: tellsLength ? head.contentLength : nil))
        if let actions = refuse(found, isVouchedFor: false) { return actions }
        // The whole in answer to a request for a part: ranges are not to be had. At the start, though, some servers
        // that know ranges answer so and say it.
        if position > 0 || head.acceptsRanges != true { rangeSupport = .no }
        if let length = found.length, length == 0 { return finish(.emptyBody) }
        return accept(head, found, from: 0, to: found.length) + [.interleave(interval)]
    }

    /// A broadcast: from where it is now, behind what has come before.
    private mutating func broadcast(_ head: ResponseHead) -> [Action] {
        let goesOn = isBroadcast && receivedByteCount > 0
        // The reader takes all for one kind, and would search for it in another without end.
        if goesOn, let type = head.mimeType, type != broadcastType ?? type { return finish(.changed) }
        broadcastType = head.mimeType ?? broadcastType
        isBroadcast = true
        rangeSupport = .no
        let news: [Action] = goesOn ? [.emit(.discontinuity(offset: position))] : []
        let station: [Action] = goesOn || head.station.isEmpty ? [] : [.emit(.metadata(head.station))]
        return news + accept(head, ResourceVersion(head, length: nil), from: position, to: nil)
            + [.interleave(head.metadataInterval)] + station
    }

    // MARK: 206

    private mutating func part(_ head: ResponseHead) -> [Action] {
        if let actions = decode(head) { return actions }
        guard rangeSupport != .no else {
            return finish(FetchFailure(.badResponse, "the server sent a part though the whole was asked for", .none))
        }
        guard let content = head.contentRange, let range = content.range, range.lowerBound <= position,
            range.upperBound >= position
        else { return wrongRange(head) }
        let found = sent(ResourceVersion(head, length: content.size))
        if let actions = refuse(found, isVouchedFor: hasCondition) { return actions }
        rangeSupport = .yes
        let announced = Int64(range.count)
        var end = range.upperBound + 1
        var warnings: [Action] = []
        if let length = head.contentLength, length != announced {
            end = range.lowerBound + max(length, announced)
            let text = "the server announces \(length) bytes for a range of \(announced)"
            warnings.append(.emit(.warning(code: .lengthMismatch, message: text)))
        }
        if overstatedLength != nil, let length { end = min(end, length) }
        return warnings + accept(head, found, from: range.lowerBound, to: end) + [.interleave(nil)]
    }

    /// Never uses another part than the one asked for.
    ///
    /// A server that has given right ones is asked again, once; after that the whole may still be had, without ranges.
    private mutating func wrongRange(_ head: ResponseHead) -> [Action] {
        let shown = head.value("content-range").map { "'\($0)'" } ?? "nothing"
        let message = "asked for bytes from \(position) on, the server says that it sends \(shown)"
        if rangeSupport == .yes, retry.attempts == 0 { return tryAgain(FetchFailure(.badResponse, message, .retry)) }
        guard !hasBrokenRanges else { return finish(FetchFailure(.badResponse, message, .none)) }
        hasBrokenRanges = true
        rangeSupport = .no
        guard receivedByteCount == 0 || entity?.canBeRecognised == true else {
            return finish(FetchFailure(.badResponse, message, .none))
        }
        return [.stop, .emit(.warning(code: .badResponse, message: message))] + begin(at: 0)
    }

    // MARK: 416

    private mutating func beyondTheEnd(_ head: ResponseHead) -> [Action] {
        let size = head.contentRange?.size
        if earlyEnd == position, position > 0, size == nil || size == position || size == length {
            return endEarly(isConfirmed: size == position)
        }
        if let size, let length, size != length { return anotherVersion() }
        if position == 0, size ?? 0 > 0 || (size == nil && !hasBrokenRanges) {
            // "bytes=0-" can always be met, unless the server does not know what it says.
            return wrongRange(head)
        }
        if size == 0 { return finish(.emptyBody) }
        guard let end = size ?? length ?? (position == receivedByteCount ? position : nil), end <= position else {
            return wrongRange(head)
        }
        if entity == nil { entity = ResourceVersion(head, length: end) }
        entity?.length = end
        phase = .idle
        return [.stop, .setLength(end), .emit(.completed)]
    }

    // MARK: Redirects

    private mutating func redirect(_ head: ResponseHead) -> [Action] {
        do throws(FetchFailure) {
            current = try redirects.next(head, from: current, options)
            return [.stop] + begin(at: position)
        } catch {
            return finish(error)
        }
    }

    // MARK: Common rules

    /// The version of a response, with the length that is really sent where the server overstates it.
    private func sent(_ found: ResourceVersion) -> ResourceVersion {
        guard let overstatedLength, found.length == overstatedLength else { return found }
        var found = found
        found.length = length
        return found
    }

    /// Returns the actions for a response that cannot be joined to the bytes before; `nil` if it can.
    private mutating func refuse(_ found: ResourceVersion, isVouchedFor: Bool) -> [Action]? {
        guard let entity else { return nil }
        if entity.differs(from: found, isVouchedFor: isVouchedFor) { return anotherVersion() }
        // Without length and validators there is no telling; what has come so far may be from another broadcast.
        if receivedByteCount > 0, !entity.canBeRecognised { return finish(.changed) }
        return nil
    }

    /// The answer is of another version: the resource has changed, or servers that do not agree take turns.
    ///
    /// Then the next may have the version that is read. Of two, one that is picked by chance has it after three more requests
    /// in seven cases of eight; when it is known that it comes back, more are worth while.
    private mutating func anotherVersion() -> [Action] {
        guard retry.otherVersions < (hasMixedVersions ? 8 : 3) else { return finish(.changed) }
        retry.otherVersions += 1
        // Redirects may be what takes turns.
        current = original
        redirects = RedirectChain()
        return [.stop] + begin(at: position)
    }

    /// Returns the actions for a body that is compressed though it was asked for as it is; `nil` for any other.
    ///
    /// The whole is asked for again, and decoded: ranges would be those of the compressed bytes.
    private mutating func decode(_ head: ResponseHead) -> [Action]? {
        guard head.isCompressed, !isDecoded else { return nil }
        isDecoded = true
        rangeSupport = .no
        guard receivedByteCount == 0 || canBeTakenUp else { return finish(.changed) }
        return [.stop] + begin(at: 0)
    }

    private mutating func accept(
        _ head: ResponseHead,
        _ found: ResourceVersion,
        from start: Int64,
        to end: Int64?
    ) -> [Action] {
        let isFirst = entity == nil
        let oldLength = length
        if isFirst { entity = found }
        if length == nil { entity?.length = found.length }
        redirects = RedirectChain()
        position = start
        expectedEnd = end
        phase = .receiving
        var actions: [Action] = []
        if retry.otherVersions > 0, !hasMixedVersions {
            hasMixedVersions = true
            let text = "the server gives different versions by turns; only answers of the first one are used"
            actions.append(.emit(.warning(code: .mixedVersions, message: text)))
        }
        if let length, length != oldLength { actions.append(.setLength(length)) }
        if isFirst {
            let event = HTTPStreamEvent.response(
                status: head.status,
                length: length,
                mimeType: head.mimeType,
                isSeekable: isSeekable
            )
            actions.append(.emit(event))
        }
        return actions
    }
}

extension FetchFailure {
    static let changed = FetchFailure(
        .resourceChanged,
        "the resource changed on the server while it was read; open it again",
        .none
    )
}
