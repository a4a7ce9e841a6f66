import CivilTime
import HTTPMessage
import Imaging
import JSON

/// The parser that an input is passed to.
///
/// The raw value is the input's first byte.
enum FuzzTarget: UInt8 {
    /// `w`: the connection machine.
    case wire = 0x77
    /// `j`: the JSON reader and writer.
    case json = 0x6A
    /// `m`: the multipart parser; the boundary stands before the first line feed.
    case multipart = 0x6D
    /// `p`: path normalisation.
    case path = 0x70
    /// `t`: the time parsers.
    case time = 0x74
    /// `h`: the archive reader, and redaction of what it reads.
    case archive = 0x68
    /// `e`: server-sent events.
    case events = 0x65
    /// `r`: the parser of a real backend's answers.
    case answer = 0x72
    /// `i`: the image decoders.
    case image = 0x69
    /// `y`: the YAML reader.
    case yaml = 0x79
    /// `o`: the reader of OpenAPI documents, their samples and checks.
    case document = 0x6F
    /// `c`: the reader of a TLS client's first message.
    case hello = 0x63
    /// `k`: the reader of keys and certificates.
    case pem = 0x6B

    /// Runs one input; traps on a finding.
    func run(_ input: ArraySlice<UInt8>) {
        switch self {
        case .wire: WireFuzz.run(input)
        case .json: Self.readJSON(Array(input))
        case .multipart: Self.parseMultipart(input)
        case .path: Self.normalise(String(decoding: input, as: UTF8.self))
        case .archive: RecordingFuzz.readArchive(input)
        case .events: RecordingFuzz.parseEvents(input)
        case .answer: RecordingFuzz.parseAnswer(input)
        case .time: Self.parseTimes(String(decoding: input, as: UTF8.self))
        case .image: Self.decodeImage(Array(input))
        case .yaml: DocumentFuzz.readYAML(Array(input))
        case .document: DocumentFuzz.readDocument(Array(input))
        case .hello: SecurityFuzz.readHello(input)
        case .pem: SecurityFuzz.readPEM(input)
        }
    }

    /// Checks that a value that is read, written and read again stays the same.
    private static func readJSON(_ bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes) else {
            precondition((try? JSONReader.readWithPositions(bytes)) == nil, "refused, but read with positions")
            return
        }
        precondition((try? JSONReader.readWithPositions(bytes)) != nil, "read, but refused with positions")
        let written = value.serialized()
        guard let again = try? JSONReader.read(written) else { preconditionFailure("written JSON does not read") }
        precondition(again.serialized() == written, "written JSON reads differently")
    }

    /// A picture has the size that its header announced, within the limit, and comes back the same from a PNG of it.
    private static func decodeImage(_ bytes: [UInt8]) {
        let size = ImageDecoder.size(of: bytes)
        guard let bitmap = try? ImageDecoder.decode(bytes, maximumPixels: 10_000) else { return }
        precondition(size?.width == bitmap.width && size?.height == bitmap.height, "another size than announced")
        precondition(bitmap.width * bitmap.height <= 10_000, "over the limit")
        precondition(bitmap.pixels.count == 4 * bitmap.width * bitmap.height, "not all pixels")
        precondition((try? ImageDecoder.decode(bitmap.png(), maximumPixels: 10_000)) == bitmap, "a PNG loses pixels")
        precondition(!bitmap.scaled(toFit: 7).jpeg(quality: 80).isEmpty, "no JPEG")
    }

    private static func parseMultipart(_ input: ArraySlice<UInt8>) {
        let line = input.prefix { $0 != 0x0A }
        let body = Array(input.dropFirst(line.count + 1))
        let type = "multipart/form-data; boundary=" + String(decoding: line, as: UTF8.self)
        guard let parts = try? MultipartParser.parse(body: body, contentType: type) else { return }
        precondition(parts.count <= 100, "more parts than the limit")
        let total = parts.reduce(0) { $0 + $1.content.count }
        precondition(total <= body.count, "contents longer than the body")
    }

    /// A normal form is its own normal form, and has no dot or empty segments.
    private static func normalise(_ text: String) {
        guard let path = Path(raw: text) else { return }
        precondition(
            !path.segments.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("\0") },
            "not normal"
        )
        precondition(Path(raw: path.text) == path, "the normal form changes when it is read again")
    }

    private static func parseTimes(_ text: String) {
        if let instant = Instant(httpDate: text) {
            precondition(instant.httpDate == text, "an HTTP date is written differently")
        }
        _ = Instant(iso8601: text)
        _ = Instant(iso8601: text, allowLowercase: true)
        _ = Instant(isoDayOrDateTime: text)
        _ = try? Interval(iso8601Duration: text)
    }
}
