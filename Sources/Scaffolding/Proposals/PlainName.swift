/// Names as documents spell them, compared without case and separators: `page_size`, `pageSize` and `page[size]` are one.
enum PlainName {
    static func of(_ name: String) -> String {
        String(
            decoding: name.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case 0x30...0x39, 0x61...0x7A: byte
                case 0x41...0x5A: byte | 0x20
                default: nil
                }
            },
            as: UTF8.self
        )
    }

    /// The name of one of several: `bikes` is `bike`, `categories` is `category`.
    static func singular(_ plain: String) -> String {
        if plain.hasSuffix("ies"), plain.utf8.count > 4 { return plain.dropLast(3) + "y" }
        for ending in ["sses", "xes", "ches", "shes"] where plain.hasSuffix(ending) { return String(plain.dropLast(2)) }
        if plain.hasSuffix("s"), !plain.hasSuffix("ss"), plain.utf8.count > 1 { return String(plain.dropLast()) }
        return plain
    }

    /// The first of some names that is spelled like one of a list, in the order of the list.
    static func first(of plain: [String], among names: [String]) -> String? {
        for wanted in plain {
            if let name = names.first(where: { of($0) == wanted }) { return name }
        }
        return nil
    }
}
