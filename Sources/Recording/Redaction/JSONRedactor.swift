import JSON
import Secrets

/// Replaces secrets in JSON text in place; everything else keeps its bytes.
package struct JSONRedactor {
    private struct Level {
        var isObject: Bool
        var key = ""
        /// The kind that an outer name implies for everything below it.
        var inherited: SecretKind?
        /// The sense that a text under a telltale name may have, beside a secret.
        var wording = Wording.none
        /// Tells whether it is a part of a schema, which describes values by their names.
        var isSchema = false
        /// The telltale name that a member of the object gives to the one called `value`.
        var label: String?
        /// The range and the text of a `value` that came before any such name.
        var unlabelled: (range: Range<Int>, text: String)?
    }

    private let bytes: [UInt8]
    private let redactor: Redactor
    private var output: [UInt8] = []
    private var place = 0
    private var levels: [Level] = []

    private init(_ bytes: [UInt8], _ redactor: Redactor) {
        self.bytes = bytes
        self.redactor = redactor
        output.reserveCapacity(bytes.count + 64)
    }

    /// Returns the text without its secrets; the text must be JSON.
    package static func redacted(_ bytes: [UInt8], by redactor: Redactor, under name: String = "") -> [UInt8] {
        var json = JSONRedactor(bytes, redactor)
        if !name.isEmpty { json.levels = [Level(isObject: true, key: name, inherited: nil)] }
        json.run()
        return json.output
    }

    private mutating func run() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x22: string()
            case 0x7B, 0x5B:
                let isSchema = opensSchema
                levels.append(
                    Level(
                        isObject: bytes[place] == 0x7B,
                        inherited: isSchema ? nil : containerKind,
                        wording: isSchema ? .label : wordingBelow,
                        isSchema: isSchema
                    )
                )
                copy()
            case 0x7D, 0x5D:
                if !levels.isEmpty { levels.removeLast() }
                copy()
            case 0x30...0x39, 0x2D: number()
            default: copy()
            }
        }
    }

    private mutating func copy() {
        output.append(bytes[place])
        place += 1
    }

    private var name: String { levels.last(where: \.isObject)?.key ?? "" }

    /// The kind of the members of a container that opens here.
    ///
    /// Members of an object under a telltale name have names of their own, but all their texts are redacted.
    private var containerKind: SecretKind? {
        guard let last = levels.last else { return nil }
        if last.isObject, let kind = SecretNames.kind(of: last.key) { return kind }
        return last.inherited
    }

    /// The sense that a text under a telltale name may have in the container that opens here.
    private var wordingBelow: Wording {
        guard redactor.isAnswer, let last = levels.last else { return redactor.wording }
        if last.wording == .label || !last.isObject { return last.wording }
        if TextCatalogue.isName(last.key) || TextCatalogue.isLanguage(last.key) && hasTextsOnly { return .label }
        if TextCatalogue.isRefusal(last.key) || SecretNames.kind(of: last.key) != nil && listsSentences {
            return .message
        }
        return last.wording
    }

    /// Tells whether a list of sentences opens here: under a telltale name they are messages about a value.
    private var listsSentences: Bool {
        guard bytes[place] == 0x5B else { return false }
        var isEmpty = true
        var next = place + 1
        let end = min(bytes.count, place + Self.mostExamined)
        while next < end {
            switch bytes[next] {
            case 0x22:
                let start = next
                next += 1
                while next < end, bytes[next] != 0x22 { next += bytes[next] == 0x5C ? 2 : 1 }
                guard next < end, let text = (try? JSONReader.read(Array(bytes[start...next])))?.stringValue,
                    TextCatalogue.isSentence(text)
                else { return false }
                isEmpty = false
            case 0x5D: return !isEmpty
            case 0x2C, 0x20, 0x09, 0x0A, 0x0D: break
            default: return false
            }
            next += 1
        }
        return false
    }

    /// Tells whether the container that opens here is a schema, or a part of one.
    private var opensSchema: Bool {
        guard redactor.isAnswer, let last = levels.last else {
            return redactor.isAnswer && SchemaObject(bytes, at: place).isDocument
        }
        if last.isSchema { return true }
        guard bytes[place] == 0x7B, last.isObject else { return false }
        if levels.count > 1, levels[levels.count - 2].isObject,
            SchemaObject.names.contains(levels[levels.count - 2].key)
        {
            return SchemaObject(bytes, at: place).isSchema
        }
        // The field of a form may be described anywhere.
        return SecretNames.kind(of: last.key) != nil && SchemaObject(bytes, at: place).isDescription
    }

    /// The bytes of a container that are examined.
    private static let mostExamined = 64 * 1_024

    private var hasTextsOnly: Bool {
        var depth = 0
        var isInString = false
        var next = place
        let end = min(bytes.count, place + Self.mostExamined)
        while next < end {
            switch bytes[next] {
            case 0x22: isInString.toggle()
            case 0x5C where isInString: next += 1
            case _ where isInString: break
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return true }
            case 0x2C, 0x3A, 0x20, 0x09, 0x0A, 0x0D: break
            default: return false
            }
            next += 1
        }
        return true
    }

    private var wording: Wording { levels.last?.wording ?? redactor.wording }

    private mutating func string() {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != 0x22 { place += bytes[place] == 0x5C ? 2 : 1 }
        place = min(place + 1, bytes.count)
        let literal = Array(bytes[start..<place])
        guard let text = (try? JSONReader.read(literal))?.stringValue else {
            output += redactor.bytes(literal, isText: true)
            return
        }
        var next = place
        while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
        let isName = levels.last?.isObject == true && next < bytes.count && bytes[next] == 0x3A
        if isName { levels[levels.count - 1].key = text }
        let redacted = isName ? redactor.name(text) : value(text, under: labelled)
        if !isName, let last = levels.last, last.isObject, SecretNames.isLabel(last.key, of: text) {
            levels[levels.count - 1].label = text
        }
        let begin = output.count
        output += redacted == text ? literal : JSON.string(redacted).serialized()
        if !isName { noteLabelling(text, from: begin) }
    }

    private func value(_ text: String, under name: String) -> String {
        redactor.value(text, under: name, inherited: inheritedKind, wording: wording)
    }

    /// Handles objects whose members are in any order: `value` may come before the name that describes it.
    private mutating func noteLabelling(_ text: String, from start: Int) {
        guard let last = levels.last, last.isObject else { return }
        guard let label = last.label else {
            if SecretNames.isLabelled(last.key) {
                levels[levels.count - 1].unlabelled = (start..<output.count, text)
            }
            return
        }
        guard let earlier = last.unlabelled else { return }
        levels[levels.count - 1].unlabelled = nil
        let redacted = value(earlier.text, under: label)
        if redacted != earlier.text {
            output.replaceSubrange(earlier.range, with: JSON.string(redacted).serialized())
        }
    }

    /// The name that applies to a text: its own, or the one in another member.
    private var labelled: String {
        guard let last = levels.last, last.isObject, let label = last.label, SecretNames.isLabelled(last.key) else {
            return nameOfSubstance
        }
        return label
    }

    /// The outer name, if the text is the credential itself, as in `"session":{"id":…}`, or a sample of it in a schema.
    private var nameOfSubstance: String {
        guard levels.count > 1, let last = levels.last, last.isObject, levels[levels.count - 2].isObject else {
            return name
        }
        let outer = levels[levels.count - 2].key
        let isOuter =
            SecretNames.isSubstance(last.key) && SecretNames.mayName(outer)
            || last.isSchema && SecretNames.isSample(last.key)
        return isOuter ? outer : name
    }

    private var inheritedKind: SecretKind? { levels.last?.inherited }

    private mutating func number() {
        let start = place
        while place < bytes.count {
            switch bytes[place] {
            case 0x30...0x39, 0x2D, 0x2B, 0x2E, 0x45, 0x65: place += 1
            default:
                output += redactor.number(bytes[start..<place], under: name, inherited: inheritedKind)
                return
            }
        }
        output += redactor.number(bytes[start..<place], under: name, inherited: inheritedKind)
    }
}
