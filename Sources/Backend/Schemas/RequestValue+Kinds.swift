import JSON

extension RequestValue where Output == String {
    /// A text that keeps all of the rules; the first broken rule is reported.
    package static func string(_ rules: TextRule...) -> Self { string(rules) { $0 } }

    /// A text without the white space around it, to which the rules apply.
    package static func trimmedString(
        by trim: @escaping @Sendable (String) -> String,
        _ rules: TextRule...
    ) -> Self {
        string(rules, trim)
    }

    private static func string(_ rules: [TextRule], _ prepare: @escaping @Sendable (String) -> String) -> Self {
        Self(TextRule.schema(of: rules)) { json, issues in
            guard case .string(let sent) = json else {
                issues.note(.wrongType(.string), json)
                return nil
            }
            let text = prepare(sent)
            for rule in rules where !rule.isKept(text) {
                issues.note(rule.issue, json)
                return nil
            }
            return text
        }
    }
}

extension RequestValue where Output: RawRepresentable & CaseIterable, Output.RawValue == String {
    /// One of the cases of a type, by its raw text.
    package static func choice(_ type: Output.Type) -> Self {
        let allowed = Output.allCases.map(\.rawValue)
        return Self(.string(enumeration: allowed)) { json, issues in
            guard case .string(let text) = json else {
                issues.note(.wrongType(.oneOf(allowed)), json)
                return nil
            }
            guard let choice = Output(rawValue: text) else {
                issues.note(.notAllowed(allowed), json)
                return nil
            }
            return choice
        }
    }
}

extension RequestValue where Output == Bool {
    /// `true` or `false`.
    package static var boolean: Self {
        Self(.boolean) { json, issues in
            guard case .bool(let flag) = json else {
                issues.note(.wrongType(.boolean), json)
                return nil
            }
            return flag
        }
    }
}

extension RequestValue where Output == Double {
    /// A finite number, in a range if there is one.
    package static func number(in range: ClosedRange<Double>? = nil) -> Self {
        let schema: JSONSchema =
            range.map { .boundedNumber(minimum: $0.lowerBound, maximum: $0.upperBound) } ?? .number
        return Self(schema) { json, issues in
            guard let number = json.doubleValue, number.isFinite || range != nil else {
                issues.note(.wrongType(.number(range)), json)
                return nil
            }
            if let range, !range.contains(number) {
                issues.note(.outOfRange(.number(range)), json)
                return nil
            }
            return number
        }
    }
}

extension RequestValue where Output == Int64 {
    /// A whole number in a range.
    package static func integer(in range: ClosedRange<Int64>) -> Self {
        Self(.integer(minimum: range.lowerBound, maximum: range.upperBound)) { json, issues in
            guard let number = json.intValue else {
                issues.note(.wrongType(.integer(range)), json)
                return nil
            }
            guard range.contains(number) else {
                issues.note(.outOfRange(.integer(range)), json)
                return nil
            }
            return number
        }
    }
}

extension RequestValue {
    /// An object of a schema, read into a value that `initial` makes.
    package static func object(
        _ shape: RequestSchema<Output>,
        from initial: @escaping @Sendable () -> Output
    ) -> Self {
        Self(shape.schema) { json, issues in
            guard case .object(let object) = json else {
                issues.note(.wrongType(.object), json)
                return nil
            }
            var value = initial()
            shape.read(object, into: &value, &issues)
            return value
        }
    }
}

extension RequestValue where Output: RequestModel {
    /// An object of another model.
    package static func object(_ type: Output.Type) -> Self { object(Output.shape) { Output() } }
}
