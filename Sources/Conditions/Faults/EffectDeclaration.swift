package import JSON

/// The description of an effect, from which its schema, its documentation and its builders follow.
package struct EffectDeclaration: Sendable {
    /// Examples of the effect in one row of the table in docs/faults.md.
    package struct Row: Sendable {
        /// Markdown, such as `` `{"body":"html"}` ``.
        package let orders: String
        /// The effect as the client sees it.
        package let meaning: String

        package init(_ orders: String, _ meaning: String) {
            self.orders = orders
            self.meaning = meaning
        }
    }

    /// A word of `Prefer: fault=WORD` and the order that it stands for.
    package struct Word: Sendable {
        package let name: String
        package let order: JSONObject

        package init(_ name: String, _ order: JSONObject) {
            self.name = name
            self.order = order
        }
    }

    /// The member of `effect` that names it.
    package let name: String
    /// The schemas of the objects that order it; an order fits exactly one of them.
    package let forms: [JSONSchema]
    /// Orders that are accepted, at least one for each form.
    package let examples: [JSONObject]
    package let rows: [Row]
    package let words: [Word]
    package let builders: [EffectBuilder]
    /// Tells whether null is a value to send, and not a member left out.
    package let takesNull: Bool
    /// The members inside its object that hold content with a limit of its own.
    let contents: [String]

    init(
        _ name: String,
        forms: [JSONSchema],
        examples: [JSONObject],
        rows: [Row],
        words: [Word] = [],
        builders: [EffectBuilder],
        takesNull: Bool = false,
        contents: [String] = []
    ) {
        self.name = name
        self.forms = forms
        self.examples = examples
        self.rows = rows
        self.words = words
        self.builders = builders
        self.takesNull = takesNull
        self.contents = contents
    }

    /// The members that may accompany the name, in the order of the forms.
    package var companions: [String] {
        var names: [String] = []
        for case .object(let form) in forms {
            for property in form.properties where property.name != name && !names.contains(property.name) {
                names.append(property.name)
            }
        }
        return names
    }
}

/// A method of UnderstudyClient's `Effect` that makes orders of an effect.
package struct EffectBuilder: Sendable {
    package struct Parameter: Sendable {
        package enum Kind: Sendable {
            case integer
            case string
            case boolean
            case json
            /// Names with values, in their order.
            case pairs
            /// A `Latency.Delay`.
            case delay
            /// A list of `Effect.Interim`.
            case interims
            /// An enumeration inside `Effect`.
            case choice(Choice)
        }

        /// The label and the name as Swift spells them: `bytesPerSecond`, `_ status`, `afterEvents count`.
        package let spelling: String
        package let kind: Kind
        /// The member that it sets, such as `stream.gapMs`.
        package let member: String
        package let isOptional: Bool

        static func integer(_ spelling: String, _ member: String, isOptional: Bool = false) -> Parameter {
            Parameter(spelling: spelling, kind: .integer, member: member, isOptional: isOptional)
        }

        static func string(_ spelling: String, _ member: String, isOptional: Bool = false) -> Parameter {
            Parameter(spelling: spelling, kind: .string, member: member, isOptional: isOptional)
        }

        static func boolean(_ spelling: String, _ member: String, isOptional: Bool = false) -> Parameter {
            Parameter(spelling: spelling, kind: .boolean, member: member, isOptional: isOptional)
        }

        static func json(_ spelling: String, _ member: String) -> Parameter {
            Parameter(spelling: spelling, kind: .json, member: member, isOptional: false)
        }

        static func pairs(_ spelling: String, _ member: String, isOptional: Bool = false) -> Parameter {
            Parameter(spelling: spelling, kind: .pairs, member: member, isOptional: isOptional)
        }

        static func delay(_ spelling: String, _ member: String) -> Parameter {
            Parameter(spelling: spelling, kind: .delay, member: member, isOptional: false)
        }

        static func interims(_ spelling: String, _ member: String) -> Parameter {
            Parameter(spelling: spelling, kind: .interims, member: member, isOptional: false)
        }

        static func choice(
            _ spelling: String,
            _ member: String,
            _ choice: Choice,
            isOptional: Bool = false
        ) -> Parameter {
            Parameter(spelling: spelling, kind: .choice(choice), member: member, isOptional: isOptional)
        }
    }

    /// An enumeration of the words that a member takes.
    package struct Choice: Sendable {
        package struct Case: Sendable {
            package let name: String
            package let word: String
        }

        package let name: String
        package let summary: String
        package let cases: [Case]

        init<Words: RawRepresentable & CaseIterable>(_ name: String, _ summary: String, _ words: Words.Type)
        where Words.RawValue == String {
            self.name = name
            self.summary = summary
            cases = words.allCases.map { Case(name: "\($0)", word: $0.rawValue) }
        }
    }

    package let name: String
    package let summary: String
    package let parameters: [Parameter]
    /// A member that is true in every order.
    package let flag: String?

    init(_ name: String, _ summary: String, _ parameters: [Parameter]) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        flag = nil
    }

    /// Creates a builder without parameters.
    init(_ name: String, _ summary: String, flag: String) {
        self.name = name
        self.summary = summary
        parameters = []
        self.flag = flag
    }
}
