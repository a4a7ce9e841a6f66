import Backend
import Crypto
import JSON

/// A place in a list that stays where it is while rows come and go (own-API contract, section 13).
struct ListCursor: Equatable {
    /// The side of the row on which the page lies.
    enum Direction: Int64 { case after = 1, before = 0 }

    let direction: Direction
    /// The row's values of the members by which the list is sorted.
    let values: [ColumnValue]
    /// The row's place in the order of all rows.
    let serial: Int

    init(_ direction: Direction, _ values: [ColumnValue], _ serial: Int) {
        self.direction = direction
        self.values = values
        self.serial = serial
    }

    /// Reads a cursor; nil if it is damaged, or of another list.
    init?(_ text: String, of list: UInt64, sortedBy count: Int) {
        guard text.utf8.count <= 16_384, let bytes = Base64URL.decode(text),
            let json = try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 4)),
            let parts = json.arrayValue, parts.count == 4, let sum = parts[0].stringValue,
            let direction = parts[1].intValue.flatMap(Direction.init(rawValue:)), let serial = parts[2].intValue,
            let values = parts[3].arrayValue, values.count == count,
            sum == Self.sum(list, parts[1...])
        else { return nil }
        self.init(direction, values.map { ColumnValue($0) }, Int(serial))
    }

    /// Returns the text of the cursor for a list.
    func text(of list: UInt64) -> String {
        let parts: [JSON] = [
            .integer(direction.rawValue), .integer(Int64(serial)), .array(values.map(\.json)),
        ]
        return Base64URL.encode(JSON.array([.string(Self.sum(list, parts[...]))] + parts).serialized())
    }

    private static func sum(_ list: UInt64, _ parts: ArraySlice<JSON>) -> String {
        String(("\(list) " + JSON.array(Array(parts)).text).fnv1a64, radix: 36)
    }
}
