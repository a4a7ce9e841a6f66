import ClientCommands
import JSON
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The settings before `proxy on`, kept in a file of the user's data until `proxy off` puts them back (proxy contract,
/// section 8).
struct FormerProxySettings {
    /// The setting of a network service, or of a device.
    struct Entry: Equatable {
        let target: ProxySetting.Target
        /// The service, or the device's serial; empty for the only device.
        let name: String
        /// The script or the proxy that was there; empty for none.
        var former: String
        /// Tells whether it was used.
        var wasOn: Bool
        /// The script or proxy that `on` has set in its place.
        var set: String
    }

    private(set) var entries: [Entry] = []

    /// The file; nil where the user's data have no place.
    private static var path: String? { AuthorityPlace.data.map { "\($0)/former-proxy.json" } }

    /// Reads the file; empty where there is none.
    init() {
        guard let path = Self.path, let bytes = try? FolderReader.contents(ofFile: path),
            let items = (try? JSONReader.read(bytes))?.arrayValue
        else { return }
        entries = items.compactMap { item in
            guard let target = item["target"]?.stringValue.flatMap({ ProxySetting.Target(rawValue: $0) }),
                let name = item["name"]?.stringValue, let former = item["former"]?.stringValue,
                let wasOn = item["wasOn"]?.boolValue, let set = item["set"]?.stringValue
            else { return nil }
            return Entry(target: target, name: name, former: former, wasOn: wasOn, set: set)
        }
    }

    func entry(_ target: ProxySetting.Target, _ name: String) -> Entry? {
        entries.first { $0.target == target && $0.name == name }
    }

    func entries(of target: ProxySetting.Target) -> [Entry] { entries.filter { $0.target == target } }

    mutating func keep(_ entry: Entry) {
        entries.removeAll { $0.target == entry.target && $0.name == entry.name }
        entries.append(entry)
    }

    mutating func forget(_ gone: [Entry]) { entries.removeAll { gone.contains($0) } }

    /// Writes the file, or removes it where nothing is kept.
    func save() throws(CommandFailure) {
        guard let path = Self.path else {
            guard entries.isEmpty else {
                throw .failed("HOME is not set, so that nobody could put back what is set now")
            }
            return
        }
        guard !entries.isEmpty else {
            _ = unlink(path)
            return
        }
        for place in path.indices where path[place] == "/" && place != path.startIndex {
            _ = mkdir(String(path[..<place]), 0o700)
        }
        let items = entries.map { entry -> JSON in
            [
                "target": .string(entry.target.rawValue), "name": .string(entry.name), "former": .string(entry.former),
                "wasOn": .bool(entry.wasOn), "set": .string(entry.set),
            ]
        }
        try FileText.replace(path, with: Array(JSON.array(items).text.utf8))
    }
}
