import Crypto

/// The name of a world inside a token that is not a JWT, so that the token leads back to the world that issued it
/// (control contract, section 4).
///
/// A tagged text has only letters, digits, `_` and `-`.
package enum WorldTag {
    private static let mark = "-w-"

    /// Returns a secret of letters and digits followed by the world's name.
    package static func tagged(_ secret: String, world: String) -> String {
        secret + mark + Base64URL.encode(Array(world.utf8))
    }

    /// Returns the world that a token names; the text after a `|` belongs to the token's second half.
    package static func world(of token: String) -> String? {
        let text = Array(token.utf8.prefix { $0 != UInt8(ascii: "|") })
        let mark = Array(mark.utf8)
        guard text.count > mark.count else { return nil }
        for start in 0..<(text.count - mark.count) where text[start..<(start + mark.count)].elementsEqual(mark) {
            guard let bytes = Base64URL.decode(text[(start + mark.count)...]),
                let name = String(validating: bytes, as: UTF8.self), WorldName.isValid(name)
            else { return nil }
            return name
        }
        return nil
    }

    // MARK: Tokens of hexadecimal digits

    /// The number of digits after the prefix of a token of digits.
    package static let digits = 64
    private static let markDigits = 16
    private static let hexAlphabet = Array("0123456789abcdef".utf8)

    /// Returns a prefix that ends in `_` and 64 digits, of which the last 16 stand for the world's name.
    package static func digits(prefix: String, _ stream: inout SeededStream, world: String) -> String {
        prefix + stream.text(length: digits - markDigits, from: hexAlphabet) + digitMark(of: world)
    }

    /// Returns the digits that stand for a world's name.
    package static func digitMark(of world: String) -> String {
        let hex = String(world.fnv1a64, radix: 16)
        return String(repeating: "0", count: markDigits - hex.utf8.count) + hex
    }

    /// Returns the mark of a token made by `digits`; nil for any other text.
    package static func digitMark(in token: String) -> String? {
        guard let last = token.utf8.lastIndex(of: UInt8(ascii: "_")) else { return nil }
        let text = token.utf8[token.utf8.index(after: last)...]
        guard text.count == digits, text.allSatisfy({ hexAlphabet.contains($0) }) else { return nil }
        return String(token.suffix(markDigits))
    }

    /// Returns whether a token may have been issued in that world: it contains its mark, or none.
    package static func fits(_ token: String, world: String) -> Bool {
        if let mark = digitMark(in: token) { return mark == digitMark(of: world) }
        return self.world(of: token).map { $0 == world } ?? true
    }

    // MARK: Tokens without room for a name

    /// The length of a short token: that of the refresh tokens of Supabase Auth.
    package static let shortLength = 12
    private static let shortAlphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Returns six characters of `a-z0-9` that stand for a world's name at the end of a short token.
    ///
    /// Two of 10,000 worlds share a mark with a probability of 2 %, so a look-up has to try both.
    package static func shortMark(of world: String) -> String { shortMark(ofHash: world.fnv1a64) }

    /// Returns the same for the `fnv1a64` of a world's name.
    static func shortMark(ofHash hash: UInt64) -> String {
        var stream = SeededStream(seed: hash)
        return stream.text(length: 6, from: shortAlphabet)
    }

    /// Returns the mark of a token of twelve characters of `a-z0-9`; nil for any other text.
    package static func shortMark(in token: String) -> String? {
        guard token.utf8.count == shortLength, token.utf8.allSatisfy({ shortAlphabet.contains($0) }) else { return nil }
        return String(token.suffix(6))
    }

    // MARK: Handles of chat sessions

    private static let handlePrefix = "sess_"
    private static let handleLength = 11

    /// Returns a handle: `sess_`, eleven characters of `a-z0-9` of which the last six stand for the world's name, `_`
    /// and a number.
    ///
    /// Sessions are polled without a credential. In a world that only a token has selected, the handle alone can lead
    /// the poll back there.
    package static func handle(_ stream: inout SeededStream, number: Int64, world: String) -> String {
        let mark = shortMark(of: world)
        let secret = stream.text(length: handleLength - mark.utf8.count, from: shortAlphabet)
        return "\(handlePrefix)\(secret)\(mark)_\(number)"
    }

    /// Returns the mark of a handle made by `handle`; nil for any other text.
    package static func handleMark(in text: String) -> String? {
        let bytes = Array(text.utf8)
        let prefix = Array(handlePrefix.utf8)
        let end = prefix.count + handleLength
        guard bytes.count > end, bytes.starts(with: prefix), bytes[end] == UInt8(ascii: "_"),
            bytes[prefix.count..<end].allSatisfy({ shortAlphabet.contains($0) })
        else { return nil }
        return String(decoding: bytes[(end - 6)..<end], as: UTF8.self)
    }

    // MARK: What is secret of it

    /// Returns the part of a handle, an id or a token of digits that can't be guessed: the text between its prefix and
    /// a number behind it.
    package static func secretPart(of text: String) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard parts.count > 1, text.utf8.first.map({ $0 | 0x20 >= 0x61 }) == true else { return text }
        return String(decoding: parts[1], as: UTF8.self)
    }

    /// Returns the secret part of an id that is itself a secret, whatever its origin; the whole id where it has no such
    /// part.
    package static func secret(of id: String) -> String {
        let part = secretPart(of: id)
        return part.utf8.count < SecretHash.shortest ? id : part
    }
}
