import APIFolders
import Backend
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
        let keepsSlash = definition.slashes != .either
        for (uploads, check) in UploadProtocol.read(checks, keepsSlash: keepsSlash, refusal: Self.refusal(ofPath:)) {
            definition.uploads.append(uploads)
            let place = check.report.routePlace(check.path + [.key("path")])
            definition.routes += UploadRoutes.routes(of: uploads, api: definition.name, place: place)
        }
    }
}
