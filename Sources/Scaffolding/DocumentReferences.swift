import Basics

/// The files that an OpenAPI document refers to, in JSON or YAML.
///
/// The references are found in the text, so that a document which can't be read yet is copied with its files too. What
/// they lead to is checked when the folder is read.
package enum DocumentReferences {
    /// A reference to another file.
    package struct Reference: Sendable, Equatable {
        /// The file as the document names it, without a fragment.
        package var file: String
        /// The line, from 1.
        package var line: Int
    }

    /// Returns the references to other files, each file once, in one walk through the text.
    package static func find(in bytes: [UInt8]) -> [Reference] {
        var found: [Reference] = []
        var seen: Set<String> = []
        var line = 1
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A { line += 1 }
            guard byte == UInt8(ascii: "$"), bytes.count - index >= 3, bytes[index] == UInt8(ascii: "r"),
                bytes[index + 1] == UInt8(ascii: "e"), bytes[index + 2] == UInt8(ascii: "f")
            else { continue }
            index += 3
            guard let value = target(bytes[index...]) else { continue }
            // What has been read as a value is not looked at again.
            index = value.endIndex
            let target = value.prefix { $0 != UInt8(ascii: "#") }
            // An address with a scheme is no file.
            guard !target.isEmpty, !target.contains(UInt8(ascii: ":")) else { continue }
            let file = spelled(target)
            guard seen.insert(file).inserted else { continue }
            found.append(Reference(file: file, line: line))
        }
        return found
    }

    /// The value behind the name `$ref`, on the same line; nil if none follows.
    private static func target(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text
        if let quote = rest.first, quote == 0x22 || quote == 0x27 { rest = rest.dropFirst() }
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        guard let first = rest.first else { return nil }
        if first == 0x22 || first == 0x27 { return rest.dropFirst().prefix { $0 != first && $0 != 0x0A } }
        return rest.prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x7D].contains($0) }
    }

    /// The text of a value; JSON may write a slash as an escape.
    private static func spelled(_ value: ArraySlice<UInt8>) -> String {
        let text = String(decoding: value, as: UTF8.self)
        guard value.contains(UInt8(ascii: "\\")) else { return text }
        return text.replacing("\\/", with: "/")
    }

    /// Returns the path of a file that another one refers to, both below the same folder; nil if it leads out of it.
    package static func path(of file: String, from referring: String) -> String? {
        guard !file.hasPrefix("/"), !file.contains("\\") else { return nil }
        var parts = referring.split(separator: "/").dropLast().map(String.init)
        for part in file.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(String(part))
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }
}
