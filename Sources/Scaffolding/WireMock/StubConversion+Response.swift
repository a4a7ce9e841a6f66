import Basics
import Conditions
import Crypto
import HTTPMessage
import JSON

/// The response of a mapping as that of a stub.
extension StubConversion {
    private static let contents = ["body", "jsonBody", "base64Body", "bodyFileName"]
    /// The largest content of a stub (own-API contract, section 22).
    private static let mostContent = 8 * 1_024 * 1_024
    /// The most placeholders of a response (own-API contract, section 22).
    private static let mostPlaceholders = 1_000

    /// Returns the `response` of a stub.
    mutating func response(_ json: JSON?, _ library: inout BodyFiles) -> JSONObject {
        guard let json, !json.isNull else { return ["status": 200] }
        guard case .object(let response) = json else {
            omit(["response"], "expected an object, found \(json.typeName)")
            return ["status": 200]
        }
        let known =
            Self.contents + [
                "status", "statusMessage", "headers", "fixedDelayMilliseconds", "delayDistribution", "transformers",
                "transformerParameters", "fromConfiguredStub",
            ]
        omitOthers(of: response, than: Set(known), at: ["response"])
        // A template that asks for them is listed itself, and its stub is off.
        if let parameters = response["transformerParameters"], !parameters.isNull,
            parameters.objectValue?.isEmpty != true
        {
            note(["response", "transformerParameters"], "is not kept; no imported template uses it")
        }
        let status = status(response)
        var isTemplate = isTemplate(response["transformers"])
        let wasTemplate = isTemplate
        var copy: JSONObject = ["status": .integer(Int64(status))]
        let before = copy
        if isTemplate {
            let converted = parts(response, status, library: &library, isTemplate: true)
            if let converted, fits(placeholdersOf: converted) {
                copy = before.overridden(by: converted)
            } else {
                isTemplate = false
            }
        }
        if !isTemplate, let plain = parts(response, status, library: &library, isTemplate: false) {
            copy = before.overridden(by: plain)
            // Nothing else may read braces that WireMock does not.
            if JSON.object(plain).text.contains("{{") { copy.append("template", false) }
            if !wasTemplate { noteBraces(in: response, plain["file"]?.stringValue, &library) }
        }
        if let delay = delay(response) { copy.append("delay", delay) }
        return copy
    }

    /// Lists braces that WireMock fills only where all responses are templates.
    private mutating func noteBraces(in response: JSONObject, _ file: String?, _ library: inout BodyFiles) {
        let reason =
            "has braces that stay as they are; where WireMock runs with --global-response-templating, add "
            + "\"transformers\": [\"response-template\"]"
        for member in response["headers"]?.objectValue?.members ?? [] where member.value.text.contains("{{") {
            note(["response", "headers", .key(member.name)], reason)
        }
        for name in ["body", "jsonBody"] where response[name]?.text.contains("{{") == true {
            note(["response", .key(name)], reason)
        }
        if let file, let bytes = library.content(of: file), let text = String(validating: bytes, as: UTF8.self),
            text.contains("{{")
        {
            note(["response", "bodyFileName"], "names a file that " + reason)
        }
    }

    /// Tells whether a response has no more placeholders than one may have.
    private mutating func fits(placeholdersOf parts: JSONObject) -> Bool {
        let text = JSON.object(parts).text
        var rest = text[...]
        var count = 0
        while let start = rest.firstRange(of: "{{") {
            count += 1
            rest = rest[start.upperBound...]
        }
        guard count > Self.mostPlaceholders else { return true }
        omit(["response"], "has \(count) placeholders; the limit is \(Self.mostPlaceholders)")
        return false
    }

    private mutating func status(_ response: JSONObject) -> Int {
        var status = 200
        if let json = response["status"], !json.isNull {
            if let number = json.coercedInteger, (200...599).contains(number) {
                status = Int(number)
            } else {
                omit(["response", "status"], "is not a status from 200 to 599")
            }
        }
        if let phrase = response["statusMessage"], !phrase.isNull,
            phrase.stringValue != Status(status).reasonPhrase, phrase != ""
        {
            omit(["response", "statusMessage"], "has no counterpart: a status has its own phrase")
        }
        return status
    }

    private mutating func isTemplate(_ json: JSON?) -> Bool {
        guard let json, !json.isNull else { return false }
        var isTemplate = false
        for (place, name) in (json.arrayValue ?? [json]).enumerated() {
            if name == "response-template" {
                isTemplate = true
            } else {
                omit(["response", "transformers", .index(place)], "is a transformer that has no counterpart")
            }
        }
        return isTemplate
    }

