public import CoreMedia
public import Foundation

/// A piece of metadata: a key of a family, and a value.
open class AVMetadataItem: NSObject, AVAsynchronousKeyValueLoading, NSCopying, @unchecked Sendable {
    // Unchecked: nothing changes after `init`; a mutable item is used by one thread at a time, as its documentation says.

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

    /// An item of which nothing is known.
    public override init() {
        contents = Contents()
    }

    /// The key and its family.
    open var identifier: AVMetadataIdentifier? {
        if let identifier = contents.identifier { return identifier }
        guard let key = contents.key, let keySpace = contents.keySpace else { return nil }
        return AVMetadataIdentifier(key, in: keySpace)
    }
    /// The family of the key.
    open var keySpace: AVMetadataKeySpace? { contents.keySpace }
    /// The key in its family.
    open var key: (any NSCopying & NSObjectProtocol)? { contents.key.map { NSString(string: $0) } }
    /// The key that other formats have for the same, if there is one.
    open var commonKey: AVMetadataKey? { contents.commonKey }
    /// The value: an `NSString`, `NSNumber`, `NSData` or `NSDate`.
    open var value: (any NSCopying & NSObjectProtocol)? { contents.value }
    /// The value as text; a number in digits, `nil` for what is neither.
    open var stringValue: String? {
        switch contents.value {
        case let text as NSString: String(describing: text)
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
    /// The value as a number: that of digits at the start of a text too, as in a track number `3/12`.
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
    /// The value as bytes: of a picture its file, of a text its UTF-8.
    open var dataValue: Data? {
        if let data = contents.value as? NSData { return Data(referencing: data) }
        return (contents.value as? NSString).map { Data(String(describing: $0).utf8) }
    }
    /// The value as a date: that of a text such as `2024`, `2024-05` or `2024-05-17T12:00:00Z` too.
    open var dateValue: Date? {
        if let date = contents.value as? NSDate {
            return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        }
        return stringValue.flatMap(MetadataDate.date)
    }
    /// The attributes of the item beside its value, such as the kind of a picture.
    open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        contents.extraAttributes.isEmpty ? nil : contents.extraAttributes
    }
    /// The language tag of a text, if it is known.
    open var extendedLanguageTag: String? { contents.languageTag }
    /// The language of a text, if it is known.
    open var locale: Locale? { contents.languageTag.map { Locale(identifier: $0) } }
    /// When the item begins to hold; invalid for one that always does.
    open var time: CMTime { contents.time }
    /// The duration for which the item applies; invalid for one that always does.
    open var duration: CMTime { contents.duration }
    /// The date at which the item begins to hold, if it is known.
    open var startDate: Date? { contents.startDate }

    /// The family and the key, and the value if it is text.
    open override var description: String {
        "<\(type(of: self)): \(identifier?.rawValue ?? "no key") = \(stringValue ?? "\(dataValue?.count ?? 0) bytes")>"
    }

    /// Returns the item itself, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { AVMetadataItem(contents) }

    /// Returns an item of the same parts that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMetadataItem(contents) }

    /// Returns the state of a property: loaded.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        .loaded
    }

    /// Calls `completionHandler`, as all properties are there.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        loadingQueue.async { handler?() }
    }

    // MARK: Choosing

    /// Returns the items of a key and family; any for `nil`, and in the common family those that have a common key.
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

    /// Returns the items of an identifier; in the common family those that have that common key.
    open class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        metadataItems.filter { item in
            item.identifier == identifier
                || item.commonKey.map { AVMetadataIdentifier($0.rawValue, in: .common) } == identifier
        }
    }

    /// Returns the items whose language is among the preferred ones, the most preferred first, and behind them the others.
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

    /// Returns the identifier of a key in a family, if the key is text.
    open class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        ((key as? AVMetadataKey)?.rawValue ?? key as? String).map { AVMetadataIdentifier($0, in: keySpace) }
    }
}

/// A piece of metadata that can be changed; one thread at a time.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    /// The key and its family.
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
    /// The family of the key.
    open override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set {
            contents.keySpace = newValue
            updateCommonKey()
        }
    }
    /// The key in its family.
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
    /// The attributes of the item beside its value.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set { contents.extraAttributes = newValue ?? [:] }
    }
    /// The language tag of a text.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { contents.languageTag = newValue }
    }
    /// When the item begins to hold.
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
    /// The attributes of the item beside its value.
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
        AVAsyncProperty("extraAttributes") { $0.extraAttributes }
    }
}

/// Items that hold for a part of an asset, such as a chapter.
open class AVTimedMetadataGroup: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    /// The items.
    public let items: [AVMetadataItem]
    /// The part of the asset.
    public let timeRange: CMTimeRange

    /// Items that hold for `timeRange`.
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
