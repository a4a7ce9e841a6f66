import CivilTime
import Recording

extension Archives {
    /// An exchange as a recorder saw it: a POST with that content, and an answer in JSON.
    static func posted(_ target: String, _ type: String, _ body: [UInt8], answer: String = "{}") -> HAREntry {
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
                content: HARContent(size: 2, mimeType: "application/json", bytes: Array(answer.utf8))
            ),
            timings: HARTimings()
        )
    }
}
