import Backend
import CivilTime
import Conditions
import Handshakes
import JSON

/// The order of a connection fault (transport contract, section 6): strict, with the path of each mistake.
extension ConnectionFault {
    /// The names that a call may use.
    struct Known {
        var apis: [String]
        /// The API of the port or of `?api=`, which the match then means.
        var scope: String?
        /// Returns a numeric address in its usual form.
        var numericAddress: (String) -> String?
    }

    /// The longest wait of a handshake, in milliseconds: a day.
    static let longestWait: Int64 = 86_400_000
    /// The longest pattern of names.
    static let longestPattern = 1_024

    private enum HandshakeKind: String, CaseIterable { case stall, slow, reset, close, garbage, alert }
    private enum Version: String, CaseIterable {
        case tls10 = "tls1.0"
        case tls11 = "tls1.1"
        case tls12 = "tls1.2"

        var version: TLSVersion {
            switch self {
            case .tls10: .tls10
            case .tls11: .tls11
            case .tls12: .tls12
            }
        }
    }
    private enum Closing: String, CaseIterable { case noNotify = "no-notify" }

    /// The members of an effect, of which exactly one is given.
    private static let kinds = ["certificate", "handshake", "protocol", "alpn", "clientCertificate", "close"]

    /// Reads a fault; mistakes are noted in `check`.
    static func read(_ check: inout BodyCheck, _ known: Known) -> ConnectionFault? {
        check.limitSize()
        let name = check.read(name)
        let match = check.inner("match") { readMatch(&$0, known) } ?? Match(api: known.scope)
        let when = check.inner("when", readWhen) ?? When()
        if check.value("effect") == nil { check.fault("effect", "is required") }
        guard let effect = check.inner("effect", readEffect) else { return nil }
        var fault = ConnectionFault(effect, name: name, match: match, when: when)
        fault.order = order(&check, scope: known.scope)
        return fault
    }

    /// The members as they were sent, in the order of the contract.
    private static func order(_ check: inout BodyCheck, scope: String?) -> JSONObject {
        var order = JSONObject()
        if let name = check.value("name") { order.append("name", name) }
        var match = withoutNulls(check.value("match")?.objectValue ?? JSONObject())
        if let scope, match["api"] == nil {
            match = JSONObject([JSONObject.Member(name: "api", value: .string(scope))] + match.members)
        }
        order.append("match", .object(match))
        if let when = check.value("when")?.objectValue { order.append("when", .object(withoutNulls(when))) }
        if let effect = check.value("effect")?.objectValue { order.append("effect", .object(withoutNulls(effect))) }
        return order
    }

    private static func withoutNulls(_ object: JSONObject) -> JSONObject {
        JSONObject(object.members.filter { !$0.value.isNull })
    }

    private static func readMatch(_ check: inout BodyCheck, _ known: Known) -> Match? {
        var match = Match(api: known.scope)
        if let api = check.read(api) {
            let allowed = known.scope.map { [$0] } ?? known.apis + [hub]
            if allowed.contains(api) {
                match.api = api
            } else {
                check.fault("api", MemberReason.choice(.string(api), among: allowed))
            }
        }
        match.serverName = check.read(serverName)
        if let peer = check.read(peer) {
            if let address = known.numericAddress(peer) {
                match.peer = address
            } else {
                check.fault("peer", "must be a numeric address such as 127.0.0.1 or ::1")
            }
        }
        return match
    }

    private static func readWhen(_ check: inout BodyCheck) -> When? {
        var when = When()
        when.skip = check.read(skip) ?? 0
        when.times = check.read(times)
        when.every = check.read(every) ?? 1
        when.probability = check.read(probability) ?? 1
        return when
    }

