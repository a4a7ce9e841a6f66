import Foundation
public import UnderstudyClient
public import XCTest

/// An XCTest case that gives each test a world of its own.
///
/// When a test fails, possible causes are printed: faults that never hit, gates that held nothing, requests that
/// nothing matched, and the journal, which is attached on Apple's platforms. The asynchronous `setUp` and `tearDown` are
/// used here; a subclass that overrides them calls `super`'s.
///
///     final class ProfileTests: UnderstudyTestCase {
///         override var worldScenarios: [String] { ["omnichat/unicode"] }
///
///         func testTheWorldIsItsOwn() async throws {
///             XCTAssertNotEqual(try world.name, "main")
///         }
///     }
open class UnderstudyTestCase: XCTestCase {
    private let held = Guarded<World?>(nil)
    /// The gates that a failure has told of.
    private let toldGates = Guarded<Set<String>>([])

    /// The initial clock of the world; override to set one.
    open var worldClock: UnderstudyServer.Clock? { nil }

    /// The scenarios to switch on; override to choose some.
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
                let report = await FailureReport(of: world, leavingOut: toldGates.withLock { $0 })
                FileHandle.standardError.write(Data("Understudy on \(name):\n\(report.text)\n".utf8))
                #if canImport(ObjectiveC)
                let attachment = XCTAttachment(data: report.journal, uniformTypeIdentifier: "public.json")
                attachment.name = "understudy-journal.json"
                add(attachment)
                #endif
            }
            try? await world.delete()
            held.withLock { $0 = nil }
        }
    }

    #if canImport(ObjectiveC)
    open override func record(_ issue: XCTIssue) {
        note(issue.compactDescription)
        super.record(issue)
    }
    #else
    open override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        note(description)
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    #endif

    /// Notes which gate a failure tells of: the report does not say it again.
    private func note(_ failure: String) {
        if let gate = GateError.name(in: failure) { toldGates.withLock { _ = $0.insert(gate) } }
    }

    /// Judges the client's conduct: a failure for each finding at or above a level.
    ///
    ///     final class ConductTests: UnderstudyTestCase {
    ///         func testItBehaves() async throws {
    ///             try await verifyConduct(.error)
    ///         }
    ///     }
    public func verifyConduct(
        _ level: ConductReport.Severity,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        for finding in try await world.conduct().findings(atLeast: level) {
            XCTFail(finding.description, file: file, line: line)
        }
    }
}
