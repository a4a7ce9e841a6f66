import APIFolders
import Backend
import HTTPMessage
import JSON
import OpenAPI

/// The OpenAPI document of a folder (own-API contract, section 16).
extension CustomAPIReader {
    /// Reads the document, if there is one, before anything that refers to it.
    mutating func readDocument(basePath: String?, signsIn: Bool) {
        let names = CustomAPIFolder.documents.filter { folder.file($0) != nil }
        guard let name = names.first else { return }
        guard names.count == 1 else {
            for other in names.dropFirst() {
                note("\(folder.place)/\(other)", "there is \(name) already; an API has one OpenAPI document")
            }
            return
        }
        let options = OpenAPIReader.Options(folder: folder.place, basePath: basePath, signsIn: signsIn)
        let (reading, files) = DocumentFiles.read(name, options) { [folder] name in
            if let content = folder.file(name)?.content, content != .unread { return content }
            return folder.open(name)
        }
        referenced = Set(files.map(\.name))
        for finding in reading.errors { add(SeedError.Item(finding, .error)) }
        for finding in reading.notes { add(SeedError.Item(finding, .note)) }
        definition.document = reading.document
        guard let info = reading.document?.info else { return }
        if let title = info.title, !title.isEmpty { definition.title = title }
        if let version = info.version, !version.isEmpty { definition.version = version }
        if let summary = info.summary { definition.description = summary }
    }

    /// Adds the operations to the routes: one that a resource or a sign-in route takes covers it, each other one is a
    /// route of its own.
    mutating func addOperations() {
        guard let document = definition.document else { return }
        // Without the line: to find it takes a walk through the text, and the reader has told of conflicts within it.
        let name = CustomAPIFolder.documents.first { folder.file($0) != nil } ?? ""
        let place = CustomRoute.Place(file: "\(folder.place)/\(name)", line: 1, path: [])
        var places: [String: Int] = [:]
        for (place, route) in definition.routes.enumerated() {
            guard let template = try? PathTemplate(route.template) else { continue }
            places["\(route.method.rawValue) \(template.shape)"] = place
        }
        for operation in document.operations {
            if let place = places["\(operation.method.rawValue) \(operation.template.shape)"] {
                definition.routes[place] = definition.routes[place].covered(by: operation)
                continue
            }
            let handler = OperationHandler(operation: operation, omitsBrokenExamples: definition.omitsBrokenExamples)
            let route = CustomRoute(
                Self.summary(of: operation),
                source: .openapi,
                place: place
            ) { (state, core, call) throws(CustomAPIFailure) in
                try handler.respond(&state, &core, &call)
            }
            definition.routes.append(route.covered(by: operation))
        }
        definition.checks.append(OperationCheck())
    }

    private static func summary(of operation: OpenAPIOperation) -> RouteSummary {
        RouteSummary(
            method: operation.method,
            template: operation.template.text,
            summary: operation.summary,
            provenance: .documented,
            authentication: operation.security == .needed ? .bearer : .none,
            parameters: [],
            body: .none,
            answers: []
        )
    }
}
