import ClientCommands
import JSON

/// The booted iOS simulators, which only macOS has.
///
/// `simctl` can add a root and remove none: erasing a simulator takes it away.
enum SimulatorStore {
    static func additions(of root: String) -> [TrustChange] {
        booted.map { device in
            TrustChange(
                store: .simulators,
                place: "\(device.name) (\(device.id))",
                commands: [["xcrun", "simctl", "keychain", device.id, "add-root-cert", root]]
            )
        }
    }

    private static var booted: [(name: String, id: String)] {
        guard Tool.path("xcrun") != nil else { return [] }
        let list = ToolRun(["xcrun", "simctl", "list", "devices", "booted", "-j"])
        guard list.status == 0, let json = try? JSONReader.read(list.output),
            let runtimes = json["devices"]?.objectValue
        else { return [] }
        return runtimes.members.flatMap { $0.value.arrayValue ?? [] }.compactMap { device in
            guard let id = device["udid"]?.stringValue else { return nil }
            return (device["name"]?.stringValue ?? "simulator", id)
        }
    }
}
