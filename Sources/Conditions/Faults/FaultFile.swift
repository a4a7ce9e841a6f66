package import Backend
package import JSON

/// A fault file: a JSON list of faults (control contract, section 8).
package enum FaultFile {
    /// Reads a file; every problem has a file, a line and a path.
    ///
    /// `scope` narrows all faults to one API.
    package static func read(
        _ bytes: [UInt8],
        place: String,
        apis: [String],
        scope: String? = nil
    ) throws(SeedError) -> [FaultSpec] {
        let json: JSON
        let positions: JSONPositions
        do throws(JSONSyntaxError) {
            (json, positions) = try JSONReader.readWithPositions(
                bytes,
                options: JSONReader.Options(allowDuplicateNames: false)
            )
        } catch {
            throw SeedError([SeedError.Item(place: place, line: error.line, path: "$", reason: "\(error)")])
        }
        let (specs, faults) = read(json, at: "$", apis: apis, scope: scope)
        guard faults.isEmpty else { throw SeedError(faults.located(in: positions, place: place)) }
        return specs
    }

    /// Reads a list inside another document, such as a scenario.
    package static func read(
        _ json: JSON,
        at path: String,
        apis: [String],
        scope: String?
    ) -> (specs: [FaultSpec], faults: [Problem.Item]) {
        guard case .array(let elements) = json else {
            return ([], [Problem.Item(path: path, reason: "must be a list of faults, found \(json.typeName)")])
        }
        var specs: [FaultSpec] = []
        var faults: [Problem.Item] = []
        for (place, element) in elements.enumerated() {
            guard case .object(let object) = element else {
                faults.append(
                    Problem.Item(path: "\(path)[\(place)]", reason: "must be an object, found \(element.typeName)")
                )
                continue
            }
            var check = BodyCheck(object, at: "\(path)[\(place)]")
            let spec = FaultSpec.read(&check, apis: apis, scope: scope)
            check.refuseUnknown()
            faults += check.items
            if let spec { specs.append(spec) }
        }
        return (specs, faults)
    }
}

extension [Problem.Item] {
    /// Returns the problems with their lines in the file.
    package func located(in positions: JSONPositions, place: String) -> [SeedError.Item] {
        map { item in
            SeedError.Item(
                place: place,
                line: positions.closestLine(to: Self.elements(item.path)).line,
                path: item.path,
                reason: item.reason
            )
        }
    }

    /// Returns the elements of a path such as `$.a[3].b`.
    private static func elements(_ path: String) -> [JSONPathElement] {
        var found: [JSONPathElement] = []
        for piece in path.dropFirst().split(separator: ".") {
            let parts = piece.split(separator: "[")
            for (place, part) in parts.enumerated() {
                if place == 0, !piece.hasPrefix("[") {
                    found.append(.key(String(part)))
                } else if part.hasSuffix("]"), let index = Int(part.dropLast()) {
                    found.append(.index(index))
                }
            }
        }
        return found
    }
}
