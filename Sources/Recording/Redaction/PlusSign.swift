import HTTPMessage
import Secrets

/// The unescaped plus sign of a phone number or an e-mail address in a query or form.
///
/// By the rules of forms it is a space. `URLComponents` and many clients leave it unescaped, and the number or the
/// address would no longer be recognised.
enum PlusSign {
    /// The maximum length of a number or an address; longer values are neither.
    private static let longest = 512
    private static let unknowing = Pseudonyms()

    /// Returns the pairs of a query or form as `QueryItems` does, but with such signs.
    static func pairs(_ query: String?) -> [HARPair] {
        (query ?? "").utf8.split(separator: 0x26).prefix(QueryItems.standardLimit).compactMap { piece in
            let text = String(Substring(piece))
            guard let item = QueryItems(text, limit: 1).items.first else { return nil }
            return HARPair(item.name, value(of: item, in: text))
        }
    }

    /// Returns the value of one pair; the piece is its part of the query as sent.
    static func value(of item: QueryItems.Item, in piece: String) -> String {
        guard let equals = piece.utf8.firstIndex(of: 0x3D), piece.utf8.count <= longest,
            piece.utf8[equals...].contains(0x2B)
        else { return item.value }
        let parts = piece[equals...].dropFirst().split(separator: "+", omittingEmptySubsequences: false)
        guard let value = QueryItems("v=" + parts.joined(separator: "%2B"), limit: 1).items.first?.value else {
            return item.value
        }
        let bytes = Array(value.utf8)
        let findings = SecretScanner.find(bytes, unknowing, takesPseudonyms: true)
        guard findings.count == 1, findings[0].range.upperBound == bytes.count else { return item.value }
        switch findings[0].kind {
        case .email: return findings[0].range.lowerBound == 0 ? value : item.value
        case .phone: return findings[0].range.lowerBound == 1 && bytes[0] == 0x2B ? value : item.value
        case .jwt, .code, .token, .basic, .cookie, .person: return item.value
        }
    }
}
