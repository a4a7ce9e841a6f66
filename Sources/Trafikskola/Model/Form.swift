import Emulation
import HTTPMessage
import JSON

/// Reads the members of a JSON body and collects what does not fit (contract section 2.2).
///
/// Members it is not asked for are ignored; `null` counts as absent.
struct Form {
    static let platforms = ["ios", "android", "web"]

    private let object: JSONObject
    private var details: [(field: String, reason: String)] = []
    private let prefix: String

    init(_ object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
    }

    /// The body of a call: a JSON object.
    ///
    /// An empty body is an empty object where nothing is required.
    init(_ call: Call, mayBeEmpty: Bool = false) throws(APIError) {
        if mayBeEmpty, call.request.body.isEmpty {
            self.init(JSONObject())
            return
        }
        guard let json = try? call.request.json(),
            case .object(let object) = json
        else { throw .invalidJSON }
        self.init(object)
    }

    var members: [JSONObject.Member] { object.members }

    /// The raw member: nil when it is absent, `.null` when it is null.
    subscript(name: String) -> JSON? { object[name] }

    /// Whether the member is there and not null.
    func isGiven(_ name: String) -> Bool { value(name) != nil }

    private func value(_ name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    mutating func fault(_ name: String, _ reason: String) { details.append((prefix + name, reason)) }

    /// A text; a required one is not empty.
    mutating func text(
        _ name: String,
        required: Bool = false,
        length: ClosedRange<Int>? = nil,
        oneOf values: [String]? = nil
    ) -> String? {
        guard let found = value(name) else {
            if required { fault(name, "is required") }
            return nil
        }
        guard let text = found.stringValue else {
            fault(name, "must be a string")
            return nil
        }
        if required, text.isEmpty {
            fault(name, "must not be empty")
        } else if let length, !length.contains(text.length) {
            fault(name, "must have \(length.lowerBound) to \(length.upperBound) characters")
        } else if let values, !values.contains(text) {
            fault(name, "must be one of \(values.joined(separator: ", "))")
        } else {
            return text
        }
        return nil
    }

    mutating func integer(_ name: String, required: Bool = false, in range: ClosedRange<Int64>) -> Int? {
        guard let found = value(name) else {
            if required { fault(name, "is required") }
            return nil
        }
        guard let number = found.intValue, range.contains(number) else {
            fault(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return Int(number)
    }

    mutating func number(_ name: String, required: Bool = false, in range: ClosedRange<Double>) -> Double? {
        guard let found = value(name) else {
            if required { fault(name, "is required") }
            return nil
        }
        guard let number = found.doubleValue, range.contains(number) else {
            fault(name, "must be a number in its range")
            return nil
        }
        return number
    }

    mutating func boolean(_ name: String, required: Bool = false) -> Bool? {
        guard let found = value(name) else {
            if required { fault(name, "is required") }
            return nil
        }
        guard let flag = found.boolValue else {
            fault(name, "must be true or false")
            return nil
        }
        return flag
    }

    mutating func array(_ name: String) -> [JSON]? {
        guard let found = value(name) else {
            fault(name, "is required")
            return nil
        }
        guard let elements = found.arrayValue else {
            fault(name, "must be an array")
            return nil
        }
        return elements
    }

    mutating func strings(_ name: String) -> [String]? {
        guard let elements = array(name) else { return nil }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else {
            fault(name, "must be an array of strings")
            return nil
        }
        return texts
    }

    /// An object, read by a form of its own.
    mutating func object<Value>(_ name: String, _ read: (inout Form) -> Value) -> Value? {
        guard let found = value(name) else { return nil }
        guard case .object(let object) = found else {
            fault(name, "must be an object")
            return nil
        }
        var inner = Form(object, prefix: prefix + name + ".")
        let result = read(&inner)
        details += inner.details
        return result
    }

    /// An e-mail address, trimmed.
    mutating func email(_ name: String = "email", checked: Bool = true) -> String? {
        guard let text = text(name, required: true)?.trimmed else { return nil }
        guard !checked || Self.isAddress(text) else {
            fault(name, "must be an email address")
            return nil
        }
        return text
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.length <= 254 else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value > 0x20 }
    }

    /// What a device says of itself, if it says anything (section 2.6).
    mutating func deviceInfo() -> DeviceInfo {
        object("deviceInfo") { form in
            DeviceInfo(
                deviceId: form.text("deviceId", length: 1...255),
                platform: form.text("platform", oneOf: Self.platforms),
                deviceName: form.text("deviceName"),
                deviceModel: form.text("deviceModel"),
                osVersion: form.text("osVersion"),
                appVersion: form.text("appVersion"),
                pushToken: form.text("pushToken")
            )
        } ?? DeviceInfo()
    }

    /// Throws if anything did not fit.
    func finish() throws(APIError) {
        guard details.isEmpty else { throw .validation(details) }
    }

    /// A value that was read without a fault.
    func required<Value>(_ value: Value?) throws(APIError) -> Value {
        try finish()
        guard let value else { throw .validation("body", "does not fit") }
        return value
    }
}

extension Form {
    /// All members, which have to be texts.
    mutating func texts() -> [Notification.Datum] {
        var found: [Notification.Datum] = []
        for member in members {
            guard let text = member.value.stringValue else {
                fault(member.name, "must be a string")
                continue
            }
            found.append(Notification.Datum(name: member.name, value: text))
        }
        return found
    }
}
