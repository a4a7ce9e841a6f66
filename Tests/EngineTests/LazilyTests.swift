import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Backend

/// Control contract, section 17: the loop asks whether something has been read while a worker reads it.
@Suite struct LazilyTests {
    @Test func `17 a value is made once, and asking whether it is made does not wait for it`() {
        let (begun, mayEnd, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let value = Lazily {
            begun.signal()
            mayEnd.wait()
            return 7
        }
        #expect(!value.isMade)
        Thread.detachNewThread {
            _ = value.value
            ended.signal()
        }
        begun.wait()
        #expect(!value.isMade)
        mayEnd.signal()
        ended.wait()
        #expect(value.isMade)
        expectEqual(value.value, 7)
        #expect(Lazily(7).isMade)
    }
}
