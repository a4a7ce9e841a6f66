import HTTPMessage
import TestSupport
import Testing

@testable import Console

/// Console contract, section 11: codings and conditions.
@Suite struct RepresentationTests {
    @Test func `console 11 gzip is sent only where it is accepted`() {
        for (value, isAccepted) in [
            ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("gzip;q=0", false), ("identity", false),
            ("", false),
            ("*;q=1, gzip;q=0", false), ("GZIP", true), ("gzip ; q=0.000", false), ("gzip;q=0.001", true),
        ] {
            expectEqual(Representations.acceptsGzip(["Accept-Encoding": value]), isAccepted, "\(value)")
        }
        #expect(!Representations.acceptsGzip([:]))
    }
}
