import Crypto

/// The textual form of keys and certificates (RFC 7468).
package enum PEM {
    /// One encapsulated text.
    package struct Block: Hashable, Sendable {
        /// The label, such as `CERTIFICATE`.
        package var label: String
        package var content: [UInt8]
        /// Tells whether headers say that the content is encrypted (RFC 1421, section 4.6.1.1).
        package var isEncrypted = false

        package init(label: String, content: [UInt8]) {
            self.label = label
            self.content = content
        }
    }

    /// A text that is not in the form.
    package struct Fault: Error, Hashable, Sendable {
        /// The line, from 1.
        package var line: Int
        package var reason: String
    }

    /// The most bytes that a text may have.
    package static let longest = 1 << 20

    /// Reads all blocks; text before, between and after them is skipped.
    ///
    /// Lines end with LF or CRLF, may end with blanks, and have any length. The content has to be base 64 with its padding.
    package static func read(_ text: [UInt8]) throws(Fault) -> [Block] {
        guard text.count <= longest else { throw Fault(line: 1, reason: "the text is longer than 1 MiB") }
        var blocks: [Block] = []
        var open: Opened?
        for (index, raw) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = trimmed(raw)
            let number = index + 1
            if let label = label(of: line, after: "-----BEGIN ") {
                if let open { throw Fault(line: number, reason: "\(open.label) from line \(open.line) has no end") }
                open = Opened(label: label, line: number)
            } else if let label = label(of: line, after: "-----END ") {
                guard let ended = open, ended.label == label else {
                    throw Fault(line: number, reason: "\(label) ends without a beginning")
                }
                blocks.append(try ended.block())
                open = nil
            } else if open != nil {
                try open?.take(line, number)
            }
        }
        if let open { throw Fault(line: open.line, reason: "\(open.label) has no end") }
        return blocks
    }

    /// Writes a block, in lines of 64 characters.
    package static func write(_ label: String, _ content: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Base64.encode(content)[...]
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }

    /// A block whose end has not come.
    private struct Opened {
        private enum Part {
            case start, headers, content
        }

        let label: String
        let line: Int
        private var part = Part.start
        private var isEncrypted = false
        private var encoded: [UInt8] = []

        init(label: String, line: Int) {
            self.label = label
            self.line = line
        }

        mutating func take(_ text: ArraySlice<UInt8>, _ number: Int) throws(Fault) {
            // No base 64 has a colon.
            if part != .content, text.contains(0x3A) {
                part = .headers
                isEncrypted = isEncrypted || text.elementsEqual("Proc-Type: 4,ENCRYPTED".utf8)
                return
            }
            guard !text.isEmpty else {
                if part == .headers { part = .content }
                return
            }
            guard part != .headers else { throw Fault(line: number, reason: "no empty line stands behind the headers") }
            part = .content
            encoded += text
        }

        func block() throws(Fault) -> Block {
            guard !encoded.isEmpty, let content = Base64.decode(encoded) else {
                throw Fault(line: line, reason: "\(label) is not in base 64")
            }
            var block = Block(label: label, content: content)
            block.isEncrypted = isEncrypted
            return block
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, last == 0x0D || last == 0x20 || last == 0x09 { line.removeLast() }
        return line
    }

    /// Returns the label of a line that begins or ends a block.
    private static func label(of line: ArraySlice<UInt8>, after opening: StaticString) -> String? {
        let opening = opening.description.utf8
        guard line.starts(with: opening), line.count > opening.count + 5, line.suffix(5).allSatisfy({ $0 == 0x2D })
        else { return nil }
        let label = line.dropFirst(opening.count).dropLast(5)
        guard label.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x2D }) else { return nil }
        return String(decoding: label, as: UTF8.self)
    }
}
