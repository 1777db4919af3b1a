public import CoreVideo
public import Foundation

/// Whether an attachment goes with the object to others that are made of it.
public typealias CMAttachmentMode = UInt32
/// The attachment stays with the object.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment goes with the object to others that are made of it.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object that carries attachments: a sample buffer or a block buffer.
public protocol CMAttachmentBearerProtocol: AnyObject {
    /// The attachments, by their keys.
    var attachments: CMAttachmentBearerAttachments { get }
}

extension CMAttachmentBearerProtocol {
    /// Copies the attachments to `destination` that are to go with the object.
    public func propagateAttachments<T: CMAttachmentBearerProtocol>(to destination: T) {
        destination.attachments.merge(attachments.propagated, mode: .shouldPropagate)
    }
}

/// An object that carries attachments.
public typealias CMAttachmentBearer = any CMAttachmentBearerProtocol

/// The attachments of an object.
public struct CMAttachmentBearerAttachments {
    /// An attachment, and whether it goes with the object to others.
    public enum Value {
        /// The attachment stays.
        case shouldNotPropagate(Any)
        /// The attachment goes with the object.
        case shouldPropagate(Any)

        /// The attachment itself.
        public var value: Any {
            switch self {
            case .shouldNotPropagate(let value), .shouldPropagate(let value): value
            }
        }

        /// Whether it goes with the object.
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

    /// Whether an attachment goes with the object.
    public enum Mode: CMAttachmentMode, Sendable {
        /// It stays.
        case shouldNotPropagate = 0
        /// It goes with the object.
        case shouldPropagate = 1
    }

    let store: AttachmentStore

    /// The attachment of a key; `nil` removes it.
    public subscript(key: String) -> Value? {
        get { store.values[key] }
        nonmutating set { store.values[key] = newValue }
    }

    /// Removes all.
    public func removeAll() { store.values = [:] }

    /// Those that stay.
    public var nonPropagated: [String: Any] { values(.shouldNotPropagate) }

    /// Those that go with the object.
    public var propagated: [String: Any] { values(.shouldPropagate) }

    /// Adds `attachments`, in the place of those of the same keys.
    public func merge(_ attachments: [String: Any], mode: Mode) {
        for (key, value) in attachments { store.values[key] = Value(value, mode) }
    }

    private func values(_ mode: Mode) -> [String: Any] {
        store.values.filter { $0.value.mode == mode }.mapValues(\.value)
    }
}

/// Holds the attachments of an object.
final class AttachmentStore {
    var values: [String: CMAttachmentBearerAttachments.Value] = [:]
}

extension CMBlockBuffer: CMAttachmentBearerProtocol {
    /// The attachments of the bytes.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(store: attachmentStore) }
}

extension CMSampleBuffer: CMAttachmentBearerProtocol {
    /// The attachments of the buffer as a whole.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(store: attachmentStore) }
}

/// Attaches a value to an object; `nil` removes that of the key.
public func CMSetAttachment(
    _ target: CMAttachmentBearer,
    key: String,
    value: Any?,
    attachmentMode: CMAttachmentMode
) {
    let mode = CMAttachmentBearerAttachments.Mode(rawValue: attachmentMode) ?? .shouldNotPropagate
    target.attachments[key] = value.map { CMAttachmentBearerAttachments.Value($0, mode) }
}

/// Returns the value that is attached to an object under `key`, and says whether it goes with the object.
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

/// Returns the attachments of a mode.
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?,
    target: CMAttachmentBearer,
    attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    let all = target.attachments
    let values = attachmentMode == kCMAttachmentMode_ShouldPropagate ? all.propagated : all.nonPropagated
    return NSDictionary(dictionary: values)
}

/// Attaches all values of a dictionary whose keys are texts.
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

/// Copies the attachments that go with `source` to `destination`.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    destination.attachments.merge(source.attachments.propagated, mode: .shouldPropagate)
}
