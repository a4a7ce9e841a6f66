import Foundation
import Testing

/// The last exchange of each test, which a failed comparison shows: a status alone does not say what was asked.
package final class LastExchange: @unchecked Sendable {
    /// Cases of one test are told apart by their tasks.
    private struct Key: Hashable {
        var test: Test.ID?
        var task: Int?

        static var current: Key { Key(test: Test.current?.id, task: withUnsafeCurrentTask { $0?.hashValue }) }
    }

    private static let all = LastExchange()

    // The thread sanitizer knows it, which it does not of `Mutex`.
    private let lock = NSLock()
    private var texts: [Key: String] = [:]

    private init() {}

    /// Notes what a test has asked, and what it was answered; of long contents the beginning.
    package static func note(_ request: String, _ content: [UInt8] = [], status: Int, response: [UInt8]) {
        let parts = [request, beginning(content), "→ \(status)", beginning(response)]
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        all.lock.withLock { all.texts[.current] = text }
    }

    /// The text of the last exchange of the running test; empty if it has had none.
    static var text: String { all.lock.withLock { all.texts[.current] ?? "" } }

    private static func beginning(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(300), as: UTF8.self) + (bytes.count > 300 ? "…" : "")
    }
}
