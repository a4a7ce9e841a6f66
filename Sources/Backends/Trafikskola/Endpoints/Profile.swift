import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    private static let studentErrors = [forbiddenError] + bearerErrors

    /// Endpoints 5 to 8 (contract, section 6).
    static let profileEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/student/profile",
            "The student's profile",
            provenance: .documented,
            answers: [data(ProfileResponse.self, "The profile")] + studentErrors,
            metadata: EndpointMetadata(audience: .students)
        ) { state, core, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            let link = user.avatarFile.map { avatarURL($0, state, core, call) }
            return ok(ProfileResponse(user: user, profileImageUrl: link), call)
        },
        Endpoint(
            .put,
            "/api/mobile/student/profile",
            "Changes the profile",
            provenance: .documented,
            body: .json(ProfileChange.self, isRequired: false, example: ["phone": "+46709876543"]),
            answers: [plainSuccess("Only what was sent has changed"), validationError] + bodyErrors + studentErrors,
            metadata: EndpointMetadata(audience: .students),
            handle: changeProfile
        ),
        Endpoint(
            .post,
            "/api/mobile/student/avatar",
            "Stores a profile picture",
            provenance: .documented,
            body: .multipart(parts: [
                Parameter(
                    "avatar",
                    in: .query,
                    .string(format: "binary"),
                    required: true,
                    "A JPEG or PNG of at most 5 MiB"
                )
            ]),
            bodyLimit: multipartLimit,
            answers: [
                data(AvatarResponse.self, "Where the picture is served"),
                APIError.invalidMultipart.declared("No multipart/form-data, or broken, or more than the one file"),
                APIError.noFile.declared("No part avatar, or an empty one"),
                APIError.invalidFileType.declared("Declared as neither JPEG nor PNG"),
                APIError.fileTooLarge.declared("Over 5 MiB"),
                APIError.invalidImage.declared(
                    "Not decodable, over 64 megapixels, or over 200 million in all its scans"
                ),
                APIError.tooLarge.declared("The body is over 20 MiB"),
            ] + studentErrors,
            metadata: EndpointMetadata(audience: .students),
            prepare: { AvatarUpload(request: $0) },
            preparesSlowly: true,
            handle: storeAvatar
        ),
        Endpoint(
            .delete,
            "/api/mobile/student/avatar",
            "Removes the profile picture",
            provenance: .documented,
            answers: [plainSuccess("Removed, or was not there")] + studentErrors,
            metadata: EndpointMetadata(audience: .students)
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            if let file = user.avatarFile { state.avatars.remove(file) }
            state.users.update(user.id) { $0.avatarFile = nil }
            return success()
        },
    ]

    /// The URL of a picture, in the form that the setting selects.
    private static func avatarURL(
        _ file: String,
        _ state: TrafikskolaState,
        _ core: WorldCore,
        _ call: Call
    ) -> String {
        let path = "/avatars/\(file)"
        return state.settings.avatarURL == .relative ? path : pictureOrigin(state, core, call) + path
    }

    private static func changeProfile(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var user = try signedIn(&state, &call).user
        let change = try read(ProfileChange.self, call, mayBeEmpty: true)
        if let name = change.firstName { user.firstName = name }
        if let name = change.lastName { user.lastName = name }
        if let phone = change.phone { user.phone = phone.isEmpty ? nil : phone }
        if let address = change.address { user.address = address.isEmpty ? nil : address }
        state.users.insert(user)
        return success()
    }

    private static func storeAvatar(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var user = try signedIn(&state, &call).user
        let upload = (call.prepared as? AvatarUpload) ?? AvatarUpload(request: call.request)
        let picture = try upload.picture(limit: state.settings.avatarLimitBytes)
        let file = newName(picture.fileExtension, &user, state, now: call.now)
        if let former = user.avatarFile { state.avatars.remove(former) }
        state.avatars.insert(Avatar(id: file, contentType: picture.contentType, data: Blob(bytes: picture.bytes)))
        user.avatarFile = file
        state.users.insert(user)
        return ok(AvatarResponse(avatarUrl: avatarURL(file, state, core, call)), call)
    }

    /// A name from the user and the second of the world's clock, with a number if that name is taken.
    ///
    /// A name that was once issued stays taken; its URL answers 404 from then on.
    private static func newName(
        _ fileExtension: String,
        _ user: inout User,
        _ state: TrafikskolaState,
        now: Instant
    ) -> String {
        let stem = "\(user.id)_\(now.seconds)"
        var names = user.avatarNames.flatMap { $0.second == now.seconds ? $0 : nil } ?? .init(second: now.seconds)
        var file: String
        repeat {
            let number = names.next(fileExtension)
            file = number == 1 ? "\(stem).\(fileExtension)" : "\(stem)_\(number).\(fileExtension)"
        } while state.avatars.contains(file)
        user.avatarNames = names
        return file
    }
}
