import SyrinxByteStream

/// The handling of statuses, ranges and versions in responses.
extension FetchMachine {
    /// Handles the response head of transfer `id`.
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
            // The station is offline until its source reconnects.
            return tryAgain(.status(head, remedy: .reconnect, now: now))
        case 401, 403, 404, 410:
            // A signed URL behind a redirect may have expired: the original URL may redirect to a new one.
            guard receivedByteCount > 0, current != original, !retry.hasResolvedAnew else { fallthrough }
            retry.hasResolvedAnew = true
            current = original
            return [.stop] + begin(at: position)
        default:
            return finish(.status(head, remedy: .none, sendsUser: options.sendsUser(to: current, from: original)))
        }
    }

    /// Drops a useless transfer, and retries if that may help.
    private mutating func tryAgain(_ failure: FetchFailure) -> [Action] {
        [.stop] + failed(id, failure)
    }

    // MARK: 200

    private mutating func whole(_ head: ResponseHead) -> [Action] {
        if let actions = decode(head) { return actions }
        if isBroadcast || (entity == nil && head.isBroadcast) { return broadcast(head) }
        let interval = head.metadataInterval
        // With interleaved metadata or compression, the stated length is not that of the audio.
        let tellsLength = interval == nil && !isDecoded
        let found = sent(ResourceVersion(head, length: tellsLength ? head.contentLength : nil))
        if let actions = refuse(found, isVouchedFor: false) { return actions }
        // A complete response to a range request: the server does not support ranges. At offset 0, some servers that
        // support ranges respond like this, and state the support.
        if position > 0 || head.acceptsRanges != true { rangeSupport = .no }
        if let length = found.length, length == 0 { return finish(.emptyBody) }
        return accept(head, found, from: 0, to: found.length) + [.interleave(interval)]
    }

    /// Joins a broadcast at its current position, after the bytes received before.
    private mutating func broadcast(_ head: ResponseHead) -> [Action] {
        let goesOn = isBroadcast && receivedByteCount > 0
        // The demuxer was opened for one format and would search for it endlessly in another.
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
            return finish(FetchFailure(.badResponse, "the server sent a part instead of the whole resource", .none))
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

    /// Rejects a part with another range than requested.
    ///
    /// A server that has sent correct ranges before is asked again once. After that, the whole resource is requested
    /// without ranges.
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
            // "bytes=0-" is always satisfiable, unless the server is inconsistent.
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

    /// Returns the version of a response, with the actual length if the server overstates it.
    private func sent(_ found: ResourceVersion) -> ResourceVersion {
        guard let overstatedLength, found.length == overstatedLength else { return found }
        var found = found
        found.length = length
        return found
    }

    /// Returns the actions for a response that does not match the received bytes; `nil` if it matches.
    private mutating func refuse(_ found: ResourceVersion, isVouchedFor: Bool) -> [Action]? {
        guard let entity else { return nil }
        if entity.differs(from: found, isVouchedFor: isVouchedFor) { return anotherVersion() }
        // Without a length and validators, versions cannot be compared; the received bytes may be from another
        // broadcast.
        if receivedByteCount > 0, !entity.canBeRecognised { return finish(.changed) }
        return nil
    }

    /// Handles a response with another version: the resource has changed, or several servers with different versions
    /// respond in turn.
    ///
    /// The next response may have the right version again. With two servers selected at random, three more requests
    /// succeed in seven of eight cases. If the right version has already returned once, more requests are worthwhile.
    private mutating func anotherVersion() -> [Action] {
        guard retry.otherVersions < (hasMixedVersions ? 8 : 3) else { return finish(.changed) }
        retry.otherVersions += 1
        // Redirects may select the server.
        current = original
        redirects = RedirectChain()
        return [.stop] + begin(at: position)
    }

    /// Returns the actions for a body that is compressed although that was not requested; `nil` for any other body.
    ///
    /// The whole resource is requested again and decoded, because ranges would refer to compressed bytes.
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
            let text = "the server sends different versions of the resource; only the first one is used"
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
