import HTTPMessage

/// The joined values of one name in a query or in the content of a form, since a recipient may join a credential that
/// was cut in two.
enum RepeatedItems {
    /// Returns the values of each name that occurs more than once, joined in their order and as they are encoded.
    static func joined(_ pairs: ArraySlice<UInt8>) -> [[UInt8]] {
        guard pairs.contains(UInt8(ascii: "&")) else { return [] }
        var places: [ArraySlice<UInt8>: Int] = [:]
        var values: [(value: [UInt8], count: Int)] = []
        for pair in pairs.split(separator: UInt8(ascii: "&")) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = pair[(equals + 1)...]
            if let place = places[pair[..<equals]] {
                values[place].value += value
                values[place].count += 1
            } else {
                places[pair[..<equals]] = values.count
                values.append((Array(value), 1))
            }
        }
        return values.filter { $0.count > 1 }.map(\.value)
    }

    /// The joined values of the content of a form; empty for other content.
    static func joined(_ content: [UInt8], _ fields: Fields) -> [[UInt8]] {
        guard let type = fields[.contentType], type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
            return []
        }
        return joined(content[...])
    }

    /// The joined values of the query of a target.
    static func joined(queryOf target: String) -> [[UInt8]] {
        let target = Array(target.utf8)
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return joined(target[(mark + 1)...])
    }
}
