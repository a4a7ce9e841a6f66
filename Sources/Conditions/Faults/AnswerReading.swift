import Backend
package import HTTPMessage
import JSON

/// The findings about the content of one answer: its plain form, and what faults find in it and make of it.
///
/// All of it follows from the answer and the effect alone, so that a worker can find it out ahead. Nothing is taken from
/// here for an answer that differs from the one that was read.
package final class AnswerReading {
    /// The question that an effect asks of an answer.
    struct Question: Hashable {
        var effect: JSON
        var stream: SeededStream
        var schema: JSONSchema?

        // A schema may be long, and nearly always is the same for the same effect.
        func hash(into hasher: inout Hasher) {
            hasher.combine(effect)
            hasher.combine(stream)
        }
    }

    private var plain: (answer: Response, found: Response?)?
    private var json: (content: [UInt8], found: JSON?)?
    private var examined: Response?
    private var obstacles: [Question: String?] = [:]
    private var changes: [(question: Question, answer: Response, found: Response)] = []

    /// The content that the answer was selected from; nil for an answer that is what it is whatever the request says.
    package var selection: ContentSelection?

    package init() {}

    /// Returns the answer without its codings; nil if one can't be taken off.
    func decoded(_ answer: Response) -> Response? {
        if let plain, plain.answer == answer { return plain.found }
        let found = answer.decoded
        plain = (answer, found)
        return found
    }

    /// Returns the content as JSON; nil if it is none.
    func json(_ content: [UInt8]) -> JSON? {
        if let json, json.content == content { return json.found }
        let found = try? JSONReader.read(content, options: JSONReader.Options(maxDepth: 512))
        json = (content, found)
        return found
    }

    /// Returns the reason why an effect would not change an answer, which `find` finds where it is not known.
    func obstacle(_ question: Question, in answer: Response, find: () -> String?) -> String? {
        if examined != answer {
            examined = answer
            obstacles = [:]
        }
        if let known = obstacles[question] { return known }
        let found = find()
        obstacles[question] = .some(found)
        return found
    }

    /// Returns what an effect makes of an answer, which `make` makes where it is not known.
    func change(_ question: Question, of answer: Response, make: () -> Response) -> Response {
        if let known = changes.first(where: { $0.question == question && $0.answer == answer }) { return known.found }
        let found = make()
        changes.append((question, answer, found))
        return found
    }

    /// Forgets the forms of the content, which are long and take long to free, and keeps what was found with them.
    func forgetForms() {
        plain = nil
        json = nil
    }
}
