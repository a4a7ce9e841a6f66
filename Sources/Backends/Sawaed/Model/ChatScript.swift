import Backend
import CivilTime
import JSON

/// The texts of the assessment (contract, section 8.5).
enum ChatScript {
    struct Question {
        var stem: LocalisedText
        var options: [LocalisedText]
        /// The index of the right option.
        var right: Int
    }

    static let start = "__start__"
    static let letters: [Language: [String]] = [.en: ["A", "B", "C", "D"], .ar: ["أ", "ب", "ج", "د"]]

    static func greeting(_ skill: AISkill, _ user: User, _ language: Language) -> String {
        let name = skill.name.text(language)
        let firstName = user.firstName(language)
        let blank = firstName.isBlank ? "" : " " + firstName
        return switch language {
        case .en:
            "Welcome\(blank). This is the assessment for \(name). You will get five multiple-choice questions. "
                + "Send any message to begin."
        case .ar:
            "أهلاً\(blank). هذا تقييم \(name). ستجيب عن خمسة أسئلة اختيار من متعدد. أرسل أي رسالة للبدء."
        }
    }

    /// Question `number`, counted from 1.
    static func question(_ number: Int, _ skill: AISkill, _ language: Language) -> String {
        let question = questions(skill.name)[min(max(number, 1), 5) - 1]
        let head = language == .en ? "Question \(number)/5" : "السؤال \(number) من 5"
        let options = zip(letters[language] ?? [], question.options).map { "\($0)) \($1.text(language))" }
        return "\(head)\n\n\(question.stem.text(language))\n\n\(options.joined(separator: "\n"))"
    }

    /// Tells whether a message answers question `number` with the right letter, in either alphabet.
    static func isRight(_ message: String, question number: Int) -> Bool {
        guard let first = message.first(where: { !$0.isWhitespace }) else { return false }
        let right = questions(LocalisedText(en: "", ar: ""))[min(max(number, 1), 5) - 1].right
        return letters.values.contains { $0[right] == String(first).uppercased() }
    }

    static func closing(_ skill: AISkill, _ level: Int, _ language: Language) -> String {
        let name = skill.name.text(language)
        return switch language {
        case .en: "Assessment complete. Your level in \(name) is \(level)."
        case .ar: "اكتمل التقييم. مستواك في \(name) هو \(level)."
        }
    }

    /// The fenced block after the closing text.
    static func block(
        _ skill: AISkill,
        _ level: Int,
        _ confidence: Double,
        _ modules: [LearningModule],
        _ language: Language
    ) -> String {
        var writer = ResponseWriter(epoch: Epoch(start: .epoch), dates: .milliseconds)
        writer.json.beginObject()
        writer.json.name("skill")
        writer.json.string(skill.name.text(language))
        writer.json.name("level")
        writer.json.integer(Int64(level))
        writer.json.name("confidence")
        writer.json.double(confidence)
        writer.json.name("learningModules")
        writer.write(modules)
        writer.json.endObject()
        return "```json\n\(String(decoding: writer.json.bytes, as: UTF8.self))\n```"
    }

    /// The reply to an anonymous caller or for an unknown skill; nothing is stored.
    static func sample(_ language: Language) -> String {
        switch language {
        case .en:
            """
            ## A sample reply

            - Sign in to be assessed.
            - Choose a skill that exists.

            > This text shows how replies look.
            """
        case .ar:
            """
            ## رد نموذجي

            - سجّل الدخول ليبدأ التقييم.
            - اختر مهارة موجودة.

            > يوضح هذا النص شكل الردود.
            """
        }
    }

    /// Five parts of equal length, one character more or less.
    static func pieces(of text: String) -> [String] {
        let characters = Array(text)
        return (0..<5).map { String(characters[(characters.count * $0 / 5)..<(characters.count * ($0 + 1) / 5)]) }
    }

    private static func questions(_ skill: LocalisedText) -> [Question] {
        func texts(_ pairs: [(String, String)]) -> [LocalisedText] {
            pairs.map { LocalisedText(en: $0.0, ar: $0.1) }
        }
        return [
            Question(
                stem: LocalisedText(
                    en: "What comes first in a new task in \(skill.text(.en))?",
                    ar: "ما أول خطوة في مهمة جديدة في \(skill.text(.ar))؟"
                ),
                options: texts([
                    ("waiting", "الانتظار"), ("understanding the goal", "فهم الهدف"), ("copying", "النسخ"),
                    ("skipping it", "تركها"),
                ]),
                right: 1
            ),
            Question(
                stem: LocalisedText(en: "Which source do you rely on?", ar: "أي مصدر تعتمد عليه؟"),
                options: texts([
                    ("a rumour", "إشاعة"), ("any post", "أي منشور"), ("a checked source", "مصدر موثوق"),
                    ("none", "لا شيء"),
                ]),
                right: 2
            ),
            Question(
                stem: LocalisedText(
                    en: "A result looks wrong. What now?",
                    ar: "النتيجة تبدو خاطئة. ماذا تفعل؟"
                ),
                options: texts([
                    ("check the steps", "أراجع الخطوات"), ("hide it", "أخفيها"), ("ignore it", "أتجاهلها"),
                    ("give up", "أستسلم"),
                ]),
                right: 0
            ),
            Question(
                stem: LocalisedText(en: "How do you work with others?", ar: "كيف تعمل مع الآخرين؟"),
                options: texts([
                    ("never", "لا أعمل"), ("late", "متأخراً"), ("silently", "بصمت"),
                    ("by sharing the plan", "بمشاركة الخطة"),
                ]),
                right: 3
            ),
            Question(
                stem: LocalisedText(en: "How do you see your progress?", ar: "كيف تعرف تقدمك؟"),
                options: texts([
                    ("by luck", "بالحظ"), ("against earlier results", "بمقارنة نتائجي السابقة"),
                    ("never", "لا أعرف"), ("by guessing", "بالتخمين"),
                ]),
                right: 1
            ),
        ]
    }
}
