/// The pairs of a query or of an `application/x-www-form-urlencoded` body, in order, repeats kept.
///
/// Decoding follows the URL standard's form parser: pieces are cut at `&`, then at the first `=`; `+` is a space; an
/// escape that is not one stays as it stands; bytes that are not UTF-8 become U+FFFD. Nothing is refused, since servers
/// don't; `isWellFormed` tells an endpoint that wants to.
package struct QueryItems: Sendable {
    /// One pair.
    package struct Item: Sendable, Equatable {
        package let name: String
        /// Empty when there was no `=`.
        package let value: String
        /// True if every escape was complete and every byte part of UTF-8 text.
        package let isWellFormed: Bool
    }

    /// The maximum number of pairs unless another number is given.
    package static let standardLimit = 1_000

    /// The pairs in order.
    package let items: [Item]
    /// True if there were more pairs than the limit; the surplus is left out.
    package let isTruncated: Bool

    /// The pairs of a raw query, without its question mark; none for nil.
    package init(_ raw: String?, limit: Int = standardLimit) {
        self.init(bytes: Array((raw ?? "").utf8)[...], limit: limit)
    }

    /// The pairs of a raw query or form body.
    package init(bytes: ArraySlice<UInt8>, limit: Int = standardLimit) {
        var items: [Item] = []
        var isTruncated = false
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            if start < end {
                guard items.count < limit else {
                    isTruncated = true
                    break
                }
                items.append(Self.item(bytes[start..<end]))
            }
            start = end + 1
        }
        self.items = items
        self.isTruncated = isTruncated
    }

    /// True if nothing had to be repaired or left out.
    package var isWellFormed: Bool { !isTruncated && items.allSatisfy(\.isWellFormed) }

    /// The first value of a name, or nil.
    package func first(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// The last value of a name, or nil.
    package func last(_ name: String) -> String? { items.last { $0.name == name }?.value }

    /// Every value of a name, in order.
    package func all(_ name: String) -> [String] {
        items.compactMap { $0.name == name ? $0.value : nil }
    }

    /// Returns true if the name occurs.
    package func contains(_ name: String) -> Bool { items.contains { $0.name == name } }

    private static func item(_ piece: ArraySlice<UInt8>) -> Item {
        let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
        let name = decode(piece[..<equals])
        let value = decode(piece[min(equals + 1, piece.endIndex)...])
        return Item(name: name.text, value: value.text, isWellFormed: name.isWellFormed && value.isWellFormed)
    }

    private static func decode(_ raw: ArraySlice<UInt8>) -> (text: String, isWellFormed: Bool) {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(raw.count)
        var isWellFormed = true
        var position = raw.startIndex
        while position < raw.endIndex {
            let byte = raw[position]
            position += 1
            switch byte {
            case UInt8(ascii: "+"): decoded.append(0x20)
            case UInt8(ascii: "%"):
                if position + 1 < raw.endIndex, let high = raw[position].hexDigitValue,
                    let low = raw[position + 1].hexDigitValue
                {
                    decoded.append(high << 4 | low)
                    position += 2
                } else {
                    decoded.append(byte)
                    isWellFormed = false
                }
            default: decoded.append(byte)
            }
        }
        if let text = String(validating: decoded, as: UTF8.self) { return (text, isWellFormed) }
        return (String(decoding: decoded, as: UTF8.self), false)
    }
}
