package import APIDocs
package import Backend
package import Engine
import HTTPMessage
package import JSON
import Worlds

/// The operations and settings that a module above adds to the control API.
package struct ControlAdditions: Sendable {
    /// Listed behind the operations of verification.
    package var operations: [ControlOperation]
    package var settings: [WorldSetting]

    package init(operations: [ControlOperation] = [], settings: [WorldSetting] = []) {
        self.operations = operations
        self.settings = settings
    }
}

/// A part of the settings that belongs to a whole world and to none of its APIs.
package struct WorldSetting: Sendable {
    /// The member of the settings.
    let name: String
    let json: @Sendable (Emulator.HostedWorld) -> JSON
    /// Reads a change from the settings that were sent; nil where they have none.
    ///
    /// The result makes the change, once all of the settings have been read.
    let change: @Sendable (inout BodyCheck, Emulator.HostedWorld, Emulator) -> (() -> Void)?

    package init(
        _ name: String,
        json: @escaping @Sendable (Emulator.HostedWorld) -> JSON,
        change: @escaping @Sendable (inout BodyCheck, Emulator.HostedWorld, Emulator) -> (() -> Void)?
    ) {
        self.name = name
        self.json = json
        self.change = change
    }
}

/// The operations of the control API, which its router, its document and its page read.
package struct ControlTable: Sendable {
    let operations: [ControlOperation]
    /// The parts of a world's settings that modules above read.
    let settings: [WorldSetting]
    let router: Router

    package init(adding additions: ControlAdditions = ControlAdditions()) {
        let operations = Self.all(with: additions.operations)
        self.operations = operations
        settings = additions.settings
        do throws(Router.Conflict) {
            router = try Router(
                operations.enumerated().compactMap { place, operation in
                    RouteTemplate(String(operation.route.template.dropFirst("/__admin".count)))
                        .map { Router.Row(method: operation.route.method, template: $0, index: place) }
                }
            )
        } catch {
            preconditionFailure("control: \(error)")
        }
    }

    /// All operations in the order in which they are listed.
    private static func all(with added: [ControlOperation]) -> [ControlOperation] {
        let traffic =
            FaultOperations.all + StubOperations.all + LatencyOperations.all + GateOperations.all
            + JournalOperations.all + VerificationOperations.all + added + UnmatchedOperations.all
        let content =
            SnapshotOperations.all + StateOperations.all + ModeOperations.all + TableOperations.all
            + UserOperations.all + NoteOperations.all + CoverageOperations.all + CompareOperations.all
            + ReplayOperations.all + TLSOperations.all + ConnectionFaultOperations.all
        return ProcessOperations.all + WorldOperations.all + ClockOperations.all + ScenarioOperations.all + traffic
            + EventOperations.all + TokenOperations.all + DocumentationOperations.all + QROperations.all + content
    }

    /// Returns the OpenAPI document of the control API; with the names of the APIs it lists them.
    package func document(servers: [String], apis: [String] = []) -> OpenAPIDescription {
        OpenAPIDescription(
            title: "Understudy control API",
            version: "1",
            description:
                "Worlds, clock, scenarios, settings, faults, latency, gates, tokens and the journal of a running Understudy.",
            servers: servers,
            routes: operations.map { operation in
                var route = operation.route
                guard !apis.isEmpty else { return route }
                for place in route.parameters.indices {
                    switch route.parameters[place].name {
                    case "api": route.parameters[place].schema = .string(enumeration: apis)
                    case "file":
                        route.parameters[place].schema = .string(enumeration: (apis + ["control"]).map { $0 + ".json" })
                    default: continue
                    }
                }
                return route
            }
        )
    }

    /// Returns the place of a call's operation and what its path names; HEAD has that of GET.
    func find(_ method: HTTPMessage.HTTPMethod, _ path: Path) -> (Int, [String])? {
        for method in method == .head ? [.head, .get] : [method] {
            if case .found(let row, let parameters) = router.route(method, path) { return (row.index, parameters) }
        }
        return nil
    }
}
