import Backend
import ClientCommands
import JSON
import Transport
import Understudy

extension Settings {
    /// Returns the refusal of a configuration file with every problem of the file, and any other error as it is.
    static func complete(_ error: UsageError, _ arguments: Arguments) -> UsageError {
        let path = named(arguments, Environment.variables) ?? workingFile
        guard error.message.hasPrefix("\(path):"), let bytes = try? FolderReader.contents(ofFile: path) else {
            return error
        }
        let items = problems(bytes, path)
        return UsageError(
            message: items.count > 1 ? items.map(\.text).joined(separator: "\n") : error.message,
            isAboutLine: false
        )
    }

    /// Returns every problem of a configuration file of `serve`; an empty list for a usable file.
    static func problems(_ bytes: [UInt8], _ place: String) -> [SeedError.Item] {
        func item(_ line: Int, _ path: String, _ reason: String) -> SeedError.Item {
            SeedError.Item(place: place, line: line, path: path, reason: reason)
        }
        let json: JSON
        let positions: JSONPositions
        do throws(JSONSyntaxError) {
            (json, positions) = try JSONReader.readWithPositions(
                bytes,
                options: JSONReader.Options(allowDuplicateNames: false)
            )
        } catch {
            return [item(error.line, "$", "\(error)")]
        }
        guard case .object(let object) = json else {
            return [item(1, "$", "expected an object, found \(json.typeName)")]
        }
        var problems: [SeedError.Item] = []
        // Each member is checked alone, so that one problem does not hide the next.
        for member in object.members {
            let path: [JSONPathElement] = [.key(member.name)]
            let line = positions.closestLine(to: path).line
            // The keys of ports follow from the folders of custom APIs.
            let folders = object.members.filter { $0.name == CustomAPIOptions.folders.key && $0.name != member.name }
            let one = JSONObject([member] + folders)
            if let reason = refusal(of: one, positions, place, prefix: "\(place):\(line): ") {
                problems.append(item(line, path.formattedJSONPath, reason))
            }
        }
        if problems.isEmpty, let reason = refusal(of: object, positions, place, prefix: "\(place): ") {
            problems.append(item(1, "$", reason))
        }
        return problems
    }

    /// The reason why `serve` refuses these members, without its place; nil if it takes them.
    private static func refusal(
        of object: JSONObject,
        _ positions: JSONPositions,
        _ place: String,
        prefix: String
    ) -> String? {
        do throws(UsageError) {
            _ = try Configuration(try Settings(ServeOptions.serve, object: object, positions, path: place))
            return nil
        } catch {
            var text = error.message
            if text.hasPrefix(prefix) { text = String(text.dropFirst(prefix.count)) }
            for member in object.members {
                for name in ["$.\(member.name): ", "\(member.name): "] where text.hasPrefix(name) {
                    text = String(text.dropFirst(name.count))
                }
            }
            return text
        }
    }
}
