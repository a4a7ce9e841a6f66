import Backend
import CivilTime
import HTTPMessage
import JSON

extension OmniChatAPI {
    static let fileTypes = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf", "text/plain", "text/markdown",
        "application/json", "application/xml",
    ]
    static let fileLimit = 10 * 1024 * 1024

    private static let fileKey = Parameter(
        "key",
        in: .path,
        .described(
            .string(minLength: 1),
            example: "user_test_icloud_0001/conv_longer_000000001/msg_longer_0000000005/file_notes_0000000001.txt"
        ),
        "The file's key, as one encoded segment or as plain segments"
    )

    static let fileEndpoints: [OmniChatEndpoint] = [
        Endpoint(
            .post,
            "/api/v1/upload",
            "Uploads a file into a conversation",
            provenance: .planned,
            body: .multipart(parts: [
                Parameter("file", in: .query, .string(format: "binary"), required: true, "At most 10 MiB"),
                Parameter("conversationId", in: .query, .string(minLength: 1), required: true, "One of the caller's"),
                Parameter("messageId", in: .query, .string(), "A message of that conversation"),
            ]),
            bodyLimit: multipartLimit,
            answers: [
                .json(UploadResponse.self, "The attachment"),
                APIError.declared(.badRequest, "Invalid multipart body", "No boundary, or unparsable"),
                APIError.declared(.badRequest, "No file provided", "No part `file` with a file name"),
                APIError.declared(.badRequest, "conversationId is required", "No conversationId"),
                APIError.declared(.badRequest, "File size exceeds 10MB limit", "Over 10 MiB"),
                APIError.declared(.badRequest, "File type not allowed", "Another type"),
                conversationMissing,
                APIError.declared(.notFound, "Message not found", "Not a message of that conversation"),
                APIError.declared(.contentTooLarge, APIError.tooLarge.message, "The body is over 11 MiB"),
                APIError.declared(.internalServerError, "Upload failed", "Injected"),
            ] + protectedErrors,
            metadata: EndpointMetadata(bucket: .upload, isFuture: true),
            handle: upload
        ),
        Endpoint(
            .get,
            "/api/v1/upload",
            "What an upload needs",
            provenance: .beyondTheDocument,
            parameters: [
                Parameter("fileName", in: .query, .string(minLength: 1), required: true, "The file's name"),
                Parameter("fileType", in: .query, .string(enumeration: fileTypes), required: true, "The file's type"),
                Parameter("conversationId", in: .query, .string(minLength: 1), required: true, "The conversation"),
            ],
            answers: [
                .json(UploadForm.self, "Where and how to upload"),
                APIError.declared(
                    .badRequest,
                    "fileName, fileType, and conversationId are required",
                    "One of the three is missing"
                ),
                APIError.declared(.badRequest, "File type not allowed", "Another type"),
            ] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general),
            handle: uploadForm
        ),
        Endpoint(
            .get,
            "/api/v1/files/{key…}",
            "The bytes of an upload",
            provenance: .beyondTheDocument,
            parameters: [fileKey],
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The exact bytes, with the stored type",
                    .bytes(fileTypes.filter { $0.hasPrefix("image/") } + ["*/*"])
                ),
                APIError.declared(.forbidden, "Access denied", "Not one of the caller's keys"),
                APIError.declared(.notFound, "File not found", "No such file"),
            ] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general),
            handle: download
        ),
        Endpoint(
            .delete,
            "/api/v1/files/{key…}",
            "Removes the bytes of an upload",
            provenance: .beyondTheDocument,
            parameters: [fileKey],
            answers: [
                .json(Success.self, "Removed, or was not there"),
                APIError.declared(.forbidden, "Access denied", "Not one of the caller's keys"),
            ] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general)
        ) { state, _, call throws(APIError) in
            let key = try ownKey(call)
            state.files.remove(key)
            return json(Success(), state, call)
        },
    ]

    /// The URL of a file: the key as one percent-encoded segment, below the client's prefix.
    static func fileURL(_ key: String, prefix: String) -> String {
        "\(prefix)/api/v1/files/\(key.percentEncodedComponent)"
    }

    private static func upload(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        let parts: [MultipartPart]
        do {
            parts = try MultipartParser.parse(
                body: call.request.body.bytes,
                contentType: call.fields[.contentType] ?? "",
                limits: MultipartParser.Limits(parts: call.request.bounds.parts())
            )
        } catch {
            throw .badRequest("Invalid multipart body")
        }
        guard let file = parts.first(where: { $0.name == "file" && $0.filename != nil }) else {
            throw .badRequest("No file provided")
        }
        func text(_ name: String) -> String {
            parts.first { $0.name == name && $0.filename == nil }.map { String(decoding: $0.content, as: UTF8.self) }
                ?? ""
        }
        let conversationID = text("conversationId")
        guard !conversationID.isEmpty else { throw .badRequest("conversationId is required") }
        guard file.content.count <= state.settings.uploadLimitBytes else {
            throw .badRequest("File size exceeds 10MB limit")
        }
        let type = mediaType(file.contentType)
        guard fileTypes.contains(type) else { throw .badRequest("File type not allowed") }
        let row = try conversation(conversationID, state, call)
        let messageID = text("messageId")
        if !messageID.isEmpty, state.messages[messageID]?.conversationId != row.id {
            throw APIError(.notFound, "Message not found")
        }

        let name = file.filename ?? ""
        let key = newKey(name, row, messageID, .file, state, &core)
        let attachment = Attachment(
            id: OmniChatState.newID(.attachment, &core) { state.attachments.contains($0) },
            userId: row.userId,
            messageId: messageID.isEmpty ? nil : messageID,
            fileName: name,
            fileType: type,
            fileSize: file.content.count,
            key: key,
            createdAt: .at(call.now)
        )
        state.attachments.insert(attachment)
        state.files.insert(StoredFile(id: key, fileName: name, fileType: type, bytes: Array(file.content)))
        let view = UploadResponse(attachment: attachment, url: fileURL(key, prefix: call.linkPrefix))
        return state.settings.shapes == .openapi
            ? json(WrappedUpload(upload: view), state, call) : json(view, state, call)
    }

    /// The type without parameters, in lower case; a part without a type is an octet stream (section 7.1).
    private static func mediaType(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "application/octet-stream" }
        return String(text.prefix { $0 != ";" }).trimmed.lowercased()
    }

    /// Returns `<userId>/<conversationId>/<messageId or temp>/<fileId>.<ext>`.
    ///
    /// The extension is the text after the last dot of the name, the whole name if it has no dot, or `bin` if that is
    /// empty.
    private static func newKey(
        _ fileName: String,
        _ row: Conversation,
        _ messageID: String,
        _ purpose: OmniChatState.IDPurpose,
        _ state: OmniChatState,
        _ core: inout WorldCore
    ) -> String {
        // Compared by code points: a dot before a combining mark is a dot too.
        let last =
            fileName.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let suffix = last.isEmpty ? "bin" : last
        let folder = messageID.isEmpty ? "temp" : messageID
        func key(_ id: String) -> String { "\(row.userId)/\(row.id)/\(folder)/\(id).\(suffix)" }
        return key(OmniChatState.newID(purpose, &core) { state.files.contains(key($0)) })
    }

    private static func uploadForm(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = call.query
        guard let fileName = query.first("fileName"), let fileType = query.first("fileType"),
            let conversationID = query.first("conversationId"),
            !fileName.isEmpty, !fileType.isEmpty, !conversationID.isEmpty
        else { throw .badRequest("fileName, fileType, and conversationId are required") }
        guard fileTypes.contains(mediaType(fileType)) else { throw .badRequest("File type not allowed") }
        let row = Conversation(
            id: conversationID,
            userId: call.user?.id ?? "",
            title: "",
            model: "",
            isArchived: false,
            createdAt: .at(call.now),
            updatedAt: .at(call.now)
        )
        let form = UploadForm(
            uploadUrl: call.linkPrefix + "/api/v1/upload",
            fields: UploadForm.Fields(
                key: newKey(fileName, row, "", .uploadForm, state, &core),
                conversationId: conversationID
            ),
            expires: call.now + .minutes(15)
        )
        return json(form, state, call)
    }

    /// The key in the path if it belongs to the caller, whether or not the file exists (section 7.3).
    private static func ownKey(_ call: Call) throws(APIError) -> String {
        let key = call.parameters[0]
        guard key.utf8.starts(with: ((call.user?.id ?? "") + "/").utf8) else {
            throw APIError(.forbidden, "Access denied")
        }
        return key
    }

    private static func download(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let key = try ownKey(call)
        guard let file = state.files[key] else { throw APIError(.notFound, "File not found") }
        var fields = Fields()
        fields.append(.contentType, file.fileType)
        fields.append(.cacheControl, "private, max-age=3600")
        fields.append(.contentDisposition, FieldValue.contentDispositionInline(filename: file.fileName))
        fields.append(.eTag, ContentTag.over(file.bytes, named: key))
        var response = Response(status: .ok, fields: fields, body: .bytes(file.bytes))
        response.selection = .ranges
        return response
    }
}
