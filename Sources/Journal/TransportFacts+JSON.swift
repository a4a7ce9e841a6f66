import Crypto
package import Handshakes
package import JSON

/// The form in which the journal shows the way of a request (transport contract, section 3).
extension TransportFacts {
    package var json: JSON {
        var object: JSONObject = ["scheme": .string(scheme.rawValue), "httpVersion": .string(version.rawValue)]
        if let stream { object.append("stream", .integer(Int64(stream))) }
        if let tls { object.append("tls", tls.json) }
        return .object(object)
    }

    /// The facts in that form; nil for any other.
    package convenience init?(json: JSON) {
        guard let scheme = json["scheme"]?.stringValue.flatMap({ Scheme(rawValue: $0) }),
            let version = json["httpVersion"]?.stringValue.flatMap({ Version(rawValue: $0) })
        else { return nil }
        var stream: UInt32?
        if let number = json["stream"] {
            guard let value = number.intValue.flatMap({ UInt32(exactly: $0) }) else { return nil }
            stream = value
        }
        var tls: TLSFacts?
        if let form = json["tls"] {
            guard let facts = TLSFacts(json: form) else { return nil }
            tls = facts
        }
        self.init(scheme: scheme, version: version, stream: stream, tls: tls)
    }

    convenience init?(text: String) {
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return nil }
        self.init(json: json)
    }
}

extension TLSFacts {
    package var json: JSON {
        var object: JSONObject = ["version": .string(version.name), "cipher": .string(cipher)]
        if let serverName { object.append("sni", .string(serverName)) }
        if let applicationProtocol { object.append("alpn", .string(applicationProtocol)) }
        object.append("resumed", .bool(isResumed))
        if let clientCertificate {
            object.append(
                "clientCertificate",
                [
                    "subject": .string(clientCertificate.subject),
                    "sha256": .string(Hex.encode(clientCertificate.fingerprint)),
                ]
            )
        }
        if let fault { object.append("fault", .string(fault)) }
        return .object(object)
    }

    init?(json: JSON) {
        guard let version = json["version"]?.stringValue.flatMap({ TLSVersion(name: $0) }),
            let cipher = json["cipher"]?.stringValue, let isResumed = json["resumed"]?.boolValue
        else { return nil }
        var certificate: ClientCertificate?
        if let sent = json["clientCertificate"] {
            guard let subject = sent["subject"]?.stringValue,
                let fingerprint = sent["sha256"]?.stringValue.flatMap({ Hex.decode($0) }), fingerprint.count == 32
            else { return nil }
            certificate = ClientCertificate(subject: subject, fingerprint: fingerprint)
        }
        self.init(
            version: version,
            cipher: cipher,
            serverName: json["sni"]?.stringValue,
            applicationProtocol: json["alpn"]?.stringValue,
            isResumed: isResumed,
            clientCertificate: certificate,
            fault: json["fault"]?.stringValue
        )
    }
}
