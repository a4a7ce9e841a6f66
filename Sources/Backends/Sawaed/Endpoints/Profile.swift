import Backend
import CivilTime
import HTTPMessage
import JSON

/// Contract, sections 6.1 to 6.5 and 6.7.
extension SawaedAPI {
    private static let base = "/api/mobile/v1/profile"

    static let profileEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .get,
            base + "/me",
            "The caller's user, profile, lists and registrations",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [.json(ProfileResponse.self, "All of it"), CommonErrors.notOwner]
                + CommonErrors.protected("profile_fetch_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "profile_fetch_failed")
        ) { state, _, call throws(APIError) in
            let user = try profileOwner(state, call)
            let view = profile(of: user, state, call)
            guard state.settings.shape == .backend else { return json(view, call) }
            return json(BackendShape.profile(view, call).serialized())
        },
        Endpoint(
            .post,
            base + "/basics",
            "Saves headline, bio, place and more; what is absent stays",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(BasicsRequest.self, isRequired: false, example: ["headline": "مهتمة بالتقنية"]),
            bodyLimit: bodyLimit,
            answers: [
                .json(ProfileSaved.self, "Saved; completion only when the profile was there before"),
                CommonErrors.notOwner, CommonErrors.rateLimited,
            ] + CommonErrors.withBody("profile_basics_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "profile_basics_failed", bucket: .basics),
            handle: saveBasics
        ),
        Endpoint(
            .post,
            base + "/phone",
            "Saves the phone number: +968 and nine digits",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(PhoneRequest.self, example: ["phone": "+968912345678"]),
            bodyLimit: bodyLimit,
            answers: [
                .json(Okay.self, "Saved"),
                APIError(.badRequest, code: "invalid_phone", "phone must be +968 and nine digits.")
                    .declared("Not +968 and nine digits"),
                CommonErrors.notOwner,
            ] + CommonErrors.withBody("profile_phone_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "profile_phone_failed")
        ) { state, _, call throws(APIError) in
            let phone = try read(PhoneRequest.self, call).phone
            let digits = Array(phone.utf8.dropFirst(4))
            guard phone.utf8.starts(with: "+968".utf8), digits.count == 9, digits.allSatisfy(\.isDigit) else {
                throw APIError(.badRequest, code: "invalid_phone", "phone must be +968 and nine digits.")
            }
            let user = try profileOwner(state, call)
            state.users.update(user.id) { $0.phone = phone }
            return json(Okay(), call)
        },
        Endpoint(
            .post,
            base + "/gender",
            "Saves the gender",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(GenderRequest.self, example: ["gender": "female"]),
            bodyLimit: bodyLimit,
            answers: [.json(Okay.self, "Saved"), CommonErrors.notOwner]
                + CommonErrors.withBody("profile_gender_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "profile_gender_failed")
        ) { state, _, call throws(APIError) in
            let gender = try read(GenderRequest.self, call).gender
            let user = try profileOwner(state, call)
            state.users.update(user.id) { $0.gender = gender }
            return json(Okay(), call)
        },
        Endpoint(
            .get,
            base + "/picture/upload-url",
            "An address for one upload, for an hour",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            bodyLimit: bodyLimit,
            answers: [.json(UploadAddress.self, "POST the bytes there"), CommonErrors.notOwner]
                + CommonErrors.protected("profile_picture_upload_url_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "profile_picture_upload_url_failed")
        ) { state, core, call throws(APIError) in
            try uploadAddress(&state, core, call)
        },
        Endpoint(
            .post,
            base + "/picture/complete",
            "Makes an uploaded picture the caller's",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(PictureRequest.self, example: ["storageId": "storage_0001"]),
            bodyLimit: bodyLimit,
            answers: [
                .json(ProfileSaved.self, "Saved; completion only when the profile was there before"),
                APIError.notFound.declared("Nothing was uploaded under that id"), CommonErrors.notOwner,
            ] + CommonErrors.withBody("profile_picture_set_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "profile_picture_set_failed")
        ) { state, _, call throws(APIError) in
            let id = try read(PictureRequest.self, call).storageId
            return try completePicture(id, &state, call)
        },
    ]

    /// Row 51: both steps of the picture under one path.
    static let pictureAlias = SawaedEndpoint(
        .post,
        base + "/picture",
        "With {} as picture/upload-url, with a storageId as picture/complete",
        provenance: .planned,
        credential: .bearerOrCookie(cookieName),
        body: .json(PictureChoice.self, isRequired: false, example: ["storageId": "storage_0001"]),
        bodyLimit: bodyLimit,
        answers: [
            AnswerDeclaration(
                .ok,
                "Either answer",
                .json(
                    name: "PictureAnswer",
                    schema: .oneOf([UploadAddress.shape.schema, ProfileSaved.shape.schema]),
                    contentType: "application/json"
                )
            ),
            APIError.notFound.declared("Nothing was uploaded under that id"), CommonErrors.notOwner,
        ] + CommonErrors.withBody("profile_picture_set_failed"),
        metadata: EndpointMetadata(area: .v1, failure: "profile_picture_set_failed")
    ) { state, core, call throws(APIError) in
        guard let id = try read(PictureChoice.self, call).storageId else {
            return try uploadAddress(&state, core, call)
        }
        return try completePicture(id, &state, call)
    }

    // MARK: Parts

    static func pictureURL(_ profile: Profile?, _ state: SawaedState, _ call: Call) -> String? {
        profile?.storageId.map { pictureAddress($0, state, call) } ?? profile?.pictureUrl
    }

    private static func profile(of user: User, _ state: SawaedState, _ call: Call) -> ProfileResponse {
        let language = language(call)
        let row = state.profile(of: user.id)
        let picture = pictureURL(row, state, call)
        func named(_ ids: [String]?, _ table: Table<Topic>) -> [NamedItem] {
            (ids ?? []).compactMap { id in table[id].map { NamedItem(id: id, name: $0.name.text(language)) } }
        }
        func inOrder<Element: ListRow>(_ table: Table<Element>) -> [Element] {
            let rows = table.rows(in: user.id)
            let times = rows.map { $0.createdAt.resolved(in: call.epoch) }
            return rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { rows[$0] }
        }
        let registrations = state.registrations(of: user.id)
        let times = registrations.map { $0.timestamp.resolved(in: call.epoch) }
        return ProfileResponse(
            user: UserResponse(user: user, language: language, pictureUrl: picture),
            profile: row.map {
                ProfileFields(
                    profile: $0,
                    region: state.regionName($0.regionId, $0.regionName, language),
                    city: state.cityName($0.cityId, $0.cityName, language),
                    pictureUrl: picture
                )
            },
            skills: named(user.skillIds, state.skills),
            interests: named(user.interestIds, state.interests),
            education: inOrder(state.education).map { EducationResponse(row: $0) },
            experiences: inOrder(state.experiences).map { ExperienceResponse(row: $0) },
            projects: inOrder(state.projects).map { ProjectResponse(row: $0) },
            awards: inOrder(state.awards).map { AwardResponse(row: $0) },
            activities: registrations.indices.sorted { (times[$0], $0) > (times[$1], $1) }.map {
                ActivityResponse(row: registrations[$0])
            }
        )
    }

    private static func saveBasics(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(BasicsRequest.self, call)
        if let id = body.regionId, !state.regions.contains(id) { throw .invalid("regionId names no region.") }
        if let id = body.cityId, !state.cities.contains(id) { throw .invalid("cityId names no city.") }
        let user = try profileOwner(state, call)
        let saved = state.saveProfile(of: user.id) { profile in
            if let headline = body.headline { profile.headline = headline }
            if let bio = body.bio { profile.bio = bio }
            if let id = body.regionId {
                profile.regionId = id
                profile.regionName = nil
            }
            if let id = body.cityId {
                profile.cityId = id
                profile.cityName = nil
            }
            if let url = body.pictureUrl {
                profile.pictureUrl = url
                profile.storageId = nil
            }
            if let status = body.collaborationStatus { profile.collaborationStatus = status }
        }
        return json(saved, call)
    }

    private static func uploadAddress(
        _ state: inout SawaedState,
        _ core: WorldCore,
        _ call: Call
    ) throws(APIError) -> Response {
        let user = try profileOwner(state, call)
        // Expired upload tokens are removed; an unknown one gets the same refusal.
        if state.uploadTokens.count >= 64, state.uploadTokens.count.isMultiple(of: 64) {
            for row in state.uploadTokens.rows where state.instant(row.expiresAt) <= call.now {
                state.uploadTokens.remove(row.id)
            }
        }
        let token = state.secret("upload", core)
        // A token that is issued as expired ends at the moment of its issue.
        let end = state.settings.uploadTokens == .valid ? call.now + .hours(1) : call.now
        state.uploadTokens.insert(UploadToken(id: token, userId: user.id, expiresAt: .at(end)))
        return json(UploadAddress(url: "\(call.origin)/api/storage/upload?token=\(token)"), call)
    }

    private static func completePicture(
        _ id: String,
        _ state: inout SawaedState,
        _ call: Call
    ) throws(APIError) -> Response {
        let user = try profileOwner(state, call)
        guard state.files.contains(id) else { throw .notFound }
        // The former picture is deleted, unless it is the same, or a built-in one.
        if let former = state.profile(of: user.id)?.storageId, former != id,
            !state.events.rows.contains(where: { $0.posterStorageId == former })
        {
            state.files.remove(former)
        }
        let saved = state.saveProfile(of: user.id) { profile in
            profile.storageId = id
            profile.pictureUrl = nil
        }
        return json(saved, call)
    }
}

/// URLs with a scheme, as a browser's parser takes them.
enum AbsoluteURL {
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.trimmed.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
            (0x61...0x7A).contains(first | 0x20),
            bytes[..<colon].allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || $0.isDigit || "+-.".utf8.contains($0)
            })
        else { return false }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 1)...]
        guard ["http", "https", "ws", "wss", "ftp"].contains(scheme) else { return !rest.isEmpty }
        let authority = rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .prefix { !"/?#\\".utf8.contains($0) }
        return authority.allSatisfy { $0 > 0x20 && !"<>^|%".utf8.contains($0) } && hasHostAndPort(authority)
    }

    /// Tells whether an authority has a host that is not empty, and a port up to 65535 if any.
    private static func hasHostAndPort(_ authority: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        let address = authority[start...]
        let end: Int
        if address.first == UInt8(ascii: "[") {
            guard let bracket = address.firstIndex(of: UInt8(ascii: "]")) else { return false }
            end = bracket + 1
        } else {
            end = address.firstIndex(of: colon) ?? address.endIndex
        }
        guard end > start else { return false }
        let rest = address[end...]
        guard let first = rest.first else { return true }
        let port = rest.dropFirst()
        return first == colon && port.allSatisfy(\.isDigit)
            && (port.isEmpty || Int(String(decoding: port, as: UTF8.self)).map { $0 <= 65_535 } == true)
    }
}
