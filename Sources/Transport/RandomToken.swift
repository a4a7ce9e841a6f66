/// A secret from the system's random numbers, for the admin token, which must not be predictable.
package enum RandomToken {
    /// Returns 32 hexadecimal digits.
    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: (0..<32).map { _ in digits[Int(generator.next() & 15)] }, as: UTF8.self)
    }
}
