import Emulation
import Understudy

/// Measures the search for credentials of our own in a request to a real backend, with 1,000 issued ones.
func measureCredentials() throws {
    var random = SystemRandomNumberGenerator()
    func text(_ alphabet: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
    }
    let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let hex = Array("0123456789abcdef".utf8)
    func word(_ alphabet: [UInt8], _ count: Int) -> String { String(decoding: text(alphabet, count), as: UTF8.self) }

    let issued = IssuedSecrets()
    for _ in 0..<1_000 { issued.note(word(url, 43)) }
    let search = CredentialSearch(issued)

    let row = {
        #"{"id":"msg_\#(word(hex, 24))","url":"https:\/\/a.example\/\#(word(hex, 8))","text":"A \"line\".\n"},"#
    }
    let request =
        "POST /api/v1/messages?page=2 HTTP/1.1\u{1}Bearer eyJhbGciOiJIUzI1NiJ9.\(word(url, 240)).\(word(url, 43))\u{1}"
        + "sid=\(word(url, 64)); theme=dark\u{1}[" + (0..<12).map { _ in row() }.joined() + "]"
    let long = 4 * 1_024 * 1_024
    let texts: [(name: String, bytes: [UInt8], times: Int)] = [
        ("search request of 2 kB", Array(Array(request.utf8).prefix(2_000)), 200),
        ("search JSON", (0..<long / 110).flatMap { _ in Array(row().utf8) }, 1),
        ("search random bytes", text(Array(0...255), long), 1),
        ("search Base64", text(base64, long), 1),
        ("search percent", (0..<long / 3).flatMap { _ in [0x25] + text(hex, 2) }, 1),
    ]
    for text in texts {
        var watch = Stopwatch()
        for _ in 0..<15 {
            let isFound = watch.time(per: text.times) {
                (0..<text.times).contains { _ in search.finds(in: text.bytes) }
            }
            guard !isFound else { throw BedError.refused(text.name, 0) }
        }
        watch.report(text.name)
        if text.times == 1 { print("\(text.name) MB/s", Int(Double(text.bytes.count) * 1_000 / watch.median)) }
    }
}
