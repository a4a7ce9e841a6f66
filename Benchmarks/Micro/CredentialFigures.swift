import Backend
import Conditions
import Crypto
import Engine
import Journal
import Proxying
import Worlds

/// Measures the search for credentials of our own in a request to a real backend, with 1,000 issued ones and a million.
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
    issued.note(world: "main")
    for _ in 0..<1_000 { issued.note(word(url, 43)) }
    let few = CredentialSearch(issued)
    for _ in 1_000..<1_000_000 { issued.note(word(url, 43)) }
    let many = CredentialSearch(issued)

    let row = {
        #"{"id":"msg_\#(word(hex, 24))","url":"https:\/\/a.example\/\#(word(hex, 8))","text":"A \"line\".\n"},"#
    }
    let request =
        "POST /api/v1/messages?page=2 HTTP/1.1\u{1}Bearer eyJhbGciOiJIUzI1NiJ9.\(word(url, 240)).\(word(url, 43))\u{1}"
        + "sid=\(word(url, 64)); theme=dark\u{1}[" + (0..<12).map { _ in row() }.joined() + "]"
    let long = 4 * 1_024 * 1_024
    let noise = text(Array(0...255), long)
    let coded = text(base64, long)
    let rows = (0..<long / 110).flatMap { _ in Array(row().utf8) }
    func each(_ bytes: [UInt8], _ form: (UInt8) -> String) -> [UInt8] { bytes.flatMap { Array(form($0).utf8) } }
    func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    let texts: [(name: String, bytes: [UInt8], times: Int)] = [
        ("request of 2 kB", Array(Array(request.utf8).prefix(2_000)), 200),
        ("JSON", rows, 1), ("random bytes", noise, 1), ("Base64", coded, 1),
        ("Base64 in lines", (0..<long / 78).flatMap { coded[($0 * 76)..<($0 * 76 + 76)] + [0x0D, 0x0A] }, 1),
        ("Base64 of JSON", Array(Base64.encode(rows).utf8), 1),
        ("percent", each(Array(noise.prefix(long / 3))) { "%" + digits($0) }, 1),
        ("JSON escapes", each(Array(rows.prefix(long / 6))) { "\\u00" + digits($0) }, 1),
        ("HTML references", each(Array(rows.prefix(long / 5))) { "&#\($0);" }, 1),
        ("quoted-printable", each(Array(noise.prefix(long / 3))) { "=" + digits($0) }, 1),
        ("UTF-16", rows.prefix(long / 2).flatMap { [$0, 0] }, 1),
    ]
    for (secrets, search) in [("1,000", few), ("1,000,000", many)] {
        for text in texts {
            let name = "search \(text.name), \(secrets) secrets"
            var watch = Stopwatch()
            for _ in 0..<15 {
                let isFound = watch.time(per: text.times) {
                    (0..<text.times).contains { _ in search.finds(in: text.bytes) }
                }
                guard !isFound else { throw BedError.refused(name, 0) }
            }
            watch.report(name)
            if text.times == 1 { print("\(name) MB/s", Int(Double(text.bytes.count) * 1_000 / watch.median)) }
        }
    }
}
