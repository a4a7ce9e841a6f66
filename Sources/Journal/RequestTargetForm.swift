import Backend

/// The way by which a request reached its API, as far as the fields of its journal entry do not tell it.
///
/// A replay repeats it, so that links in the answer are the same. No value that most requests have takes more than a
/// reference.
package enum RequestTargetForm: Sendable, Equatable {
    /// The target was the API's own path.
    case direct
    /// The target had a prefix before that path (`Address.linkPrefix`), was an absolute address of that authority, or had
    /// the path in this form.
    ///
    /// With `origin` it came by the forward proxy, which was asked for that origin.
    indirect case other(prefix: String, authority: String?, path: String? = nil, origin: String? = nil)

    package init(prefix: String, authority: String?, path: String? = nil, origin: String? = nil) {
        self =
            prefix.isEmpty && authority == nil && path == nil && origin == nil
            ? .direct : .other(prefix: prefix, authority: authority, path: path, origin: origin)
    }

    /// The prefix before the API's own path: empty, `/@NAME`, `/omnichat` or `/@NAME/omnichat`.
    package var prefix: String {
        switch self {
        case .direct: ""
        case .other(let prefix, _, _, _): prefix
        }
    }

    /// The authority of an absolute target; nil where the target was a path.
    package var authority: String? {
        switch self {
        case .direct: nil
        case .other(_, let authority, _, _): authority
        }
    }

    /// The API's own path as it was sent; nil where that is its normal form, which the entry has.
    package var path: String? {
        switch self {
        case .direct: nil
        case .other(_, _, let path, _): path
        }
    }

    /// The origin that the forward proxy was asked for; nil for a request that came straight to a port.
    package var origin: String? {
        switch self {
        case .direct: nil
        case .other(_, _, _, let origin): origin
        }
    }

    /// The bytes of its texts.
    var cost: Int {
        switch self {
        case .direct: 0
        case .other(let prefix, let authority, let path, let origin):
            prefix.utf8.count + (authority?.utf8.count ?? 0) + (path?.utf8.count ?? 0) + (origin?.utf8.count ?? 0)
        }
    }
}

// MARK: The packed form

extension RequestTargetForm {
    private static let unknownMark: UInt64 = 0
    private static let directMark: UInt64 = 1
    private static let otherMark: UInt64 = 2

    /// Writes the way of an entry, where it is known: a byte for most.
    static func pack(_ way: RequestTargetForm?, to writer: inout PackedWriter) {
        switch way {
        case nil: writer.number(unknownMark)
        case .direct: writer.number(directMark)
        case .other(let prefix, let authority, let path, let origin):
            writer.number(otherMark)
            writer.text(prefix)
            writer.optional(authority)
            writer.optional(path)
            writer.optional(origin)
        }
    }

    /// Reads a way that was packed; the inner nil stands for one that is not known.
    static func read(_ reader: inout PackedReader) -> RequestTargetForm?? {
        switch reader.number() {
        case unknownMark: return .some(nil)
        case directMark: return .direct
        case otherMark:
            guard let prefix = reader.text(), let authority = reader.optional({ $0.text() }),
                let path = reader.optional({ $0.text() }), let origin = reader.optional({ $0.text() })
            else { return nil }
            return .other(prefix: prefix, authority: authority, path: path, origin: origin)
        default: return nil
        }
    }
}
