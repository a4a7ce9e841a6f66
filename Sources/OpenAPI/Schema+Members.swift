import Formats
package import JSON

/// The members of the rows that a schema describes.
extension Schema {
    /// A member that a schema names, itself or through what it refers to or combines.
    package struct Member: Sendable {
        /// The types of its values that are not null, a list or an object.
        package enum Scalar: Sendable, CaseIterable { case boolean, number, text, time }

        /// The names on the way to it.
        package let path: [String]
        /// The types of its scalar values; empty for a member that is always a list or an object.
        package let scalars: Set<Scalar>
        /// Tells whether clients can't write it.
        package let isReadOnly: Bool
        /// Tells whether no response has it.
        package let isWriteOnly: Bool
    }

    /// Members inside members that are looked at; a schema may be cyclic.
    private static let mostSteps = 4
    /// Members that are looked at.
    private static let mostMembers = 1_000

    /// Every member that is named, and those inside members that are objects, in the order of the schema.
    package var members: [Member] {
        var found: [Member] = []
        collect(number, [], &found)
        return found
    }

    private func collect(_ schema: Int, _ path: [String], _ found: inout [Member]) {
        let view = SchemaView(store)
        for name in view.memberNames(in: schema) where found.count < Self.mostMembers {
            let own = view.schemas(ofMember: name, in: schema)
            let inner = path + [name]
            var types = own.reduce(TypeSet.all) { $0.intersection(view.types(of: $1)) }
            types.remove(.null)
            var scalars: Set<Member.Scalar> = []
            if types.contains(.boolean) { scalars.insert(.boolean) }
            if !types.isDisjoint(with: .number) { scalars.insert(.number) }
            if types.contains(.string) { scalars.insert(own.contains { isTime($0) } ? .time : .text) }
            found.append(
                Member(
                    path: inner,
                    scalars: scalars,
                    isReadOnly: own.contains { view.hasMark($0) { $0.isReadOnly } },
                    isWriteOnly: own.contains { view.isWriteOnly($0) }
                )
            )
            guard types.contains(.object), inner.count < Self.mostSteps else { continue }
            for schema in own { collect(schema, inner, &found) }
        }
    }

    /// Returns a value in which the members of objects that are missing are what they are by default.
    package func withDefaults(_ value: JSON) -> JSON { withDefaults(value, [number], steps: 0) }

    private func withDefaults(_ value: JSON, _ schemas: [Int], steps: Int) -> JSON {
        guard case .object(var object) = value, steps < Self.mostSteps else { return value }
        let view = SchemaView(store)
        for rules in schemas.flatMap({ view.certain($0) }).prefix(Self.mostMembers) {
            for (name, schema) in rules.properties {
                if let inner = object[name] {
                    object[name] = withDefaults(inner, [schema], steps: steps + 1)
                } else if let usual = view.certain(schema).compactMap(\.defaultValue).first?.value,
                    Schema(store, schema).fits(usual)
                {
                    object.append(name, usual)
                }
            }
        }
        return .object(object)
    }

    /// Tells whether null is a value of the member of that path.
    package func takesNull(at path: [String]) -> Bool {
        let view = SchemaView(store)
        var schemas = [number]
        for name in path {
            schemas = schemas.flatMap { view.schemas(ofMember: name, in: $0) }
            guard !schemas.isEmpty else { return false }
        }
        return schemas.allSatisfy { Schema(store, $0).fits(.null) }
    }

    private func isTime(_ schema: Int) -> Bool {
        SchemaView(store).hasMark(schema) { $0.format == .date || $0.format == .dateTime }
    }
}
