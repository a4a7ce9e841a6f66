import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Transport

@Suite struct TimedLookupTests {
    private static func failure(_ result: Result<[SocketAddress], UpstreamFailure>) -> UpstreamFailure? {
        guard case .failure(let failure) = result else { return nil }
        return failure
    }

    @Test func `13 a lookup that takes too long ends with its time limit`() {
        let canceller = UpstreamCanceller()
        // No lookup ends before it is judged.
        let never = DispatchSemaphore(value: 0)
        let result = TimedLookup.addresses(of: "slow.test", port: 80, within: .milliseconds(50), canceller) { _, _ in
            never.wait()
            return .success([])
        }
        never.signal()
        guard case .failure(let failure) = result else {
            Issue.record("it was found")
            return
        }
        expectEqual(failure.reason, .time)
        expectEqual(failure.detail, "slow.test was not found within 1 s")
    }

    @Test func `13 a lookup ends when the client goes away, and hands out what it finds`() {
        let canceller = UpstreamCanceller()
        // No lookup ends before it is judged.
        let never = DispatchSemaphore(value: 0)
        let found = TimedLookup.addresses(of: "quick.test", port: 80, within: .seconds(300), canceller) { _, port in
            .failure(UpstreamFailure(.lookup, "asked for \(port)"))
        }
        expectEqual(Self.failure(found), UpstreamFailure(.lookup, "asked for 80"))
        canceller.cancel()
        let gone = TimedLookup.addresses(of: "slow.test", port: 80, within: .seconds(300), canceller) { _, _ in
            never.wait()
            return .success([])
        }
        never.signal()
        expectEqual(Self.failure(gone), UpstreamFailure(.cancelled, "the client went away"))
        let numeric = TimedLookup.addresses(of: "127.0.0.1", port: 80, within: .zero, canceller) { _, _ in
            .failure(UpstreamFailure(.lookup, "never asked"))
        }
        guard case .success(let addresses) = numeric else {
            Issue.record("an address is no name")
            return
        }
        expectEqual(addresses.map(\.host), ["127.0.0.1"])
    }

    @Test func `13 a name that nobody answers for takes no lookup from another`() {
        let canceller = UpstreamCanceller()
        let never = DispatchSemaphore(value: 0)
        func look(_ name: String) -> UpstreamFailure? {
            Self.failure(
                TimedLookup.addresses(of: name, port: 80, within: .zero, canceller) { _, _ in
                    never.wait()
                    return .success([])
                }
            )
        }
        for _ in 0..<128 { expectEqual(look("silent.test")?.reason, .time) }
        expectEqual(look("silent.test")?.reason, .busy)
        expectEqual(look("other.test")?.reason, .time)
        for _ in 0..<129 { never.signal() }
    }
}
