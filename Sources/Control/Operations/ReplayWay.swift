import Backend
import HTTPMessage
import Journal

/// The way on which a request of the journal is sent again: its own, so that links in the answer are the same.
///
/// Names of the world on it become that of the world of the replay: a fork has the journal of its original.
struct ReplayWay {
    /// Tells whether it goes through the API's mount on the hub.
    let isMounted: Bool
    /// The prefix before the API's own path.
    private(set) var prefix: String
    /// The authority of an absolute target; nil where the target is a path.
    private(set) var authority: String?
    /// The value of the Host field; nil for a request without one.
    private(set) var host: String?
    /// The value of the field that names the world; nil where the request has none.
    private(set) var world: String?
    /// Tells whether the target or a field names the world.
    private(set) var namesWorld: Bool

    /// Repeats the way that an entry tells.
    ///
    /// With `namesFaults` the hosts below `bad.localhost` name no world (transport contract, section 6).
    init(
        repeating way: RequestTargetForm,
        of entry: JournalEntry,
        to api: String,
        in world: String,
        namesFaults: Bool
    ) {
        isMounted = way.prefix.hasSuffix("/" + api)
        prefix = way.prefix
        authority = way.authority
        host = entry.headers[.host]
        namesWorld = prefix.hasPrefix("/@")
        if namesWorld { prefix = "/@\(world)" + (isMounted ? "/" + api : "") }
        if entry.headers.contains(.world) {
            self.world = world
            namesWorld = true
        }
        // The authority of an absolute target counts instead of the field.
        guard let named = authority ?? host, let label = Address.worldLabel(ofHost: named, namesFaults: namesFaults)
        else { return }
        namesWorld = true
        guard label != world else { return }
        let renamed = world + named.dropFirst(label.count)
        if authority == nil { host = renamed } else { authority = renamed }
    }

    /// Makes up a way for an entry that does not tell its own, from the fields that it has.
    init(
        guessedFrom entry: JournalEntry,
        to api: String,
        in world: String,
        ports: (hub: Int?, own: Int?),
        isWorldRequired: Bool
    ) {
        let asked = entry.headers[.host] ?? ""
        let port = ControlSafety.port(of: asked)
        isMounted = port != nil && port == ports.hub && ports.hub != ports.own
        prefix = isMounted ? "/" + api : ""
        namesWorld = true
        if let name = ControlSafety.host(of: asked), Address.worldLabel(ofHost: name) == nil {
            host = asked
            if entry.headers.contains(.world) {
                self.world = world
            } else if world != WorldName.main || isWorldRequired {
                nameWorld(world)
            } else {
                namesWorld = false
            }
        } else {
            // A host whose label names the world.
            host = "\(world).localhost" + ((isMounted ? ports.hub : ports.own).map { ":\($0)" } ?? "")
        }
    }

    /// Names the world in the path, for a request that would not find it by itself.
    mutating func nameWorld(_ world: String) {
        prefix = "/@\(world)" + prefix
        namesWorld = true
    }
}