    /// The headers and the content; nil if a template in them can't be carried over.
    private mutating func parts(
        _ response: JSONObject,
        _ status: Int,
        library: inout BodyFiles,
        isTemplate: Bool
    ) -> JSONObject? {
        var parts = JSONObject()
        guard let headers = headers(response["headers"], isTemplate: isTemplate) else { return nil }
        if !headers.isEmpty { parts.append("headers", .object(headers)) }
        let named = Self.contents.filter { response[$0].map { !$0.isNull } ?? false }
        guard let first = named.first else { return parts }
        let place: [JSONPathElement] = ["response", .key(first)]
        for other in named.dropFirst() { omit(["response", .key(other)], "conflicts with \(first)") }
        guard let json = response[first] else { return parts }
        guard status != 204, status != 205, status != 304 else {
            if json != "" { omit(place, "is content, which \(status) can't have") }
            return parts
        }
        switch first {
        case "body":
            guard let text = json.coercedText else {
                omit(place, "expected a string, found \(json.typeName)")
                return parts
            }
            guard let converted = converted(text, at: place, isTemplate) else { return nil }
            if fits(converted.utf8.count, at: place) { parts.append("text", .string(converted)) }
        case "jsonBody":
            guard let converted = converted(json, at: place, isTemplate) else { return nil }
            guard fits(converted.serialized().count, at: place) else { return parts }
            guard isTemplate, let texts = Self.asTexts(converted) else {
                if isTemplate, !headers.members.contains(where: { FieldName($0.name) == .contentType }) {
                    parts["headers"] = .object(headers.overridden(by: ["Content-Type": "application/json"]))
                }
                parts.append(isTemplate ? "text" : "body", isTemplate ? .string(converted.text) : converted)
                return parts
            }
            parts.append("body", texts)
        case "base64Body":
            guard let text = json.stringValue, let bytes = Base64.decode(text) else {
                omit(place, "is not base64")
                return parts
            }
            if fits(bytes.count, at: place) { parts.append("base64", .string(text)) }
        default:
            guard let content = file(json, &library, at: place, isTemplate) else { return nil }
            parts = parts.overridden(by: content)
        }
        return parts
    }

    /// The content of a named file; a template in it is written into the stub.
    private mutating func file(
        _ json: JSON,
        _ library: inout BodyFiles,
        at path: [JSONPathElement],
        _ isTemplate: Bool
    ) -> JSONObject? {
        guard let name = json.stringValue else {
            omit(path, "expected a string, found \(json.typeName)")
            return [:]
        }
        guard !name.contains("{{"), let name = BodyFiles.path(name) else {
            omit(path, "is not the path of a file below __files")
            return [:]
        }
        guard let bytes = library.content(of: name) else {
            omit(path, "names a file that does not exist")
            return [:]
        }
        guard fits(bytes.count, at: path) else { return [:] }
        if isTemplate, let text = String(validating: bytes, as: UTF8.self), text.contains("{{") {
            guard let converted = converted(text, at: path, true) else { return nil }
            return ["text": .string(converted)]
        }
        // The reader of a folder passes over such names.
        guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else {
            omit(path, "names a file or folder that begins with a dot, which is not supported")
            return [:]
        }
        guard library.copy(name) else {
            omit(path, "names a file for which the folder of an API has no room")
            return [:]
        }
        return ["file": .string(name)]
    }

    private mutating func fits(_ count: Int, at path: [JSONPathElement]) -> Bool {
        guard count > Self.mostContent else { return true }
        omit(path, "has \(count) bytes; the limit is \(Self.mostContent)")
        return false
    }

    private mutating func headers(_ json: JSON?, isTemplate: Bool) -> JSONObject? {
        guard let json, !json.isNull else { return [:] }
        guard case .object(let object) = json else {
            omit(["response", "headers"], "expected an object, found \(json.typeName)")
            return [:]
        }
        var headers = JSONObject()
        for member in object.members {
            let path: [JSONPathElement] = ["response", "headers", .key(member.name)]
            guard let name = FieldName(member.name) else {
                omit(path, "is not the name of a header field")
                continue
            }
            if [.contentLength, .transferEncoding, .connection].contains(name) {
                note(path, "is left out: the server sets it")
                continue
            }
            let values = member.value.arrayValue ?? [member.value]
            var texts: [JSON] = []
            for value in values {
                guard let text = value.coercedText, Self.isFieldValue(text) else {
                    omit(path, "is not the value of a header field")
                    continue
                }
                guard let converted = converted(text, at: path, isTemplate) else { return nil }
                texts.append(.string(converted))
            }
            if let first = texts.first { headers.append(member.name, texts.count == 1 ? first : .array(texts)) }
        }
        return headers
    }

