import Basics
package import CivilTime
import Formats
import HTTPMessage
package import JSON

/// The outline of a schema, for those who read it rather than hold values against it.
extension Schema {
    /// The form of the values that are not null.
    package enum Form: Sendable { case object, array, text, integer, number, boolean, mixed }

    package var form: Form {
        let view = SchemaView(store)
        var types = view.types(of: number)
        types.remove(.null)
        switch types {
        case .object: return .object
        case .array: return .array
        case .string: return .text
        case .integer: return .integer
        case .boolean: return .boolean
        case .number, .fraction: return .number
        case .all.subtracting(.null):
            // A schema without a type is that of an object if it names members, of an array if it has elements.
            if !view.memberNames(in: number).isEmpty { return .object }
            return view.all(number).contains { $0.items != nil } ? .array : .mixed
        default: return .mixed
        }
    }

    /// The names of the members that it names, itself or by what it refers to or combines, in order.
    package var memberNames: [String] { SchemaView(store).memberNames(in: number) }

    /// The schema of a member that it names; of several the one that says most, then the first.
    package func member(_ name: String) -> Schema? {
        let found = SchemaView(store).all(number).compactMap { $0.property(name) }
        guard found.count > 1 else { return found.first.map { Schema(store, $0) } }
        let weighed = found.map { own in
            let schema = Schema(store, own)
            return (schema, schema.memberNames.count + (schema.element?.memberNames.count ?? 0))
        }
        let most = weighed.map(\.1).max()
        return weighed.first { $0.1 == most }?.0
    }

    /// The schema of the elements of an array; nil if it says nothing of them.
    package var element: Schema? {
        for rules in SchemaView(store).all(number) {
            if case .schema(let own)? = rules.items { return Schema(store, own) }
        }
        return nil
    }

    /// The names of the members that each value has.
    package var required: [String] { conjuncts.flatMap { store.rules($0).required } }

    /// The schema itself and those that hold beside it: what it refers to, and the parts of `allOf`.
    private var conjuncts: [Int] {
        var found: [Int] = []
        var waiting = [number]
        while let next = waiting.popLast(), found.count < 1_000 {
            guard !found.contains(next) else { continue }
            found.append(next)
            let rules = store.rules(next)
            waiting += rules.allOf.reversed() + (rules.reference.map { [$0] } ?? [])
        }
        return found
    }

    /// A number that two schemas share if both lead to the same one.
    package var identity: Int { resolved }

    private var resolved: Int {
        var place = number
        for _ in 0..<100 {
            let rules = store.rules(place)
            guard
                let next = rules.reference
                    ?? (rules.allOf.count == 1 && rules.properties.isEmpty ? rules.allOf[0] : nil)
            else { break }
            place = next
        }
        return place
    }

    /// The name of the component that it leads to; empty for a schema in place.
    package var componentName: String {
        let place = store.place(of: resolved)
        guard place.source == 0, place.path.count == 3, place.path[0] == .key("components"),
            place.path[1] == .key("schemas")
        else { return "" }
        return store.rules(resolved).name
    }

    /// The reference that leads to it from outside, as from the schema of a table; nil where it lies in another file.
    package var reference: String? {
        for place in [store.place(of: resolved), store.place(of: number)] where place.source == 0 {
            return place.path.reduce("#") { text, step in
                switch step {
                case .key(let name):
                    text + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1").percentEncodedComponent
                case .index(let index): "\(text)/\(index)"
                }
            }
        }
        return nil
    }

    /// The values that alone are allowed, if they are listed.
    package var choices: [JSON]? {
        for rules in conjuncts.map(store.rules) {
            if let constant = rules.constant { return [constant] }
            if let values = rules.enumeration { return values }
        }
        return nil
    }

    /// A keyword of the schema itself or of one that holds beside it, as it is written.
    package func keyword(_ name: String) -> JSON? {
        for place in conjuncts.map(store.place) {
            if let value = place.value[name] { return value }
        }
        return nil
    }

    /// The default of a member; a nearer schema comes first.
    package func defaultValue(ofMember name: String) -> JSON? {
        for rules in conjuncts.map(store.rules) {
            guard let member = rules.property(name) else { continue }
            if let value = Schema(store, member).conjuncts.lazy.compactMap({ store.rules($0).defaultValue }).first {
                return value.value
            }
        }
        return nil
    }

    /// Tells whether clients can't write it.
    package var isReadOnly: Bool { SchemaView(store).hasMark(number) { $0.isReadOnly } }

    /// A value that fits, the same one for the same label; nil if none was found.
    ///
    /// Its times lie within the 30 days before
    /// `start`.
    package func sample(_ label: String, start: Instant) -> JSON? {
        var maker = SampleMaker(store, start: start, stream: SampleStream(seed: 42, [label]), ceiling: 400_000)
        return maker.sample(number)?.value
    }
}
