import Foundation
public import UnderstudyClient
public import XCTest

/// An XCTest case that gives each test a world of its own.
///
/// When a test fails its journal is attached (on Apple's platforms) and its exchanges are printed. The asynchronous `setUp`
/// and `tearDown` are used here; a subclass that overrides them calls `super`'s.
open class UnderstudyTestCase: XCTestCase {
    private let held = Guarded<World?>(nil)

    /// The initial clock of the world; override to set one.
    open var worldClock: UnderstudyServer.Clock? { nil }

    /// The scenarios to switch on; override to name some.
    open var worldScenarios: [String] { [] }

    /// The world of the test that is running.
    public var world: World {
        get throws {
            guard let world = held.withLock({ $0 }) else { throw ControlError.noWorld }
            return world
        }
    }

    open override func setUp() async throws {
        let world = try await UnderstudyServer.shared.get().world(clock: worldClock, scenarios: worldScenarios)
        held.withLock { $0 = world }
    }

    open override func tearDown() async throws {
        if let world = held.withLock({ $0 }) {
            if let run = testRun, run.totalFailureCount > 0 {
                FileHandle.standardError.write(
                    Data("Understudy's journal of \(name):\n\(await world.summary())\n".utf8)
                )
                #if canImport(ObjectiveC)
                let attachment = XCTAttachment(data: await world.report(), uniformTypeIdentifier: "public.json")
                attachment.name = "understudy-journal.json"
                add(attachment)
                #endif
            }
            try? await world.delete()
            held.withLock { $0 = nil }
        }
    }
}
