import Backend
import HTTPMessage
import Imaging

/// The part of handling an uploaded picture that needs no world, so that a worker can do it (contract, section 6.3).
struct AvatarUpload: Sendable {
    struct Picture: Sendable {
        var bytes: [UInt8]
        var contentType: String
        var fileExtension: String
    }

    static let side = 512
    /// The largest picture: 64 megapixels.
    static let mostPixels = 64_000_000
    static let mostParts = 20
    static let mostHeaderBytes = 8 * 1_024
    private static let quality = 85
    /// The types of stored pictures.
    static let storedTypes = ["image/jpeg", "image/png"]
    private static let types = ["image/jpeg", "image/jpg", "image/png"]

    private let result: Result<Picture, APIError>
    /// The length of the file; nil if an earlier check failed.
    private let length: Int?

    init(request: HTTPRequest) {
        guard !request.body.exceedsLimit else {
            (result, length) = (.failure(.tooLarge), nil)
            return
        }
        let content: ArraySlice<UInt8>
        do throws(APIError) {
            content = try Self.file(in: request)
        } catch {
            (result, length) = (.failure(error), nil)
            return
        }
        length = content.count
        guard content.count <= TrafikskolaAPI.avatarLimit else {
            result = .failure(.fileTooLarge)
            return
        }
        do throws(APIError) {
            result = .success(try Self.picture(Array(content)))
        } catch {
            result = .failure(error)
        }
    }

    /// The picture to store; throws the reason if there is none.
    ///
    /// `limit` is the largest file in bytes.
    func picture(limit: Int) throws(APIError) -> Picture {
        if let length, length > limit { throw .fileTooLarge }
        return try result.get()
    }

    /// The one file of a body, after the checks of the first four rows of the table of refusals.
    private static func file(in request: HTTPRequest) throws(APIError) -> ArraySlice<UInt8> {
        let parts: [MultipartPart]
        do throws(MultipartError) {
            parts = try MultipartParser.parse(
                body: request.body.bytes,
                contentType: request.head.fields[.contentType] ?? "",
                limits: MultipartParser.Limits(
                    parts: request.bounds.parts(own: mostParts),
                    headerBytesPerPart: mostHeaderBytes
                )
            )
        } catch {
            throw .invalidMultipart
        }
        let named = parts.filter { $0.name == "avatar" }
        guard named.count <= 1, !parts.contains(where: { $0.filename != nil && $0.name != "avatar" }) else {
            throw .invalidMultipart
        }
        guard let file = named.first, !file.content.isEmpty else { throw .noFile }
        guard let type = file.contentType.flatMap({ MediaType($0) })?.essence, types.contains(type) else {
            throw .invalidFileType
        }
        return file.content
    }

    /// Decodes, scales and encodes a picture: no metadata is kept, and the bytes determine the format.
    private static func picture(_ bytes: [UInt8]) throws(APIError) -> Picture {
        guard let format = ImageFormat.of(bytes) else { throw .invalidImage }
        let bitmap: Bitmap
        do throws(ImageDecodingError) {
            bitmap = try ImageDecoder.decode(bytes, maximumPixels: mostPixels)
        } catch {
            throw .invalidImage
        }
        let fitted = bitmap.scaled(toFit: side)
        return switch format {
        case .jpeg:
            Picture(bytes: fitted.jpeg(quality: quality), contentType: format.contentType, fileExtension: "jpg")
        case .png: Picture(bytes: fitted.png(), contentType: format.contentType, fileExtension: "png")
        }
    }
}
