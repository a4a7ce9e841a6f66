import JSON
import YAML

/// A file of the folder that has been read.
struct DocumentSource: Sendable {
    /// The path within the folder.
    let name: String
    let root: JSON
    let positions: any SourcePositions
    let dialect: Dialect
    /// The source in which references are looked for that lead nowhere in this one.
    var fallback: Int?

    /// Reads a file by the ending of its name: `.json` as JSON, everything else as YAML.
    static func read(
        _ bytes: [UInt8],
        name: String,
        dialect: Dialect,
        limits: DocumentLimits
    ) -> Result<DocumentSource, DocumentFinding> {
        func refusal(_ line: Int, _ reason: String) -> Result<DocumentSource, DocumentFinding> {
            .failure(DocumentFinding(file: name, line: line, path: [], reason: reason))
        }
        guard bytes.count <= limits.fileBytes else { return refusal(1, "more than \(limits.fileBytes) bytes") }
        if name.hasSuffix(".json") {
            do throws(JSONSyntaxError) {
                let options = JSONReader.Options(
                    maxDepth: limits.depth,
                    maxValues: limits.nodes,
                    allowDuplicateNames: false,
                    allowBOM: true
                )
                let (root, positions) = try JSONReader.readWithPositions(bytes, options: options)
                guard root.bytesOfPaths(0) <= limits.pathBytes else {
                    return refusal(1, "more than \(limits.pathBytes) bytes of names on the paths to all values")
                }
                return .success(DocumentSource(name: name, root: root, positions: positions, dialect: dialect))
            } catch {
                return refusal(error.line, "\(error.message), column \(error.column)")
            }
        }
        do throws(YAMLError) {
            let yaml = YAMLReader.Limits(bytes: limits.fileBytes, depth: limits.depth, nodes: limits.nodes)
            let (root, positions) = try YAMLReader.read(bytes, limits: yaml)
            guard root.bytesOfPaths(0) <= limits.pathBytes else {
                return refusal(1, "more than \(limits.pathBytes) bytes of names on the paths to all values")
            }
            return .success(DocumentSource(name: name, root: root, positions: positions, dialect: dialect))
        } catch {
            return refusal(error.line, "\(error.message), column \(error.column)")
        }
    }
}

extension DocumentFinding: Error {}

extension JSON {
    /// The bytes of the paths of all values in it, written out; `own` are those of its own.
    fileprivate func bytesOfPaths(_ own: Int) -> Int {
        switch self {
        case .array(let elements): elements.reduce(own) { $0 + $1.bytesOfPaths(own + 4) }
        case .object(let object):
            object.members.reduce(own) { $0 + $1.value.bytesOfPaths(own + $1.name.utf8.count + 1) }
        default: own
        }
    }
}

/// The answer of the folder to a question for a file.
package enum DocumentFile: Sendable {
    /// The file's content.
    case content([UInt8])
    /// There is no such file.
    case missing
    /// The file is not opened, for that reason: a link out of the folder, a device, an error of the system.
    case refused(String)
}
