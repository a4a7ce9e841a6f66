import Signing

/// The name of a world inside a token that is not a JWT, so that it too leads back to the world that issued it (control
/// contract, section 4).
///
/// A tagged text keeps to letters, digits, `_` and `-`.
package enum WorldTag {
    private static let mark = "-w-"

    /// A secret of letters and digits with the world's name after it.
    package static func tagged(_ secret: String, world: String) -> String {
        secret + mark + Base64URL.encode(Array(world.utf8))
    }

    /// The world that a token names; what follows a `|` belongs to the token's second half.
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

    // MARK: Tokens without room for a name

    /// The length of a short token: that of the refresh tokens of Supabase Auth.
    package static let shortLength = 12
    private static let shortAlphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Six characters of `a-z0-9` that stand for a world's name at the end of a short token.
    ///
    /// Two of the 10,000 worlds that there can be share them with a chance of 2 %; who looks up a token has to ask both.
    package static func shortMark(of world: String) -> String {
        var stream = SeededStream(seed: world.fnv1a64)
        return stream.text(length: 6, from: shortAlphabet)
    }

    /// The mark of a token of twelve characters of `a-z0-9`; nil for any other text.
    package static func shortMark(in token: String) -> String? {
        guard token.utf8.count == shortLength, token.utf8.allSatisfy({ shortAlphabet.contains($0) }) else { return nil }
        return String(token.suffix(6))
    }
}