    private static func readEffect(_ check: inout BodyCheck) -> Effect? {
        let given = check.named(kinds)
        guard given.count == 1 else {
            for name in kinds + ["forMs", "ms", "alert"] { _ = check.present(name) }
            check.fault("must have exactly one of \(kinds.joined(separator: ", "))")
            return nil
        }
        switch given[0] {
        case "certificate": return check.choice("certificate", CertificateCase.self).map { .certificate($0) }
        case "handshake": return readDisturbance(&check).map { .handshake($0) }
        case "protocol": return check.choice("protocol", Version.self).map { .version($0.version) }
        case "alpn": return check.choice("alpn", Selection.self).map { .selection($0) }
        case "clientCertificate":
            return check.choice("clientCertificate", Demand.self).map { .clientCertificate($0) }
        default: return check.choice("close", Closing.self).map { _ in .endWithoutNotify }
        }
    }

    private static func readDisturbance(_ check: inout BodyCheck) -> Disturbance? {
        guard let kind = check.choice("handshake", HandshakeKind.self) else {
            for name in ["forMs", "ms", "alert"] { _ = check.present(name) }
            return nil
        }
        switch kind {
        case .stall: return .stall(check.integer("forMs", in: 0...longestWait).map { .milliseconds($0) })
        case .slow:
            if check.value("ms") == nil { check.fault("ms", "is required") }
            return check.integer("ms", in: 0...longestWait).map { .slow(.milliseconds($0)) }
        case .reset: return .reset
        case .close: return .close
        case .garbage: return .garbage
        case .alert:
            guard let name = check.requiredString("alert") else { return nil }
            guard let alert = TLSAlert(name: name), TLSAlert.sendable.contains(name) else {
                check.fault("alert", MemberReason.choice(.string(name), among: TLSAlert.sendable))
                return nil
            }
            return .alert(alert)
        }
    }

    // MARK: Members

    private static let name = BodyMember("name", .string())
    private static let api = BodyMember("api", .string())
    private static let serverName: BodyMember<String> = {
        let rule = TextRule(.rule("must be a pattern of 1 to \(longestPattern) bytes, such as *.localhost")) {
            (1...longestPattern).contains($0.utf8.count)
        }
        return BodyMember(
            "sni",
            RequestValue.string(rule).documented(as: .string(minLength: 1, maxLength: longestPattern))
        )
    }()
    private static let peer = BodyMember("peer", .string())
    private static let skip = BodyMember("skip", .count())
    private static let times = BodyMember("times", .count(from: 1))
    private static let every = BodyMember("every", .count(from: 1))
    private static let probability = BodyMember("probability", .number(in: 0...1))

    static let matchSchema = JSONSchema.closed(api.property, serverName.property, peer.property)
    static let whenSchema = JSONSchema.closed(skip.property, times.property, every.property, probability.property)

    /// The schema of an order.
    static let schema = JSONSchema.closed(
        JSONSchema.Property("effect", effectSchema),
        name.property,
        JSONSchema.Property("match", matchSchema, isRequired: false),
        JSONSchema.Property("when", whenSchema, isRequired: false)
    )

    /// The effects, for the document.
    static let effectSchema: JSONSchema = .oneOf([
        closed("certificate", CertificateCase.allCases.map(\.rawValue)),
        .closed(
            [("handshake", .string(enumeration: ["stall"]))],
            optional: [("forMs", .integer(minimum: 0, maximum: longestWait))]
        ),
        .closed([
            ("handshake", .string(enumeration: ["slow"])), ("ms", .integer(minimum: 0, maximum: longestWait)),
        ]),
        closed("handshake", ["reset", "close", "garbage"]),
        .closed([
            ("handshake", .string(enumeration: ["alert"])), ("alert", .string(enumeration: TLSAlert.sendable)),
        ]),
        closed("protocol", Version.allCases.map(\.rawValue)), closed("alpn", Selection.allCases.map(\.rawValue)),
        closed("clientCertificate", Demand.allCases.map(\.rawValue)), closed("close", Closing.allCases.map(\.rawValue)),
    ])

    private static func closed(_ name: String, _ words: [String]) -> JSONSchema {
        .closed([(name, .string(enumeration: words))])
    }
}
