package import Handshakes

/// The first message of a client (RFC 8446, section 4.1.2), as far as a server's choices and reports need it.
package struct ClientHello: Hashable, Sendable {
    /// The name that the client asks for; nil without one.
    package var serverName: String?
    /// The application protocols that it offers, in its order; nil without the extension.
    package var protocols: [String]?
    /// The versions that it offers, in its order; for a client before TLS 1.3 the highest alone, which is all it says.
    package var versions: [TLSVersion]
    /// The numbers of the cipher suites, in its order.
    package var cipherSuites: [UInt16]

    /// Reads the body of the message; nil unless it is exactly in the form.
    package init?(body: ArraySlice<UInt8>) {
        var cursor = TLSMessageCursor(body)
        guard let legacy = cursor.number(2), cursor.take(32) != nil, cursor.vector(1, 0...32) != nil,
            let suites = cursor.vector(2, 2...65_534), suites.count.isMultiple(of: 2),
            cursor.vector(1, 1...255) != nil
        else { return nil }
        versions = [TLSVersion(rawValue: UInt16(legacy))]
        cipherSuites = Self.numbers(suites)
        // Clients before TLS 1.2 may have no extensions at all.
        guard !cursor.isAtEnd else { return }
        guard let extensions = cursor.vector(2, 0...65_535), cursor.isAtEnd, read(extensions) else { return nil }
    }

    private mutating func read(_ extensions: ArraySlice<UInt8>) -> Bool {
        var cursor = TLSMessageCursor(extensions)
        var seen: Set<Int> = []
        while !cursor.isAtEnd {
            guard let kind = cursor.number(2), let content = cursor.vector(2, 0...65_535), seen.insert(kind).inserted
            else { return false }
            switch kind {
            case 0:
                guard let name = Self.serverName(content) else { return false }
                serverName = name
            case 16:
                guard let names = Self.protocols(content) else { return false }
                protocols = names
            case 43:
                guard let offered = Self.versions(content) else { return false }
                versions = offered
            default: break
            }
        }
        return true
    }

    /// Reads `server_name` (RFC 6066, section 3): one name of the only kind there is.
    private static func serverName(_ content: ArraySlice<UInt8>) -> String? {
        var cursor = TLSMessageCursor(content)
        guard let list = cursor.vector(2, 1...65_535), cursor.isAtEnd else { return nil }
        var entry = TLSMessageCursor(list)
        guard entry.number(1) == 0, let name = entry.vector(2, 1...255), entry.isAtEnd,
            name.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Reads `application_layer_protocol_negotiation` (RFC 7301, section 3.1).
    private static func protocols(_ content: ArraySlice<UInt8>) -> [String]? {
        var cursor = TLSMessageCursor(content)
        guard let list = cursor.vector(2, 2...65_535), cursor.isAtEnd else { return nil }
        var names: [String] = []
        var entries = TLSMessageCursor(list)
        while !entries.isAtEnd {
            guard let name = entries.vector(1, 1...255) else { return nil }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// Reads `supported_versions` (RFC 8446, section 4.2.1).
    private static func versions(_ content: ArraySlice<UInt8>) -> [TLSVersion]? {
        var cursor = TLSMessageCursor(content)
        guard let list = cursor.vector(1, 2...254), list.count.isMultiple(of: 2), cursor.isAtEnd else { return nil }
        return numbers(list).map(TLSVersion.init).filter { !$0.isGrease }
    }

    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
    }
}
