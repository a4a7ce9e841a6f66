import JSON
import Transport

/// JSON of the command line: a word, a file, or standard input.
enum JSONText {
    /// Reads JSON that stands in the command line.
    static func read(_ text: String, _ place: String) throws(CommandFailure) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSONReader.read(
                Array(text.utf8),
                options: JSONReader.Options(maxDepth: 512, allowDuplicateNames: false)
            )
        } catch {
            throw .usage("\(place): \(error)")
        }
    }

    /// Reads the body of a call from a file, or from standard input for `-`.
    static func file(_ name: String) throws(CommandFailure) -> JSON {
        let json = try read(try bytes(of: name), of: name)
        return json.objectValue.map { .object($0.withoutSchemaAddress) } ?? json
    }

    /// Reads an operand that is JSON itself, or names a file, which wins.
    static func operand(_ text: String, _ place: String) throws(CommandFailure) -> JSON {
        let first = text.first { !$0.isWhitespace }
        guard first == "{" || first == "[", !FolderReader.exists(text) else { return try file(text) }
        return try read(text, place)
    }

    /// Reads the content of a file, or of standard input.
    static func read(_ content: [UInt8], of name: String) throws(CommandFailure) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSONReader.read(content, options: JSONReader.Options(maxDepth: 512, maxValues: .max))
        } catch {
            throw .input("\(name == "-" ? "standard input" : name):\(error.line): \(error)")
        }
    }

    /// The bytes of a file, or of standard input for `-`.
    static func bytes(of name: String) throws(CommandFailure) -> [UInt8] {
        if name == "-" { return Terminal.input() }
        do throws(Errno) {
            return try FolderReader.contents(ofFile: name)
        } catch {
            throw .input("\(name): \(error.unreadable)")
        }
    }
}
