import AVFoundation

// snippet: frames
/// Writes the pictures of a film that are shown at `times`, in seconds, each as a PPM file into `folder`.
///
/// A player that stands still is sent to each time, as a person does who drags the position of a film.
func writeFrames(
    of url: URL,
    at times: [Double],
    to folder: URL,
    with player: AVPlayer = AVPlayer()
) async throws -> [URL] {
    let item = AVPlayerItem(url: url)
    let format = kCVPixelFormatType_32BGRA
    let output = AVPlayerItemVideoOutput(pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: format])
    item.add(output)
    player.replaceCurrentItem(with: item)
    var files: [URL] = []
    for time in times {
        await player.seek(
            to: CMTime(seconds: time, preferredTimescale: 1000),
            toleranceBefore: .zero,
            toleranceAfter: .zero
        )
        // A screen would ask each time that it is drawn.
        var picture: CVPixelBuffer?
        while picture == nil, item.status != .failed {
            picture = output.copyPixelBuffer(forItemTime: item.currentTime(), itemTimeForDisplay: nil)
            if picture == nil { try await Task.sleep(for: .milliseconds(5)) }
        }
        guard let picture else { break }
        let file = folder.appendingPathComponent("\(time).ppm")
        try portablePixmap(picture).write(to: file)
        files.append(file)
    }
    if let error = item.error { throw error }
    return files
}

/// Returns a picture of blue, green, red and alpha as a PPM file.
func portablePixmap(_ picture: CVPixelBuffer) -> Data {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    var file = Data("P6\n\(width) \(height)\n255\n".utf8)
    guard let base = CVPixelBufferGetBaseAddress(picture) else { return file }
    for row in 0..<height {
        let start = base + row * CVPixelBufferGetBytesPerRow(picture)
        let pixels = UnsafeRawBufferPointer(start: start, count: width * 4)
        for pixel in stride(from: 0, to: width * 4, by: 4) {
            file.append(contentsOf: [pixels[pixel + 2], pixels[pixel + 1], pixels[pixel]])
        }
    }
    return file
}
// end

// snippet: pictures
/// Returns the time and the mean brightness, 0…1, of each picture of a film that is shown in a range of time.
func brightness(of asset: AVAsset, in range: CMTimeRange) async throws -> [(time: CMTime, level: Double)] {
    guard let track = try await asset.loadTracks(withMediaType: .video).first else { return [] }
    let reader = try AVAssetReader(asset: asset)
    reader.timeRange = range
    let settings: [String: Any] = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelBufferWidthKey as String: 64, kCVPixelBufferHeightKey as String: 36,
    ]
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    reader.add(output)
    reader.startReading()
    var levels: [(CMTime, Double)] = []
    while let buffer = output.copyNextSampleBuffer() {
        guard let picture = buffer.imageBuffer else { continue }
        CVPixelBufferLockBaseAddress(picture, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
        guard let luma = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else { continue }
        var sum = 0
        for row in 0..<36 {
            let start = luma + row * CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
            sum += UnsafeRawBufferPointer(start: start, count: 64).reduce(0) { $0 + Int($1) }
        }
        levels.append((buffer.presentationTimeStamp, Double(sum) / Double(64 * 36 * 255)))
    }
    if let error = reader.error { throw error }
    return levels
}
// end
