extension Fields {
    /// The value of a cookie as it stands, the first of that name; nil if there is none (RFC 6265 section 4.2).
    package func cookie(_ name: String) -> String? {
        let wanted = Array(name.utf8)
        for line in values("Cookie") {
            for pair in Array(line.utf8).split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == 0x20 || $0 == 0x09 }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), pair[..<equals].elementsEqual(wanted) else {
                    continue
                }
                var value = pair[(equals + 1)...]
                while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
                return String(decoding: value, as: UTF8.self)
            }
        }
        return nil
    }
}
