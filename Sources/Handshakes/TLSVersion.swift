/// A version of TLS by its number on the wire.
package struct TLSVersion: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let tls10 = TLSVersion(rawValue: 0x0301)
    package static let tls11 = TLSVersion(rawValue: 0x0302)
    package static let tls12 = TLSVersion(rawValue: 0x0303)
    package static let tls13 = TLSVersion(rawValue: 0x0304)

    /// The name, such as `TLSv1.3`.
    package var name: String {
        switch self {
        case .tls10: "TLSv1.0"
        case .tls11: "TLSv1.1"
        case .tls12: "TLSv1.2"
        case .tls13: "TLSv1.3"
        case TLSVersion(rawValue: 0x0300): "SSLv3"
        default: "0x" + String(rawValue, radix: 16)
        }
    }

    /// The version of that name; nil for an unknown one.
    package init?(name: String) {
        guard let known = [Self.tls10, .tls11, .tls12, .tls13].first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// Tells whether the number is one that clients send only so that servers get used to unknown ones (RFC 8701).
    package var isGrease: Bool { rawValue & 0x0F0F == 0x0A0A && rawValue >> 8 == rawValue & 0xFF }

    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}
