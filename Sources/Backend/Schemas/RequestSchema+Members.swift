import JSON

extension RequestSchema.Member {
    /// A member that must be present and not `null`.
    package static func required<Output>(
        _ name: String,
        _ kind: RequestValue<Output>,
        _ store: @escaping @Sendable (inout Value, Output) -> Void
    ) -> Self {
        Self([Entry(name: name, schema: kind.schema, demand: .required)]) { object, nulls, value, issues in
            guard let json = object[name], nulls == .value || !json.isNull else {
                return issues.note(name, .missing)
            }
            let start = issues.count
            if let output = kind.read(json, &issues) { store(&value, output) }
            issues.nest(from: start, in: .key(name))
        }
    }

    /// A member that may be absent; nothing is stored then.
    package static func optional<Output>(
        _ name: String,
        _ kind: RequestValue<Output>,
        _ store: @escaping @Sendable (inout Value, Output) -> Void
    ) -> Self {
        Self([Entry(name: name, schema: kind.schema, demand: .optional)]) { object, nulls, value, issues in
            guard let json = object[name], nulls == .value || !json.isNull else { return }
            let start = issues.count
            if let output = kind.read(json, &issues) { store(&value, output) }
            issues.nest(from: start, in: .key(name))
        }
    }

    /// A member that distinguishes absence, `null` and a value.
    ///
    /// Absence stores nothing, `null` stores nil.
    package static func nullable<Output>(
        _ name: String,
        _ kind: RequestValue<Output>,
        _ store: @escaping @Sendable (inout Value, Output?) -> Void
    ) -> Self {
        Self([Entry(name: name, schema: kind.schema, demand: .nullable)]) { object, _, value, issues in
            guard let json = object[name] else { return }
            if json.isNull { return store(&value, nil) }
            let start = issues.count
            if let output = kind.read(json, &issues) { store(&value, output) }
            issues.nest(from: start, in: .key(name))
        }
    }

    /// The first of several members that has a value; the others are not read.
    ///
    /// Without any, the first of the names counts as missing. The document shows each as optional, because OpenAPI's
    /// object schemas can't express the rule.
    package static func requiredFirst<Output>(
        of names: [String],
        _ kind: RequestValue<Output>,
        _ store: @escaping @Sendable (inout Value, Output) -> Void
    ) -> Self {
        Self(names.map { Entry(name: $0, schema: kind.schema, demand: .optional) }) { object, _, value, issues in
            for name in names {
                guard let json = object[name], !json.isNull else { continue }
                let start = issues.count
                if let output = kind.read(json, &issues) { store(&value, output) }
                return issues.nest(from: start, in: .key(name))
            }
            if let name = names.first { issues.note(name, .missing) }
        }
    }

    /// A rule over the members before it, whose issues are listed in its place.
    package static func rule(_ check: @escaping @Sendable (inout Value, inout [FieldIssue]) -> Void) -> Self {
        Self([]) { _, _, value, issues in check(&value, &issues) }
    }

    /// The same member, stored in a part of a larger value.
    package func within<Outer>(
        _ part: any WritableKeyPath<Outer, Value> & Sendable
    ) -> RequestSchema<Outer>.Member {
        let read = read
        var member = RequestSchema<Outer>.Member(
            entries.map { entry in
                let demand: RequestSchema<Outer>.Member.Demand =
                    switch entry.demand {
                    case .required: .required
                    case .optional: .optional
                    case .nullable: .nullable
                    }
                return RequestSchema<Outer>.Member.Entry(name: entry.name, schema: entry.schema, demand: demand)
            }
        ) { object, nulls, value, issues in
            read(object, nulls == .absent ? .absent : .value, &value[keyPath: part], &issues)
        }
        member.nulls = nulls.map { $0 == .absent ? .absent : .value }
        member.isDeferred = isDeferred
        return member
    }

    /// The same member, for which `null` is a value of another type.
    package var refusingNull: Self {
        var copy = self
        copy.nulls = .value
        return copy
    }

    /// The same member, with some of its issues listed after those of all other members.
    package func deferring(where isDeferred: @escaping @Sendable (FieldIssue) -> Bool) -> Self {
        var copy = self
        copy.isDeferred = isDeferred
        return copy
    }
}
