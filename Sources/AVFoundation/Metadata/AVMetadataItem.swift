public import CoreMedia
public import Foundation

/// A metadata item: a key in a key space, and a value.
///
/// ```swift
/// let items = try await asset.load(.metadata)
/// let artists = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierArtist)
/// print(artists.first?.stringValue ?? "unknown artist")
/// ```
open class AVMetadataItem: NSObject, AVAsynchronousKeyValueLoading, NSCopying, @unchecked Sendable {
    // Unchecked: immutable after `init`; a mutable item is used by one thread at a time, as its documentation requires.

    /// The parts of an item.
    struct Contents {
        var keySpace: AVMetadataKeySpace?
        var key: String?
        var identifier: AVMetadataIdentifier?
        var commonKey: AVMetadataKey?
        var value: (any NSCopying & NSObjectProtocol)?
        var extraAttributes: [AVMetadataExtraAttributeKey: Any] = [:]
        var languageTag: String?
        var time = CMTime.invalid
        var duration = CMTime.invalid
        var startDate: Date?
    }

    var contents: Contents

    init(_ contents: Contents) {
        self.contents = contents
    }

    /// Creates an empty item.
    public override init() {
        contents = Contents()
    }

    /// The key together with its key space.
    open var identifier: AVMetadataIdentifier? {
        if let identifier = contents.identifier { return identifier }
        guard let key = contents.key, let keySpace = contents.keySpace else { return nil }
        return AVMetadataIdentifier(key, in: keySpace)
    }
    /// The key space.
    open var keySpace: AVMetadataKeySpace? { contents.keySpace }
    /// The key in its key space.
    open var key: (any NSCopying & NSObjectProtocol)? { contents.key.map { NSString(string: $0) } }
    /// The common key, if several formats have an equivalent of this key.
    open var commonKey: AVMetadataKey? { contents.commonKey }
    /// The value: an `NSString`, `NSNumber`, `NSData` or `NSDate`.
    open var value: (any NSCopying & NSObjectProtocol)? { contents.value }
    /// The value as text; numbers are converted to digits.
    ///
    /// `nil` for other values.
    open var stringValue: String? {
        switch contents.value {
        case let text as NSString: String(describing: text)
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
    /// The value as a number; text that starts with digits is converted, such as the track number `3/12`.
    open var numberValue: NSNumber? {
        if let number = contents.value as? NSNumber { return number }
        guard let text = stringValue else { return nil }
        if let whole = Int(text) { return NSNumber(value: whole) }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if digits.count < text.count, text.dropFirst(digits.count).first == "/", let whole = Int(digits) {
            return NSNumber(value: whole)
        }
        return Double(text).map { NSNumber(value: $0) }
    }
    /// The value as bytes: the file of a picture, or a text in UTF-8.
    open var dataValue: Data? {
        if let data = contents.value as? NSData { return Data(referencing: data) }
        return (contents.value as? NSString).map { Data(String(describing: $0).utf8) }
    }
    /// The value as a date; text such as `2024`, `2024-05` or `2024-05-17T12:00:00Z` is converted.
    open var dateValue: Date? {
        if let date = contents.value as? NSDate {
            return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        }
        return stringValue.flatMap(MetadataDate.date)
    }
    /// Additional attributes of the value, such as the MIME type of a picture.
    open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        contents.extraAttributes.isEmpty ? nil : contents.extraAttributes
    }
    /// The language tag of a text, if known.
    open var extendedLanguageTag: String? { contents.languageTag }
    /// The language of a text, if known.
    open var locale: Locale? { contents.languageTag.map { Locale(identifier: $0) } }
    /// The time from which the item applies; invalid for an item that always applies.
    open var time: CMTime { contents.time }
    /// The duration for which the item applies; invalid for an item that always applies.
    open var duration: CMTime { contents.duration }
    /// The date from which the item applies, if known.
    open var startDate: Date? { contents.startDate }

    /// The identifier, and the value if it is text.
    open override var description: String {
        "<\(type(of: self)): \(identifier?.rawValue ?? "no key") = \(stringValue ?? "\(dataValue?.count ?? 0) bytes")>"
    }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(contents) }

    /// Returns a mutable copy.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(contents) }

