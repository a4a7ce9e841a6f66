import RegularExpressions
import TestSupport
import Testing

/// Texts that fit an expression.
@Suite struct RegularExpressionSampleTests {
    @Test(arguments: [
        "", "a", "^a$", "a|b|", "(ab)*c", "^(a*)*$", "^(a|b){3,5}$", "[^\\w\\s]", "^\\d{3}-\\d{4}$", "\\bx\\b", "\\Bx",
        "^\\p{L}+$", "^\\P{L}$",
        "[\\u{1F600}-\\u{1F64F}]", "^.{300}$", "^(?:[a-z]+\\.)+[a-z]{2,}$", "^(a?){200}b$", "^\\S{1,60}$",
    ])
    func `17 a sample fits its expression`(source: String) throws {
        let expression = try RegularExpression(source)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let text = try #require(expression.sample(lengths: 0...400, using: &generator), "\(source)")
            #expect(expression.isFound(in: text), "\(source): \(text)")
        }
    }

    @Test func `17 lengths are kept, exactly where they have to be`() throws {
        var generator = SeededGenerator(seed: 2)
        for (source, lengths) in [
            ("^[a-z]+$", 7...7), ("^(ab|cde)+$", 11...11), ("x", 40...45), ("^a", 9...9), ("z$", 9...9),
        ] {
            let expression = try RegularExpression(source)
            let text = try #require(expression.sample(lengths: lengths, using: &generator), "\(source)")
            #expect(lengths.contains(text.unicodeScalars.count) && expression.isFound(in: text), "\(source): \(text)")
        }
        for (source, lengths) in [
            ("^a{3}$", 4...9), ("^(ab)+$", 3...3), ("a^", 0...9), ("[]", 0...9), ("^a{400}$", 0...300),
        ] {
            #expect(try RegularExpression(source).sample(lengths: lengths, using: &generator) == nil, "\(source)")
        }
    }

    @Test func `17 the same generator gives the same text`() throws {
        let expression = try RegularExpression("^[a-z]{8}-\\d+$")
        var texts: [String?] = []
        for _ in 0..<2 {
            var generator = SeededGenerator(seed: 3)
            texts.append(expression.sample(lengths: 0...20, using: &generator))
        }
        #expect(texts[0] == texts[1])
    }
}
