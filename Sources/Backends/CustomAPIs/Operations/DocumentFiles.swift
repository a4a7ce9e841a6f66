package import APIFolders
package import Backend
import JSON
import OpenAPI

/// The files of an OpenAPI document: itself, and what it refers to, directly or not (own-API contract, section 16).
package enum DocumentFiles {
    /// Reads a document for the files that it needs.
    ///
    /// - Parameters:
    ///   - name: The document's name in the folder.
    ///   - folder: The folder as the user gave it; empty for the working folder.
    ///   - open: Opens a file by its name inside the folder; nil if there is none.
    /// - Returns: The files, the document first, and the errors in them.
    package static func find(
        _ name: String,
        in folder: String,
        open: (String) -> CustomAPIFolder.File.Content?
    ) -> (files: [(name: String, bytes: [UInt8])], errors: [SeedError.Item]) {
        let (reading, files) = read(name, OpenAPIReader.Options(folder: folder), open)
        return (files, reading.errors.map { SeedError.Item($0, .error) })
    }

    /// Reads a document, and returns the files that it has asked for, in order.
    static func read(
        _ name: String,
        _ options: OpenAPIReader.Options,
        _ open: (String) -> CustomAPIFolder.File.Content?
    ) -> (reading: OpenAPIReader.Reading, files: [(name: String, bytes: [UInt8])]) {
        var files: [(name: String, bytes: [UInt8])] = []
        let reading = OpenAPIReader.read(name, options: options) { name in
            switch open(name) {
            case .bytes(let bytes)?:
                files.append((name, bytes))
                return .content(bytes)
            case .refused(let reason)?:
                files.append((name, []))
                return .refused(reason)
            case .unread?, nil: return .missing
            }
        }
        return (reading, files)
    }
}

extension SeedError.Item {
    init(_ finding: DocumentFinding, _ severity: SeedError.Severity) {
        self.init(
            place: finding.file,
            line: finding.line,
            path: finding.path.formattedJSONPath,
            reason: finding.reason,
            severity: severity
        )
    }
}
