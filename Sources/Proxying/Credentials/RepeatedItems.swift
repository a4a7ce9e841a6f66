import HTTPMessage

/// The values of one name in a query or in the content of a form put together, since what is cut in two may be put
/// together by who reads it.
enum RepeatedItems {
    /// Returns the values of each name that stands there more than once, joined in their order and as they are coded.
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

    /// The joined values of the content of a form; none of other content.
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