    /// Returns `loaded`: the properties of an item are always available.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        .loaded
    }

    /// Calls `handler` in the background at once, because all properties are available.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        loadingQueue.async { handler?() }
    }

    // MARK: Filtering

    /// Returns the items with a key in a key space; `nil` matches any.
    ///
    /// In the common key space, items match by their common key.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        withKey key: Any?,
        keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let wanted =
            (key as? AVMetadataKey)?.rawValue ?? key as? String ?? (key as? NSString).map { String(describing: $0) }
        return metadataItems.filter { item in
            if keySpace == .common {
                return item.commonKey != nil && (wanted == nil || item.commonKey?.rawValue == wanted)
            }
            guard keySpace == nil || item.keySpace == keySpace else { return false }
            return key == nil || item.contents.key == wanted
        }
    }

    /// Returns the items with an identifier.
    ///
    /// In the common key space, items match by their common key.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            item.identifier == identifier
                || item.commonKey.map { AVMetadataIdentifier($0.rawValue, in: .common) } == identifier
        }
    }

    /// Returns all items, sorted: first those in a preferred language, most preferred first, then the others.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMetadataItem] {
        let rank = { (item: AVMetadataItem) in
            item.extendedLanguageTag.flatMap { preferredLanguages.firstIndex(of: $0) } ?? preferredLanguages.count
        }
        return metadataItems.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    /// Returns the identifier of a key in a key space; `nil` if the key is not text.
    open class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        ((key as? AVMetadataKey)?.rawValue ?? key as? String).map { AVMetadataIdentifier($0, in: keySpace) }
    }
}

/// A mutable metadata item, for use on one thread at a time.
///
/// ```swift
/// let title = AVMutableMetadataItem()
/// title.identifier = .commonIdentifierTitle
/// title.value = "Field recording" as NSString
/// writer.metadata = [title]
/// ```
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    /// The key together with its key space.
    open override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set {
            contents.identifier = newValue
            guard let newValue else { return }
            let parts = newValue.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return }
            let spaces: [String: AVMetadataKeySpace] = ["common": .common, "id3": .id3]
            contents.keySpace = spaces[parts[0]] ?? AVMetadataKeySpace(rawValue: parts[0])
            contents.key = parts[1].replacingOccurrences(of: "%A9", with: "\u{A9}")
            contents.commonKey =
                contents.keySpace == .common
                ? AVMetadataKey(rawValue: parts[1]) : MetadataMapping.commonKey(of: contents.key, in: contents.keySpace)
        }
    }
    /// The key space.
    open override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set {
            contents.keySpace = newValue
            updateCommonKey()
        }
    }
    /// The key in its key space.
    open override var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set {
            contents.key = (newValue as? NSString).map { String(describing: $0) }
            updateCommonKey()
        }
    }
    /// The value: an `NSString`, `NSNumber`, `NSData` or `NSDate`.
    open override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set { contents.value = newValue }
    }
    /// Additional attributes of the value.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set { contents.extraAttributes = newValue ?? [:] }
    }
    /// The language tag of a text.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { contents.languageTag = newValue }
    }
    /// The time from which the item applies.
    open override var time: CMTime {
        get { super.time }
        set { contents.time = newValue }
    }
    /// The duration for which the item applies.
    open override var duration: CMTime {
        get { super.duration }
        set { contents.duration = newValue }
    }

    private func updateCommonKey() {
        contents.identifier = nil
        contents.commonKey =
            contents.keySpace == .common
            ? contents.key.map { AVMetadataKey(rawValue: $0) }
            : MetadataMapping.commonKey(of: contents.key, in: contents.keySpace)
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// The value.
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        AVAsyncProperty("value") { $0.value }
    }
    /// The value as text.
    public static var stringValue: AVAsyncProperty<Root, String?> { AVAsyncProperty("stringValue") { $0.stringValue } }
    /// The value as a number.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
        AVAsyncProperty("numberValue") { $0.numberValue }
    }
    /// The value as a date.
    public static var dateValue: AVAsyncProperty<Root, Date?> { AVAsyncProperty("dateValue") { $0.dateValue } }
    /// The value as bytes.
    public static var dataValue: AVAsyncProperty<Root, Data?> { AVAsyncProperty("dataValue") { $0.dataValue } }
    /// Additional attributes of the value.
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
        AVAsyncProperty("extraAttributes") { $0.extraAttributes }
    }
}

/// Metadata items for a time range of an asset, such as a chapter.
open class AVTimedMetadataGroup: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.
    /// The items.
    public let items: [AVMetadataItem]
    /// The time range in the asset.
    public let timeRange: CMTimeRange

    /// Creates a group of items for `timeRange`.
    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        self.items = items
        self.timeRange = timeRange
    }

    convenience init(chapter: AssetDescription.Chapter) {
        var contents = AVMetadataItem.Contents()
        contents.keySpace = .common
        contents.key = AVMetadataKey.commonKeyTitle.rawValue
        contents.commonKey = .commonKeyTitle
        contents.value = chapter.title.map { NSString(string: $0) }
        contents.time = chapter.timeRange.start
        contents.duration = chapter.timeRange.duration
        self.init(items: chapter.title == nil ? [] : [AVMetadataItem(contents)], timeRange: chapter.timeRange)
    }
}
