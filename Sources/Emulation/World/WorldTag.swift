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
}
