import AVFAudio
import CoreAudioTypes
import Foundation
import Testing

@Suite struct ChannelLayoutTests {
    /// A layout of channels that are described by labels, handed to `body` as C would.
    private func described(
        _ labels: [AudioChannelLabel],
        body: (UnsafeMutablePointer<AudioChannelLayout>) -> AVAudioChannelLayout
    ) -> AVAudioChannelLayout {
        let size = AudioChannelLayout.sizeInBytes(maximumDescriptions: max(labels.count, 1))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let layout = memory.bindMemory(to: AudioChannelLayout.self, capacity: 1)
        layout.pointee.mNumberChannelDescriptions = UInt32(labels.count)
        for (index, label) in labels.enumerated() {
            memory.storeBytes(of: label, toByteOffset: 12 + index * 20, as: AudioChannelLabel.self)
        }
        return body(layout)
    }

    private static let counts: [(AudioChannelLayoutTag, UInt32)] = [
        (kAudioChannelLayoutTag_Mono, 1), (kAudioChannelLayoutTag_Stereo, 2), (kAudioChannelLayoutTag_MPEG_4_0_A, 4),
        (kAudioChannelLayoutTag_Quadraphonic, 4), (kAudioChannelLayoutTag_MPEG_5_0_A, 5),
        (kAudioChannelLayoutTag_MPEG_5_1_D, 6), (kAudioChannelLayoutTag_WAVE_7_1, 8),
        (kAudioChannelLayoutTag_Atmos_9_1_6, 16), (kAudioChannelLayoutTag_CICP_13, 24),
        (kAudioChannelLayoutTag_TMH_10_2_full, 21), (kAudioChannelLayoutTag_DiscreteInOrder | 11, 11),
        (kAudioChannelLayoutTag_HOA_ACN_SN3D | 9, 9), (kAudioChannelLayoutTag_Unknown | 3, 3),
    ]

    @Test("A layout tag states its channel count", arguments: counts)
    func aTagCountsItsChannels(_ tag: AudioChannelLayoutTag, _ count: UInt32) throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
        #expect(layout.channelCount == count)
        #expect(layout.layoutTag == tag)
        #expect(layout.layout.pointee.mChannelLayoutTag == tag)
        #expect(layout.layout.pointee.mNumberChannelDescriptions == 0)
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == count)
        #expect(AVAudioChannelLayout(layout: layout.layout) == layout)
    }

    @Test("A layout tag that describes no channels makes no layout")
    func tagsThatDescribeNothingAreNil() {
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
    }

    @Test("Every known channel order has the channel count of its tag")
    func everyKnownOrderHasAsManyChannelsAsItsTagSays() {
        var seen = 0
        for number in UInt32(100)...219 {
            for count in UInt32(1)...24 {
                guard let labels = ChannelOrder.labels(of: number << 16 | count) else { continue }
                #expect(labels.count == Int(count), "tag \(number)")
                #expect(Set(labels).count == labels.count, "tag \(number) has a channel twice")
                seen += 1
            }
        }
        #expect(seen > 100)
    }

    @Test("Channel descriptions in a known order become its layout tag")
    func descriptionsInAKnownOrderBecomeTheirTag() {
        let left = kAudioChannelLabel_Left
        let right = kAudioChannelLabel_Right
        let stereo = described([left, right]) { AVAudioChannelLayout(layout: $0) }
        #expect(stereo.layoutTag == kAudioChannelLayoutTag_Stereo)
        let film = described([
            left, right, kAudioChannelLabel_Center, kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LeftSurround,
            kAudioChannelLabel_RightSurround,
        ]) { AVAudioChannelLayout(layout: $0) }
        #expect(film.layoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(film == AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    }

    @Test("Channel descriptions in another order are kept")
    func otherDescriptionsStay() {
        let odd = described([kAudioChannelLabel_Right, kAudioChannelLabel_Haptic, kAudioChannelLabel_Left]) {
            AVAudioChannelLayout(layout: $0)
        }
        let same = described([kAudioChannelLabel_Right, kAudioChannelLabel_Haptic, kAudioChannelLabel_Left]) {
            AVAudioChannelLayout(layout: $0)
        }
        let other = described([kAudioChannelLabel_Right, kAudioChannelLabel_LFE2, kAudioChannelLabel_Left]) {
            AVAudioChannelLayout(layout: $0)
        }
        #expect(odd.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions)
        #expect(odd.channelCount == 3)
        #expect(odd.layout.pointee.mChannelDescriptions.mChannelLabel == kAudioChannelLabel_Right)
        #expect(odd == same)
        #expect(odd.hash == same.hash)
        #expect(odd != other)
    }

    @Test("A channel bitmap has as many channels as bits")
    func aBitmapCountsItsBits() {
        func bitmap(_ bits: AudioChannelBitmap) -> AVAudioChannelLayout {
            described([]) { layout in
                layout.pointee.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
                layout.pointee.mChannelBitmap = bits
                return AVAudioChannelLayout(layout: layout)
            }
        }
        let layout = bitmap([.bit_Left, .bit_Right, .bit_LFEScreen, .bit_LeftTopRear, .bit_RightTopRear])
        #expect(layout.layoutTag == kAudioChannelLayoutTag_UseChannelBitmap)
        #expect(layout.channelCount == 5)
        #expect(layout.layout.pointee.mChannelBitmap.contains(.bit_LFEScreen))
        #expect(layout == bitmap([.bit_Left, .bit_Right, .bit_LFEScreen, .bit_LeftTopRear, .bit_RightTopRear]))
        #expect(layout != bitmap([.bit_Left, .bit_Right, .bit_Center, .bit_LeftTopRear, .bit_RightTopRear]))
    }

    @Test("An archived channel layout keeps its descriptions")
    func archivesKeepDescriptions() throws {
        let odd = described([kAudioChannelLabel_Right, kAudioChannelLabel_Haptic]) { AVAudioChannelLayout(layout: $0) }
        for layout in [odd, try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_7_1_C))] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: layout, requiringSecureCoding: true)
            let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioChannelLayout.self, from: data)
            #expect(again == layout)
        }
    }
}
