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

    /// Returns the references to other files, each file once.
    package static func find(in bytes: [UInt8]) -> [Reference] {
        var found: [Reference] = []
        var seen: Set<String> = []
        for (place, text) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var rest = text
            while let start = rest.firstRange(of: Array("$ref".utf8)) {
                rest = rest[start.upperBound...]
                guard let target = target(rest) else { continue }
                let file = String(target.prefix { $0 != "#" })
                // An address with a scheme is no file.
                guard !file.isEmpty, !file.contains(":"), seen.insert(file).inserted else { continue }
                found.append(Reference(file: file, line: place + 1))
            }
        }
        return found
    }

    /// The value behind the name `$ref`; nil if none follows.
    private static func target(_ text: ArraySlice<UInt8>) -> String? {
        var rest = text
        if let quote = rest.first, quote == 0x22 || quote == 0x27 { rest = rest.dropFirst() }
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        guard let first = rest.first else { return nil }
        let value: ArraySlice<UInt8>
        if first == 0x22 || first == 0x27 {
            value = rest.dropFirst().prefix { $0 != first }
        } else {
            value = rest.prefix { ![0x20, 0x09, 0x0D, 0x2C, 0x7D].contains($0) }
        }
        // JSON may write a slash as an escape.
        let text = String(decoding: value, as: UTF8.self).split(separator: "\\/", omittingEmptySubsequences: false)
        return text.joined(separator: "/")
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
