import AVFoundation

// snippet: stills
/// Returns pictures of a film at equal distances, each no more than `width` pixels wide, for a list of scenes.
func thumbnails(of film: URL, count: Int, width: Int) async throws -> [(time: CMTime, picture: CVPixelBuffer)] {
    let asset = AVURLAsset(url: film)
    let seconds = try await asset.load(.duration).seconds
    let generator = AVAssetImageGenerator(asset: asset)
    generator.appliesPreferredTrackTransform = true
    generator.maximumSize = CGSize(width: width, height: 0)
    let times = (0..<count).map { index in
        CMTime(seconds: seconds * (Double(index) + 0.5) / Double(count), preferredTimescale: 600)
    }
    var pictures: [(CMTime, CVPixelBuffer)] = []
    for await element in generator.images(for: times) {
        pictures.append((try element.actualTime, try element.image))
    }
    return pictures
}
// end
