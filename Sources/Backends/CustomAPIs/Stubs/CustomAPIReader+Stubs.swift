import APIFolders
import Conditions
import JSON

/// The stubs of an API's files (own-API contract, section 7).
extension CustomAPIReader {
    /// The states and files that the stubs of the API may name.
    var stubContext: StubContext {
        StubContext(
            api: definition.name,
            scope: definition.name,
            states: definition.states.map { ($0.name, $0.values) },
            hasFiles: true,
            file: { [files = definition.files] in files?[$0] }
        )
    }

    /// Reads all stub files in the order of their names.
    mutating func readStubs() {
        var files: [String: [UInt8]] = [:]
        for file in folder.files where file.name.hasPrefix("files/") {
            if case .bytes(let bytes) = file.content { files[String(file.name.dropFirst("files/".count))] = bytes }
        }
        definition.files = files
        let context = stubContext
        for file in folder.files(in: "stubs", ending: ".json") {
            guard let (json, report) = json(of: file) else { continue }
            let (stubs, problems) = SeedStub.read(json, file: file.name, context)
            report.add(problems)
            // The place of the first one that is too many, unless stubs before it could not be read.
            let place = StubRegistry.most - definition.stubs.count
            definition.stubs += stubs
            if definition.stubs.count > StubRegistry.most {
                report.error(
                    json.arrayValue == nil ? [] : [.index(place)],
                    "a world has at most \(StubRegistry.most) stubs"
                )
                close(report)
                return
            }
            close(report)
        }
    }
}
