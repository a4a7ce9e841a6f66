package import APIFolders
package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// An address for resumable uploads by tus 1.0.0 with creation and termination (wire contract, section 8).
///
/// The bytes of an upload are counted, and not kept.
package struct UploadProtocol: Sendable {
    /// The action of a request.
    package enum Action: CaseIterable, Sendable {
        /// Tells what the server supports, at the address and below it.
        case options, uploadOptions
        case create
        case look, append, terminate
        /// A POST that names its method in `X-HTTP-Method-Override`.
        case override

        package var method: HTTPMessage.HTTPMethod {
            switch self {
            case .options, .uploadOptions: .options
            case .create, .override: .post
            case .look: .head
            case .append: .patch
            case .terminate: .delete
            }
        }

        /// Tells whether it is at the address of one upload.
        package var isBelow: Bool {
            switch self {
            case .options, .create: false
            case .uploadOptions, .look, .append, .terminate, .override: true
            }
        }

        /// Tells whether the content of the request is counted.
        package var countsContent: Bool { self == .append || self == .override }

        package var summary: String {
            switch self {
            case .options, .uploadOptions: "Tells what tus supports here"
            case .create: "Creates an upload"
            case .look: "Returns the offset of an upload"
            case .append: "Appends to an upload"
            case .terminate: "Removes an upload"
            case .override: "Appends to an upload, or removes it, as X-HTTP-Method-Override says"
            }
        }

        /// The reasons for which it refuses requests.
        package var refusals: [UploadRefusal.Reason] {
            switch self {
            case .options, .uploadOptions: []
            case .create: [.malformed, .version, .tooLong]
            case .look, .terminate: [.unknown, .version]
            case .append: [.malformed, .unknown, .offset, .version, .tooLong, .mediaType]
            case .override: [.malformed, .unknown, .method, .offset, .version, .tooLong, .mediaType]
            }
        }

        /// The fields of a success.
        package var fields: [String] {
            switch self {
            case .options, .uploadOptions: ["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Allow"]
            case .create: ["Tus-Resumable", "Location"]
            case .look: ["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata", "Cache-Control"]
            case .append, .override: ["Tus-Resumable", "Upload-Offset"]
            case .terminate: ["Tus-Resumable"]
            }
        }

        /// The status of a success.
        package var status: Status {
            switch self {
            case .create: .created
            case .look: .ok
            case .options, .uploadOptions, .append, .terminate, .override: .noContent
            }
        }
    }

    /// The place of an address among those of its API.
    package enum Standing: Sendable {
        case alone
        /// Uploads that name no path are below it.
        case first
        case further
    }

    /// The path without a slash at its end; empty for `/`.
    package let path: String
    /// Tells whether it was declared with a slash at its end.
    package let endsInSlash: Bool
    /// Tells whether the address of an upload ends in a slash.
    private let placesEndInSlash: Bool
    private let standing: Standing
    /// The bytes that an upload may have; nil for any number.
    private let most: Int64?

    /// The longest upload: every double keeps its number.
    package static let longest: Int64 = 1 << 53
    private static let version = "1.0.0"
    private static let resumable: FieldName = "Tus-Resumable"
    private static let offsetField: FieldName = "Upload-Offset"
    private static let lengthField: FieldName = "Upload-Length"
    private static let metadataField: FieldName = "Upload-Metadata"

    /// Reads the addresses of `uploads`, each with its declaration; those that can't be one are left out.
    ///
    /// With `keepsSlash` the address of an upload ends as the path does. `refusal` returns the reason why no request can
    /// reach a path.
    package static func read(
        _ checks: [FileCheck],
        keepsSlash: Bool,
        refusal: (String) -> String?
    ) -> [(uploads: UploadProtocol, check: FileCheck)] {
        checks.enumerated().compactMap { place, check in
            let standing: Standing = checks.count == 1 ? .alone : place == 0 ? .first : .further
            let uploads = UploadProtocol(check, standing, keepsSlash: keepsSlash, refusal: refusal)
            return uploads.map { ($0, check) }
        }
    }

    private init?(_ check: FileCheck, _ standing: Standing, keepsSlash: Bool, refusal: (String) -> String?) {
        var check = check
        most = check.integer("max", in: 0...Self.longest)
        self.standing = standing
        let declared = check.string("path")
        check.refuseUnknown()
        guard let declared else {
            if check.object["path"] == nil { check.error(nil, "path is missing") }
            return nil
        }
        endsInSlash = declared.utf8.count > 1 && declared.hasSuffix("/")
        placesEndInSlash = endsInSlash && keepsSlash
        let plain = endsInSlash ? String(declared.dropLast()) : declared
        path = plain == "/" ? "" : plain
        guard let template = RouteTemplate(plain), template.parameterNames.isEmpty else {
            check.error("path", "must be a path without parameters, such as /v1/files")
            return nil
        }
        if let reason = refusal(plain) {
            check.error("path", reason)
            return nil
        }
    }

    // MARK: Answers

    /// Gives an answer at an address of uploads, whatever made it, the fields that each has: the version, and the
    /// methods that the address takes where they are told.
    package static func completed(_ response: Response, to call: Call, allowing methods: String) -> Response {
        var response = response
        response.fields.set(resumable, version)
        if response.status == .methodNotAllowed || call.method == .options && response.status == .noContent {
            response.fields.set(.allow, methods)
        }
        return response
    }

    /// Answers a request; `makeID` names a new upload.
    package func respond(
        to call: Call,
        _ action: Action,
        _ uploads: inout Table<Upload>,
        makeID: () -> String
    ) throws(UploadRefusal) -> Response {
        let versions = call.fields.values(Self.resumable)
        guard action.method == .options || !versions.isEmpty && versions.allSatisfy({ $0 == Self.version }) else {
            throw UploadRefusal(
                .version,
                "The request needs Tus-Resumable: \(Self.version).",
                fields: ["Tus-Version": Self.version]
            )
        }
        switch action {
        case .options, .uploadOptions: return options
        case .create:
            let upload = try created(by: call, makeID: makeID)
            uploads.insert(upload)
            let place = path + "/" + upload.id + (placesEndInSlash ? "/" : "")
            return Response(status: .created, fields: [.location: call.origin + place])
        case .look:
            let upload = try found(call, uploads)
            var fields: Fields = [
                Self.offsetField: "\(upload.offset)", Self.lengthField: "\(upload.length)", .cacheControl: "no-store",
            ]
            if let metadata = UploadMetadata.text(upload.metadata) { fields.append(Self.metadataField, metadata) }
            return Response(status: .ok, fields: fields)
        case .append:
            let upload = try found(call, uploads)
            let offset = try appended(call, upload)
            uploads.update(upload.id) { $0.offset = offset }
            return Response(status: .noContent, fields: [Self.offsetField: "\(offset)"])
        case .terminate:
            uploads.remove(try found(call, uploads).id)
            return Response(status: .noContent)
        case .override:
            let method = call.fields["X-HTTP-Method-Override"]?.uppercased()
            guard let action = [Action.look, .append, .terminate].first(where: { $0.method.rawValue == method }) else {
                throw UploadRefusal(.method, "The upload takes HEAD, PATCH, DELETE and OPTIONS.")
            }
            return try respond(to: call, action, &uploads, makeID: makeID)
        }
    }

    private var options: Response {
        var fields: Fields = ["Tus-Version": Self.version, "Tus-Extension": "creation,termination"]
        if let most { fields.append("Tus-Max-Size", "\(most)") }
        return Response(status: .noContent, fields: fields)
    }

    // MARK: Requests

    private func created(by call: Call, makeID: () -> String) throws(UploadRefusal) -> Upload {
        for name in ["Upload-Defer-Length", "Upload-Concat"] as [FieldName] where call.fields.contains(name) {
            throw UploadRefusal(
                .malformed,
                "Deferred lengths and concatenation are not supported: send Upload-Length alone."
            )
        }
        guard let length = Self.count(call, Self.lengthField) else {
            throw UploadRefusal(.malformed, "The request needs Upload-Length, a whole number of bytes.")
        }
        guard length <= most ?? Self.longest else {
            throw UploadRefusal(.tooLong, "An upload has at most \(most ?? Self.longest) bytes.")
        }
        guard let metadata = UploadMetadata.read(call.fields.values(Self.metadataField).joined(separator: ",")) else {
            throw UploadRefusal(
                .malformed,
                "Upload-Metadata must be pairs of a key and a value in base64, with commas in between."
            )
        }
        return Upload(
            id: makeID(),
            path: standing == .alone ? nil : path,
            length: length,
            offset: 0,
            metadata: metadata,
            createdAt: call.now
        )
    }

    private func found(_ call: Call, _ uploads: Table<Upload>) throws(UploadRefusal) -> Upload {
        guard let id = call.parameters.last, let upload = uploads[id],
            upload.path.map({ $0 == path }) ?? (standing != .further)
        else {
            throw UploadRefusal(.unknown, "There is no such upload.")
        }
        return upload
    }

    /// Returns the offset of an upload with the content of a request.
    private func appended(_ call: Call, _ upload: Upload) throws(UploadRefusal) -> Int64 {
        let type = call.fields.bytes(.contentType).flatMap { MediaType(bytes: $0) }?.essence
        guard type == "application/offset+octet-stream" else {
            throw UploadRefusal(.mediaType, "Send application/offset+octet-stream.")
        }
        if let coding = call.request.contentCodings.first {
            let fields: Fields = ["Accept-Encoding": APIError.codings]
            throw UploadRefusal(.mediaType, APIError.codedReason(coding) + ".", fields: fields)
        }
        guard let offset = Self.count(call, Self.offsetField) else {
            throw UploadRefusal(.malformed, "The request needs Upload-Offset, a whole number of bytes.")
        }
        guard offset == upload.offset else {
            throw UploadRefusal(
                .offset,
                "The upload is at offset \(upload.offset).",
                fields: [Self.offsetField: "\(upload.offset)"]
            )
        }
        // Of content that breaks off no more counts than of content that does not.
        let announced = call.fields[.contentLength].flatMap { Int64($0) } ?? 0
        let came = Int64(call.request.body.length)
        guard max(announced, came) <= upload.length - offset else {
            throw UploadRefusal(.tooLong, "The upload has room for \(upload.length - offset) bytes more.")
        }
        return offset + came
    }

    /// Reads a whole number, which the request has once; one that is too large to be kept is beyond every end.
    private static func count(_ call: Call, _ name: FieldName) -> Int64? {
        let lines = call.fields.values(name)
        guard lines.count == 1, !lines[0].isEmpty, lines[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(lines[0]) ?? .max
    }
}
