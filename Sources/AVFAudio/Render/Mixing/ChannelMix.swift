/// Writes or adds `source` to `output`, with constant volume and pan.
///
/// Routes to the same channel are summed in one pass, in the order of the routes.
@_noLocks @_noAllocation
func mix(
    _ source: RenderSlot,
    into output: RenderSlot,
    _ routes: MixRoutes,
    frames: Int,
    volume: Float = 1,
    pan: Float = 0
) {
    var first = 0
    for target in 0..<output.channelCount {
        var end = first
        while end < routes.count, routes.list[end].target == target { end += 1 }
        let level = end == first ? 0 : volume * panGain(pan, routes.list[first].side)
        var writes = routes.begins
        if level == 0 {
            if writes { clear(output.channels[target], frames) }
            first = end
        }
        while first < end {
            let count = min(end - first, 3)
            add(source, routes.list + first, count, to: output.channels[target], frames, level, writes: writes)
            writes = false
            first += count
        }
    }
}

/// Writes or adds `source` to `output`, with ramping volume and pan.
@_noLocks @_noAllocation
func mix(
    _ source: RenderSlot,
    into output: RenderSlot,
    _ routes: MixRoutes,
    frames: Int,
    volume: Ramp,
    pan: Ramp
) {
    if routes.begins { output.clear(from: 0, to: frames) }
    for index in 0..<routes.count {
        let route = routes.list[index]
        let input = source.channels[route.source]
        let target = output.channels[route.target]
        var volume = volume
        var pan = pan
        for frame in 0..<frames {
            target[frame] += input[frame] * (volume.next() * panGain(pan.next(), route.side) * route.gain)
        }
    }
}

/// A balance: in the middle both sides have gain 1, so samples pass unchanged.
@_noLocks @_noAllocation
@inline(__always)
private func panGain(_ pan: Float, _ side: ChannelSide) -> Float {
    switch side {
    case .left: pan > 0 ? 1 - pan : 1
    case .right: pan < 0 ? 1 + pan : 1
    case .middle: 1
    }
}

@_noLocks @_noAllocation
private func clear(_ target: UnsafeMutablePointer<Float>, _ frames: Int) {
    for frame in 0..<frames { target[frame] = 0 }
}

/// One to three channels into one.
@_noLocks @_noAllocation
private func add(
    _ source: RenderSlot,
    _ routes: UnsafePointer<ChannelRoute>,
    _ count: Int,
    to target: UnsafeMutablePointer<Float>,
    _ frames: Int,
    _ level: Float,
    writes: Bool
) {
    let a = UnsafePointer(source.channels[routes[0].source])
    let gainA = level * routes[0].gain
    if count == 1 {
        add(a, gainA, to: target, frames, writes: writes)
        return
    }
    let b = UnsafePointer(source.channels[routes[1].source])
    let gainB = level * routes[1].gain
    if count == 2 {
        if writes {
            for frame in 0..<frames { target[frame] = a[frame] * gainA + b[frame] * gainB }
        } else {
            for frame in 0..<frames { target[frame] = target[frame] + a[frame] * gainA + b[frame] * gainB }
        }
        return
    }
    let c = UnsafePointer(source.channels[routes[2].source])
    let gainC = level * routes[2].gain
    if writes {
        for frame in 0..<frames { target[frame] = a[frame] * gainA + b[frame] * gainB + c[frame] * gainC }
    } else {
        for frame in 0..<frames {
            target[frame] = target[frame] + a[frame] * gainA + b[frame] * gainB + c[frame] * gainC
        }
    }
}

@_noLocks @_noAllocation
private func add(
    _ source: UnsafePointer<Float>,
    _ gain: Float,
    to target: UnsafeMutablePointer<Float>,
    _ frames: Int,
    writes: Bool
) {
    if gain == 1 {
        if writes {
            copySamples(from: source, to: target, count: frames)
        } else {
            for frame in 0..<frames { target[frame] += source[frame] }
        }
    } else if writes {
        for frame in 0..<frames { target[frame] = source[frame] * gain }
    } else {
        for frame in 0..<frames { target[frame] += source[frame] * gain }
    }
}
