import JSON

/// The text around the entries of an archive.
///
/// A file is the opening, the entries with a separator between any two, and the closing. Adding an entry overwrites the
/// closing with a separator, the entry and a new closing in one write, so that the file is complete after each.
package enum HARText {
    /// The name in `creator` of the files we make.
    package static let creator = "Understudy"

    /// Everything before the first entry.
    package static func opening(version: String, comment: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(version)
        var text = Array("{\n  \"log\": {\n    \"version\": \"1.2\",\n".utf8)
        text +=
            Array("    \"creator\": {\"name\": \"\(creator)\", \"version\": ".utf8) + writer.bytes + Array("},\n".utf8)
        if let comment {
            var writer = JSONWriter()
            writer.string(comment)
            text += Array("    \"comment\": ".utf8) + writer.bytes + Array(",\n".utf8)
        }
        // HAR 1.2 makes the list optional, but Firefox reads it without checking that it exists.
        return text + Array("    \"pages\": [],\n    \"entries\": [".utf8)
    }

    /// Returns an entry, indented; `isFirst` omits the comma before it.
    package static func entry(_ entry: HAREntry, isFirst: Bool) -> [UInt8] {
        let pretty = entry.json.serialized(options: JSONWriter.Options(pretty: true))
        var text: [UInt8] = isFirst ? [0x0A] : [0x2C, 0x0A]
        text.reserveCapacity(pretty.count + pretty.count / 8 + 16)
        let margin = [UInt8](repeating: 0x20, count: 6)
        text += margin
        // A line end in JSON text is never inside a string.
        for byte in pretty {
            text.append(byte)
            if byte == 0x0A { text += margin }
        }
        return text
    }

    /// Returns content as text; nil if it is none.
    ///
    /// A control character takes six bytes of JSON, so that a few MiB of zeros would be an entry that no reader takes.
    static func text(_ bytes: [UInt8]) -> String? {
        let controls = bytes.count { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        return controls > bytes.count / 16 ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Everything behind the last entry.
    package static let closing = Array("\n    ]\n  }\n}\n".utf8)

    /// A whole file.
    package static func file(_ entries: [HAREntry], version: String, comment: String? = nil) -> [UInt8] {
        var text = opening(version: version, comment: comment)
        for (place, one) in entries.enumerated() { text += entry(one, isFirst: place == 0) }
        return text + closing
    }
}