    /// Tells whether RFC 9110 takes the text as a value: no control characters, no blanks at its ends.
    private static func isFieldValue(_ text: String) -> Bool {
        let ends = [text.utf8.first, text.utf8.last].compactMap(\.self)
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            && !ends.contains { $0 == 0x20 || $0 == 0x09 }
    }

    // MARK: Templates

    private mutating func converted(_ text: String, at path: [JSONPathElement], _ isTemplate: Bool) -> String? {
        guard isTemplate else { return text }
        do throws(HandlebarsText.Refusal) {
            return try HandlebarsText.converted(text, path: pathNames)
        } catch {
            omit(path, error.reason)
            return nil
        }
    }

    private mutating func converted(_ json: JSON, at path: [JSONPathElement], _ isTemplate: Bool) -> JSON? {
        guard isTemplate else { return json }
        switch json {
        case .null, .bool, .integer, .number: return json
        case .string(let text): return converted(text, at: path, true).map { .string($0) }
        case .array(let elements):
            var copy: [JSON] = []
            for (place, element) in elements.enumerated() {
                guard let value = converted(element, at: path + [.index(place)], true) else { return nil }
                copy.append(value)
            }
            return .array(copy)
        case .object(let object):
            var copy = JSONObject()
            for member in object.members {
                guard !member.name.contains("{{") else {
                    omit(path + [.key(member.name)], "is a name with a template, which has no counterpart")
                    return nil
                }
                guard let value = converted(member.value, at: path + [.key(member.name)], true) else { return nil }
                copy.append(member.name, value)
            }
            return .object(copy)
        }
    }

    /// A JSON body whose texts stay texts; nil where only the text of the whole body can say so.
    private static func asTexts(_ json: JSON) -> JSON? {
        switch json {
        case .null, .bool, .integer, .number: return json
        case .string(let text): return HandlebarsText.asText(text).map { .string($0) }
        case .array(let elements):
            let copy = elements.compactMap(asTexts)
            return copy.count == elements.count ? .array(copy) : nil
        case .object(let object):
            let copy = object.members.compactMap { member in
                asTexts(member.value).map { JSONObject.Member(name: member.name, value: $0) }
            }
            return copy.count == object.count ? .object(JSONObject(copy)) : nil
        }
    }

    // MARK: Delays

    private mutating func delay(_ response: JSONObject) -> JSON? {
        let fixed = response["fixedDelayMilliseconds"].flatMap { $0.isNull ? nil : $0 }
        guard let distribution = response["delayDistribution"], !distribution.isNull else {
            guard let fixed else { return nil }
            return milliseconds(fixed, at: ["response", "fixedDelayMilliseconds"])
        }
        let path: [JSONPathElement] = ["response", "delayDistribution"]
        if fixed != nil { omit(["response", "fixedDelayMilliseconds"], "conflicts with delayDistribution") }
        let range = 0...DelayDistribution.longest
        func number(_ name: String) -> Double? {
            distribution[name]?.coercedNumber.flatMap { range.contains($0) ? $0 : nil }
        }
        switch distribution["type"]?.stringValue {
        case "uniform":
            omitOthers(of: distribution.objectValue ?? [:], than: ["type", "lower", "upper"], at: path)
            guard let low = number("lower"), let high = number("upper"), low <= high else { break }
            return DelayDistribution(.uniform(from: low, to: high)).json
        case "lognormal":
            omitOthers(of: distribution.objectValue ?? [:], than: ["type", "median", "sigma"], at: path)
            guard let median = number("median"), median > 0, let sigma = number("sigma") else { break }
            let p95 = (median * SteadyMath.exponential(1.645 * sigma) * 1_000).rounded() / 1_000
            guard range.contains(p95) else { break }
            return DelayDistribution(.lognormal(median: median, p95: max(p95, median))).json
        case "fixed":
            omitOthers(of: distribution.objectValue ?? [:], than: ["type", "milliseconds"], at: path)
            return milliseconds(distribution["milliseconds"] ?? .null, at: path + ["milliseconds"])
        default: break
        }
        omit(path, "is not a uniform or lognormal distribution of delays up to a day")
        return nil
    }

    private mutating func milliseconds(_ json: JSON, at path: [JSONPathElement]) -> JSON? {
        guard let number = json.coercedNumber, (0...DelayDistribution.longest).contains(number) else {
            omit(path, "is not a number of milliseconds from 0 to 86400000")
            return nil
        }
        return number == 0 ? nil : DelayDistribution(.fixed(milliseconds: number)).json
    }
}
