import JSON

/// The files of the folder that a document has asked for.
final class DocumentFolder {
    private let limits: DocumentLimits
    private let open: (String) -> DocumentFile
    private var bytes = 0
    private var opened = 0
    /// The mistakes in the text of files, told once each; what could not be opened is told where it is referred to.
    private(set) var failures: [DocumentFinding] = []
    private var refused: [String: Reference.Problem] = [:]
    private var unopened: Set<String> = []

    init(_ limits: DocumentLimits, _ open: @escaping (String) -> DocumentFile) {
        self.limits = limits
        self.open = open
    }

    /// Opens and parses a file.
    func read(_ name: String, dialect: Dialect) -> Result<DocumentSource, DocumentFinding> {
        func refusal(_ reason: String) -> Result<DocumentSource, DocumentFinding> {
            unopened.insert(name)
            return .failure(DocumentFinding(file: name, line: 1, path: [], reason: reason))
        }
        opened += 1
        guard opened <= limits.files else { return refusal("more than \(limits.files) files are referred to") }
        switch open(name) {
        case .missing: return refusal("there is no such file")
        case .refused(let reason): return refusal(reason)
        case .content(let content):
            bytes += content.count
            guard bytes <= limits.totalBytes else {
                return refusal("the document with all that it refers to has more than \(limits.totalBytes) bytes")
            }
            return DocumentSource.read(content, name: name, dialect: dialect, limits: limits)
        }
    }

    /// Adds the file that a reference names.
    func load(_ path: String, _ dialect: Dialect, _ sources: inout SourceSet) throws(Reference.Problem) -> Int {
        if let problem = refused[path] { throw problem }
        let problem: Reference.Problem
        switch read(path, dialect: dialect) {
        case .success(let source): return sources.add(source)
        case .failure(let finding) where finding.reason == "there is no such file":
            problem = .leadsNowhere("the reference leads to \(path.cut), which does not exist")
        case .failure(let finding):
            if !unopened.contains(path) { failures.append(finding) }
            problem = .leadsOut("the reference leads to \(path.cut), which can't be read: \(finding.reason)")
        }
        refused[path] = problem
        throw problem
    }
}
