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
            try expectNil(RegularExpression(source).sample(lengths: lengths, using: &generator), "\(source)")
        }
    }

    @Test func `17 long texts follow the longer ways until they are long enough`() throws {
        var generator = SeededGenerator(seed: 4)
        for (source, lengths) in [
            ("^(a{90}){90}$", 0...10_000), ("^[a-z]+$", 5_000...5_010), ("^a{400}$", 0...400), ("^(ab|c)*$", 900...905),
            ("^a{0,2000}b$", 1_500...1_600), ("^x.*y$", 1_000...1_000), ("x", 2_000...2_001),
        ] {
            let expression = try RegularExpression(source)
            var work = 0
            let text = try #require(
                expression.sample(lengths: lengths, work: &work, using: &generator),
                "\(source)"
            )
            #expect(lengths.contains(text.unicodeScalars.count) && expression.isFound(in: text), "\(source)")
        }
        var work = 0
        _ = try RegularExpression("^(a{90}){90}$").sample(lengths: 0...10_000, work: &work, using: &generator)
        #expect(work > 0)
        try expectNil(RegularExpression("^(a{90}){90}$").sample(lengths: 0...8_099, using: &generator))
    }

    @Test func `6 a search that takes more than it may is given up`() throws {
        let expression = try RegularExpression("^(a|b|ab)*c$")
        let text = String(repeating: "ab", count: 200)
        var work = 0
        expectEqual(expression.isFound(in: text, work: &work, most: .max), false)
        let needed = work
        work = 0
        expectEqual(expression.isFound(in: text, work: &work, most: needed), false)
        expectNil(expression.isFound(in: text, work: &work, most: needed / 2))
    }

    @Test func `17 the same generator gives the same text`() throws {
        let expression = try RegularExpression("^[a-z]{8}-\\d+$")
        var texts: [String?] = []
        for _ in 0..<2 {
            var generator = SeededGenerator(seed: 3)
            texts.append(expression.sample(lengths: 0...20, using: &generator))
        }
        expectEqual(texts[0], texts[1])
    }
}
