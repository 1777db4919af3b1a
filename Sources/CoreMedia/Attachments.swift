public import CoreVideo
public import Foundation

/// Whether an attachment propagates to objects that are derived from its bearer.
public typealias CMAttachmentMode = UInt32
/// The attachment does not propagate.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment propagates to derived objects.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object that has attachments: a sample buffer or a block buffer.
public protocol CMAttachmentBearerProtocol: AnyObject {
    /// The attachments, by their keys.
    var attachments: CMAttachmentBearerAttachments { get }
}

extension CMAttachmentBearerProtocol {
    /// Copies the attachments that propagate to `destination`.
    public func propagateAttachments<T: CMAttachmentBearerProtocol>(to destination: T) {
        destination.attachments.merge(attachments.propagated, mode: .shouldPropagate)
    }
}

/// An object that has attachments.
public typealias CMAttachmentBearer = any CMAttachmentBearerProtocol

/// The attachments of an object, by key.
///
/// ```swift
/// let key = kCMSampleBufferAttachmentKey_SpeedMultiplier
/// sampleBuffer.attachments[key] = .shouldPropagate(1.5)
/// print(sampleBuffer.attachments[key]?.value ?? "none")
/// ```
public struct CMAttachmentBearerAttachments {
    /// An attachment with its propagation mode.
    public enum Value {
        /// The attachment does not propagate.
        case shouldNotPropagate(Any)
        /// The attachment propagates to derived objects.
        case shouldPropagate(Any)

        /// The value of the attachment.
        public var value: Any {
            switch self {
            case .shouldNotPropagate(let value), .shouldPropagate(let value): value
            }
        }

        /// The propagation mode.
        public var mode: Mode {
            switch self {
            case .shouldNotPropagate: .shouldNotPropagate
            case .shouldPropagate: .shouldPropagate
            }
        }

        init(_ value: Any, _ mode: Mode) {
            self = mode == .shouldPropagate ? .shouldPropagate(value) : .shouldNotPropagate(value)
        }
    }

    /// The propagation mode of an attachment.
    public enum Mode: CMAttachmentMode, Sendable {
        /// The attachment does not propagate.
        case shouldNotPropagate = 0
        /// The attachment propagates to derived objects.
        case shouldPropagate = 1
    }

    let store: AttachmentStore

    /// The attachment for a key; setting `nil` removes it.
    public subscript(key: String) -> Value? {
        get { store.values[key] }
        nonmutating set { store.values[key] = newValue }
    }

    /// Removes all attachments.
    public func removeAll() { store.values = [:] }

    /// The values of the attachments that do not propagate.
    public var nonPropagated: [String: Any] { values(.shouldNotPropagate) }

    /// The values of the attachments that propagate.
    public var propagated: [String: Any] { values(.shouldPropagate) }

    /// Adds `attachments`, and replaces those with the same keys.
    public func merge(_ attachments: [String: Any], mode: Mode) {
        for (key, value) in attachments { store.values[key] = Value(value, mode) }
    }

    private func values(_ mode: Mode) -> [String: Any] {
        store.values.filter { $0.value.mode == mode }.mapValues(\.value)
    }
}

/// Stores the attachments of an object.
final class AttachmentStore {
    var values: [String: CMAttachmentBearerAttachments.Value] = [:]
}

extension CMBlockBuffer: CMAttachmentBearerProtocol {
    /// The attachments of the block buffer.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(store: attachmentStore) }
}

extension CMSampleBuffer: CMAttachmentBearerProtocol {
    /// The attachments of the buffer as a whole.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(store: attachmentStore) }
}

/// Attaches a value to an object; `nil` removes the attachment.
public func CMSetAttachment(
    _ target: CMAttachmentBearer,
    key: String,
    value: Any?,
    attachmentMode: CMAttachmentMode
) {
    let mode = CMAttachmentBearerAttachments.Mode(rawValue: attachmentMode) ?? .shouldNotPropagate
    target.attachments[key] = value.map { CMAttachmentBearerAttachments.Value($0, mode) }
}

/// Returns the value that is attached under `key`, and its propagation mode.
public func CMGetAttachment(
    _ target: CMAttachmentBearer,
    key: String,
    attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> Any? {
    guard let value = target.attachments[key] else { return nil }
    attachmentModeOut?.pointee = value.mode.rawValue
    return value.value
}

/// Removes an attachment.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: String) { target.attachments[key] = nil }

/// Removes all attachments.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) { target.attachments.removeAll() }

/// Returns the attachments with a propagation mode.
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?,
    target: CMAttachmentBearer,
    attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    let all = target.attachments
    let values = attachmentMode == kCMAttachmentMode_ShouldPropagate ? all.propagated : all.nonPropagated
    return NSDictionary(dictionary: values)
}

/// Attaches all values of a dictionary whose keys are strings.
public func CMSetAttachments(
    _ target: CMAttachmentBearer,
    attachments theAttachments: CFDictionary,
    attachmentMode: CMAttachmentMode
) {
    for (key, value) in theAttachments {
        guard let key = key as? String else { continue }
        CMSetAttachment(target, key: key, value: value, attachmentMode: attachmentMode)
    }
}

/// Copies the attachments of `source` that propagate to `destination`.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    destination.attachments.merge(source.attachments.propagated, mode: .shouldPropagate)
}
