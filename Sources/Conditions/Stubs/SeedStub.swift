package import Backend
package import JSON

/// A stub of an API's files, with the file.
package struct SeedStub: Sendable {
    package let spec: StubSpec
    /// The path below the API's folder, such as `stubs/a.json`.
    package let file: String
    package let isEnabled: Bool

    package init(_ spec: StubSpec, file: String, isEnabled: Bool) {
        self.spec = spec
        self.file = file
        self.isEnabled = isEnabled
    }

    /// Reads a stub or a list of stubs; the paths of the problems begin at `path`.
    package static func read(
        _ json: JSON,
        at path: String = "$",
        file: String,
        _ context: StubContext
    ) -> (stubs: [SeedStub], problems: [Problem.Item]) {
        guard case .array(let elements) = json else {
            return read(json.objectValue.map { .object($0.withoutSchemaAddress) } ?? json, path, file, context)
        }
        var found: (stubs: [SeedStub], problems: [Problem.Item]) = ([], [])
        for (place, element) in elements.enumerated() {
            let (stubs, problems) = read(element, "\(path)[\(place)]", file, context)
            found.stubs += stubs
            found.problems += problems
        }
        return found
    }

    private static func read(
        _ json: JSON,
        _ path: String,
        _ file: String,
        _ context: StubContext
    ) -> (stubs: [SeedStub], problems: [Problem.Item]) {
        guard case .object(let object) = json else {
            return ([], [Problem.Item(path: path, reason: "must be an object, found \(json.typeName)")])
        }
        var check = BodyCheck(object, at: path)
        let isEnabled = check.boolean("enabled") ?? true
        let spec = StubSpec.read(&check, object, context)
        check.refuseUnknown()
        return (spec.map { [SeedStub($0, file: file, isEnabled: isEnabled)] } ?? [], check.items)
    }
}
