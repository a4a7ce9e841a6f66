import CivilTime
import HTTPMessage
import JSON
import Recording
import Testing

/// Secrets in places where nobody expects them, and requests with them that are still found.
@Suite struct UnusualPlaceTests {
    private static func entry(
        _ target: String = "/a",
        _ body: [UInt8] = [],
        type: String = "application/json"
    ) -> HAREntry {
        let url = "https://api.example.com" + target
        var request = HARRequest(method: "POST", url: url, headers: [HARPair("Content-Type", type)])
        request.query = HARAddress(url)?.queryPairs ?? []
        if !body.isEmpty { request.postData = HARPostData(mimeType: type, bytes: body) }
        return HAREntry(
            started: Instant(seconds: 1_700_000_000),
            request: request,
            response: HARResponse(
                status: 200,
                statusText: "OK",
                headers: [],
                content: HARContent(size: 2, mimeType: "application/json", bytes: Array("{}".utf8))
            ),
            timings: HARTimings()
        )
    }

    private static func written(_ entry: HAREntry) -> String {
        String(decoding: HARText.file([entry], version: "1"), as: UTF8.self)
    }

    /// Whether a request fits the entry that was recorded of another.
    private static func fits(_ entry: HAREntry, _ recorded: HAREntry) -> Bool {
        var book = ReplayBook()
        book.add(recorded, file: 0, offset: 0, length: 1)
        guard let address = HARAddress(entry.request.url) else { return false }
        let live = book.fingerprint(of: entry, address)
        return book.candidate(for: live, at: ReplayPlace(), failsWhenExhausted: false) == .line(0)
    }

    @Test func `13 a reason phrase loses its secrets`() {
        var entry = Self.entry()
        entry.response.statusText = "Locked anna@example.com"
        #expect(Redactor().entry(entry).response.statusText == "Locked redacted-email-1@example.invalid")
    }
}
