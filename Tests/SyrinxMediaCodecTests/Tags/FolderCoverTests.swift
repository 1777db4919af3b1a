import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Covers in folders") struct FolderCoverTests {
    private let folder: ScratchDirectory
    private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    init() throws { folder = try ScratchDirectory() }

    private func put(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: folder.url(name)) }
    private var found: MediaPicture? { FolderCover.picture(beside: FilePath(folder.file("song.flac"))) }

    @Test("The most usual name counts, in any case")
    func names() throws {
        #expect(found == nil)
        try put(png + [1], "ALBUMART.PNG")
        #expect(found?.data.last == 1)
        try put(png + [2], "Folder.jpg")
        #expect(found?.data.last == 2 && found?.mimeType == "image/png")
        try put(png + [3], "cover.webp")
        #expect(found?.data.last == 3)
        try put(png + [4], "discover.jpg")
        try put(png + [5], ".cover.jpg")
        #expect(found?.data.last == 3)
    }

    @Test("What is no picture, no file or too large is passed over")
    func others() throws {
        try put(Array("no picture".utf8), "cover.jpg")
        try FileManager.default.createDirectory(at: folder.url("cover.png"), withIntermediateDirectories: false)
        try put(png + [UInt8](repeating: 0, count: 17 << 20), "folder.png")
        #expect(found == nil)
        try put(png, "front.gif")
        #expect(found?.data == png)
        #expect(FolderCover.picture(beside: FilePath("/nowhere/song.flac")) == nil)
    }
}
