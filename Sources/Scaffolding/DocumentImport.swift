import Backend
import OpenAPI

/// An OpenAPI document and its files as those of a folder (own-API contract, section 19).
package enum DocumentImport {
    /// The copies: the document under the name that a folder's has, the others at their places beside it.
    static func files(_ sources: [ScaffoldOrder.Source]) throws(SeedError) -> [Scaffold.File] {
        guard let document = sources.first else { return [] }
        let copy = Scaffold.File(path: name(of: document), bytes: document.bytes)
        // A file that refers to the document by its name finds it there too.
        let others = sources.dropFirst().filter { $0.name != copy.path }
        return [copy] + others.map { Scaffold.File(path: $0.name, bytes: $0.bytes) }
    }

    /// Reads a document for what it says; nil without one, or if it has errors, which the folder's check tells.
    static func read(_ sources: [ScaffoldOrder.Source], basePath: String? = nil) -> OpenAPIDocument? {
        guard let document = sources.first else { return nil }
        let name = name(of: document)
        let options = OpenAPIReader.Options(basePath: basePath, signsIn: true)
        return OpenAPIReader.read(name, options: options) { wanted in
            if wanted == name { return .content(document.bytes) }
            return sources.first { $0.name == wanted }.map { .content($0.bytes) } ?? .missing
        }
        .document
    }

    /// The name of the copy, by the document's ending or, without a known one, by its first character.
    package static func name(of document: ScaffoldOrder.Source) -> String {
        let lower = document.name.lowercased()
        for ending in ["yaml", "yml", "json"] where lower.hasSuffix(".\(ending)") { return "openapi.\(ending)" }
        let first = document.bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first == 0x7B ? "openapi.json" : "openapi.yaml"
    }
}
