import APIFolders
import HTTPMessage
import JSON
import Repeats

/// `idempotency` and `uploads` of `api.json` (wire contract, section 8).
extension CustomAPIReader {
    mutating func readIdempotency(_ check: inout FileCheck) {
        guard let keys = IdempotencyKeys(&check) else { return }
        definition.idempotency = keys
        // After the token, and before the content is looked at.
        let place = definition.checks.firstIndex { !($0 is TokenCheck) } ?? definition.checks.endIndex
        definition.checks.insert(IdempotencyCheck(keys: keys), at: place)
    }

    /// Reads the addresses of resumable uploads, and adds their routes.
    mutating func readUploads(_ checks: [FileCheck]) {
        for check in checks {
            var check = check
            let path = readUploadPath(&check)
            let most = check.integer("max", in: 0...UploadProtocol.longest)
            check.refuseUnknown()
            guard let path else { continue }
            let uploads = UploadProtocol(path: path, most: most)
            definition.uploads.append(uploads)
            definition.routes += UploadRoutes.routes(
                of: uploads,
                api: definition.name,
                place: check.report.routePlace(check.path + [.key("path")])
            )
        }
    }

    private func readUploadPath(_ check: inout FileCheck) -> String? {
        guard let path = check.string("path") else {
            if check.object["path"] == nil { check.error(nil, "path is missing") }
            return nil
        }
        let plain = path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let template = RouteTemplate(plain), template.parameterNames.isEmpty else {
            check.error("path", "must be a path without parameters, such as /v1/files")
            return nil
        }
        if let reason = Self.refusal(ofPath: plain) {
            check.error("path", reason)
            return nil
        }
        return path
    }
}
