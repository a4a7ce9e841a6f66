import Backend
import Certificates
import CustomAPIs
package import ForwardProxy
import JSON
import Worlds

/// The forward proxy as it was asked for (proxy contract, section 1).
package struct ForwardProxySettings: Sendable {
    /// An entry of `--tunnel` with its place.
    package struct Passed: Sendable {
        package var text: String
        package var place: String

        package init(text: String, place: String) {
            self.text = text
            self.place = place
        }
    }

    /// The usual port.
    package static let usualPort = 4_679

    /// The port; 0 takes any.
    package var port = usualPort
    package var entries: [HostMap.Draft] = []
    package var passed: [Passed] = []
    package var unmapped = HostMap.Unmapped.tunnel
    /// The clients' password; nil where any does.
    package var token: String?
    /// Tells whether the token was made, so that the user has to be shown it.
    package var isTokenMade = false

    package init() {}

    /// Returns the proxy with its map of the APIs that are served.
    func state(_ apis: [AnyAPI]) throws(StartError) -> ForwardProxyState {
        let names = apis.map(\.identity.name)
        do throws(HostMap.Fault) {
            let map = try HostMap(
                entries + Self.declared(apis),
                tunnels: passed.map { ($0.text, $0.place) },
                unmapped: unmapped,
                apis: names
            ) { name in
                "no API is named \"\(name)\" (there are \(names.joined(separator: ", ")))"
                    + Suggestion.hint(to: name, among: names)
            }
            return ForwardProxyState(map, token: token)
        } catch {
            throw .proxy(error.message)
        }
    }

    /// The hosts that APIs of the user's own declare.
    private static func declared(_ apis: [AnyAPI]) -> [HostMap.Draft] {
        apis.flatMap { api in
            (api.customAPIDefinition?.hosts ?? []).map {
                HostMap.Draft(host: $0, api: api.identity.name, place: "\(api.identity.name)/api.json", rank: 3)
            }
        }
    }
}

extension HostMap {
    /// The names that certificates are needed for; those below a name are permitted with it.
    var names: [DNSName] {
        var names: [DNSName] = []
        for entry in entries {
            if let name = DNSName(entry.pattern.name), !names.contains(name) { names.append(name) }
        }
        return names
    }
}
