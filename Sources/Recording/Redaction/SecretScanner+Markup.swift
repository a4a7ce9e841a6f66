import Secrets

/// Secrets in HTML and XML.
extension SecretScanner {
    /// Finds the value of `<name>value</name>` with a telltale name.
    mutating func element(behind end: Int) {
        var start = end
        while start > 0, end - start < 128, bytes[start - 1] != 0x3C, bytes[start - 1] != 0x3E { start -= 1 }
        guard end >= endOfNamed, start > 0, start < end, bytes[start - 1] == 0x3C else { return }
        let tag = bytes[start..<end].prefix { $0 > 0x20 }
        let name = String(decoding: tag.split(separator: 0x3A).last ?? [], as: UTF8.self)
        guard let kind = SecretNames.kind(of: name) ?? labelKind(of: name, start..<end) else { return }
        var from = end + 1
        let mark = Array("<![CDATA[".utf8)
        let isQuoted = bytes[from...].starts(with: mark)
        if isQuoted { from += mark.count }
        var to = from
        while to < bytes.count, bytes[to] != (isQuoted ? 0x5D : 0x3C) { to += 1 }
        // Whatever follows: a document may be cut, and no part of it is searched twice.
        endOfNamed = to
        guard to - from >= 3, bytes[from..<to].contains(where: { $0 > 0x20 }) else { return }
        guard !Self.isKey(name) || Redactor.isOpaque(text(from..<to)), !isWording(from..<to) else { return }
        findings.append(Finding(range: from..<to, kind: kind))
    }

    /// Returns the kind of an element whose own name implies none: `<string name="token">`, and the element behind
    /// `<key>token</key>`.
    private func labelKind(of name: String, _ tag: Range<Int>) -> SecretKind? {
        let attributes = attributes(tag.lowerBound - 1).list
        if let label = attributes.first(where: { Self.isLabel($0.name) }) {
            return SecretNames.kind(of: text(label.value))
        }
        guard ["string", "data", "integer"].contains(name) else { return nil }
        var end = tag.lowerBound - 1
        while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
        let closing = Array("</key>".utf8)
        guard bytes[..<end].suffix(closing.count).elementsEqual(closing) else { return nil }
        end -= closing.count
        var start = end
        while start > 0, end - start < 128, bytes[start - 1] != 0x3E { start -= 1 }
        return SecretNames.kind(of: text(start..<end))
    }

    // MARK: Attributes

    /// The length up to which tags are read.
    private static let longestTag = 16 * 1_024

    /// Returns true for an attribute that names the content of another one.
    private static func isLabel(_ name: String) -> Bool {
        ["name", "id", "property", "itemprop", "http-equiv", "key"].contains(name)
    }

    /// Finds `<input name="csrf_token" value="…">` and `<meta content="…" name="csrf-token">`, in which one attribute
    /// names another one's content, in either order.
    ///
    /// A value under an attribute's own name, as in `data-token="…"`, is found like any other.
    mutating func tag(at place: Int) {
        let (list, end) = attributes(place)
        endOfTag = max(end, place + 1)
        guard list.count > 1 else { return }
        var kind: SecretKind?
        var isOpaque = false
        for attribute in list {
            let value = text(attribute.value)
            if attribute.name == "type", value.lowercased() == "password" { kind = .token }
            guard Self.isLabel(attribute.name), kind == nil else { continue }
            if Self.isKey(value) || SecretNames.isCodeName(value) || SecretNames.mayName(value) {
                isOpaque = true
            } else {
                kind = SecretNames.kind(of: value)
            }
        }
        for attribute in list where ["value", "content"].contains(attribute.name) && !attribute.value.isEmpty {
            let value = text(attribute.value)
            let isCode = isOpaque && (Redactor.isOpaque(value) || value.utf8.allSatisfy { $0 &- 0x30 < 10 })
            guard let kind = kind ?? (isCode && value.utf8.count >= 4 ? .token : nil), !isWording(attribute.value)
            else {
                continue
            }
            findings.append(Finding(range: attribute.value, kind: kind))
        }
    }

    /// Returns the attributes of a tag with their values, names in lower case, and the end of the tag.
    private func attributes(_ open: Int) -> (list: [(name: String, value: Range<Int>)], end: Int) {
        var list: [(name: String, value: Range<Int>)] = []
        let limit = min(bytes.count, open + Self.longestTag)
        var place = open + 1
        guard place < limit, bytes[place] | 0x20 >= 0x61, bytes[place] | 0x20 <= 0x7A else { return (list, open) }
        while place < limit, bytes[place] > 0x20, bytes[place] != 0x3E { place += 1 }
        while place < limit, bytes[place] != 0x3E, bytes[place] != 0x3C {
            if bytes[place] <= 0x20 || bytes[place] == 0x2F {
                place += 1
                continue
            }
            let start = place
            while place < limit, bytes[place] > 0x20, ![0x3D, 0x3E, 0x2F, 0x3C].contains(bytes[place]) { place += 1 }
            let name = text(start..<place).lowercased()
            var next = place
            while next < limit, bytes[next] <= 0x20 { next += 1 }
            guard next < limit, bytes[next] == 0x3D else {
                if place == start { place += 1 }
                continue
            }
            next += 1
            while next < limit, bytes[next] <= 0x20 { next += 1 }
            guard next < limit else { return (list, next) }
            let mark = markOfValue(at: next)
            let first = next + mark.count
            place = first
            while place < limit {
                if mark.isEmpty ? bytes[place] <= 0x20 || bytes[place] == 0x3E : bytes[place...].starts(with: mark) {
                    break
                }
                place += 1
            }
            list.append((name, first..<place))
            place = min(place + mark.count, limit)
        }
        return (list, place)
    }

    /// Returns the mark around an attribute's value, with a backslash in HTML inside a JSON text.
    private func markOfValue(at place: Int) -> [UInt8] {
        switch bytes[place] {
        case 0x22, 0x27: return [bytes[place]]
        case 0x5C where place + 1 < bytes.count && (bytes[place + 1] == 0x22 || bytes[place + 1] == 0x27):
            return [0x5C, bytes[place + 1]]
        default: return []
        }
    }
}
