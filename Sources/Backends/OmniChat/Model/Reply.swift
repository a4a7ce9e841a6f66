import Backend
import Basics

/// Deterministic replies (contract, section 6.3): a function of the content, the model and the reply's number.
enum Reply {
    /// The eight filler sentences, 8 to 24 words each.
    static let fillers = [
        "A good next step is to write down the two points that matter most and start there.",
        "If you tell me a little more about the goal, I can make the plan more exact.",
        "There are several ways to look at this, and the simplest one is usually worth trying first.",
        "Small steps make it easier to notice early when something does not go as expected.",
        "You could compare this with what worked last time and keep only the parts that still fit.",
        "It may help to sleep on it and read the whole text once more with fresh eyes tomorrow.",
        "Most of the work is in the details, so let us take them one after the other.",
        "When in doubt, ask the people who will use it every day what they would miss the most.",
    ]

    /// Tells whether a model can generate (section 9.1).
    static func canGenerate(_ model: String, listed: Bool) -> Bool {
        listed || ["gpt-", "claude-", "gemini-"].contains(where: model.hasPrefix)
            || model.contains("llama") || model.contains("sonar")
    }

    /// The text of reply number `number` in its conversation.
    static func text(to content: String, number: Int, model: String) -> String {
        let trimmed = content.trimmed
        var quoted = String(trimmed.prefix(200))
        if quoted.count < trimmed.count { quoted += "…" }
        let filler = fillers[Int((model + "\n" + quoted).fnv1a64 % UInt64(fillers.count))]
        let separator = number.isMultiple(of: 2) ? "\n\n" : " "
        return
            "You said: \"\(quoted)\". This is reply \(number) in this conversation, written by \(model).\(separator)\(filler)"
    }

    /// A text long enough for `count` pieces.
    static func text(pieces count: Int) -> String {
        let words = fillers.flatMap { $0.split(separator: " ") }
        return (0..<count).map { words[$0 % words.count] }.joined(separator: " ")
    }

    /// Splits a text into words with the white space before them; words are cut every 24 characters.
    ///
    /// White space at the end belongs to the last piece. There are always at least 8 pieces: a text of fewer words is
    /// cut into 8 even parts, some of which are empty if it has fewer characters.
    static func pieces(of text: String) -> [String] {
        var found: [String] = []
        var piece = ""
        var wordLength = 0
        for character in text {
            if character.isWhitespace {
                if wordLength > 0 {
                    found.append(piece)
                    piece = ""
                    wordLength = 0
                }
            } else {
                if wordLength == 24 {
                    found.append(piece)
                    piece = ""
                    wordLength = 0
                }
                wordLength += 1
            }
            piece.append(character)
        }
        if wordLength > 0 || found.isEmpty {
            if !piece.isEmpty { found.append(piece) }
        } else {
            found[found.count - 1] += piece
        }
        guard found.count < 8 else { return found }
        let characters = Array(text)
        return (0..<8).map { part in
            String(characters[(characters.count * part / 8)..<(characters.count * (part + 1) / 8)])
        }
    }

    /// The battery units of a reply (section 8.3, D20).
    static func cost(model: String, input: String, output: String) -> Int {
        func tokens(_ text: String) -> Int { (text.utf16.count + 3) / 4 }
        // In hundredths of a unit per 1000 tokens, so that rounding up is exact.
        let total = (tokens(input) + tokens(output)) * (rates.first { $0.model == model }?.hundredths ?? 1_000)
        return max(1, (total + 99_999) / 100_000)
    }

    private static let rates: [(model: String, hundredths: Int)] = [
        ("gpt-4o-mini", 122),
        ("gpt-4o", 2_032),
        ("gpt-4.1", 1_625),
        ("gpt-4.1-mini", 325),
        ("gpt-4.1-nano", 82),
        ("o3-mini", 894),
        ("claude-3-5-sonnet-20241022", 2_925),
        ("claude-3-5-haiku-20241022", 780),
        ("gemini-2.0-flash", 82),
        ("grok-3", 2_925),
        ("grok-3-mini", 130),
        ("deepseek-chat", 223),
    ]
}
