import HTTPMessage
import Locking

/// Field lines that many exchanges have in common, kept once.
///
/// Most lines of an answer are the same in every answer, and most of a request are the same in every request of a client.
/// A line that comes a second time is put on the shelf, where it stays; from then on two bytes stand for it. May be shared
/// among threads: a journal is read by whoever has a copy of its world.
package final class HeaderLinePool: Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        /// Hashes of lines that came once, each at the place that it points to.
        var seen: [UInt64] = []
    }

    /// No more lines are kept, and no longer ones.
    private static let capacity = 1_024
    private static let longest = 256
    private static let mostSeen = 2_048

    private let state = Locked(State())

    package init() {}

    /// Writes the lines so that `read` finds them again.
    func write(_ fields: Fields, to writer: inout PackedWriter) {
        let wire = fields.wire
        writer.number(UInt64(fields.count))
        state.withLock { state in
            for place in 0..<fields.count {
                let start = place == 0 ? 0 : fields.nameBytes(at: place).startIndex
                let end = place + 1 < fields.count ? fields.nameBytes(at: place + 1).startIndex : wire.count
                let line = Array(wire[start..<end])
                if let known = Self.place(of: line, &state) {
                    writer.number(UInt64(known) + 1)
                } else {
                    writer.number(0)
                    writer.block(line)
                }
            }
        }
    }

    /// Where a line lies on the shelf, perhaps only from now on; nil if it does not.
    private static func place(of line: [UInt8], _ state: inout State) -> Int? {
        if let place = state.places[line] { return place }
        guard line.count <= longest, state.lines.count < capacity else { return nil }
        if state.seen.isEmpty { state.seen = Array(repeating: 0, count: mostSeen) }
        // FNV-1a, as of texts; never 0, which stands for none.
        let hash = line.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } | 1
        let hosted = Int((hash >> 20) % UInt64(mostSeen))
        guard state.seen[hosted] == hash else {
            state.seen[hosted] = hash
            return nil
        }
        state.places[line] = state.lines.count
        state.lines.append(line)
        return state.lines.count - 1
    }

    /// The lines that were written; nil of anything else.
    func read(_ reader: inout PackedReader) -> Fields? {
        guard let count = reader.number() else { return nil }
        var wire: [UInt8] = []
        let isWhole = state.withLock { state in
            for _ in 0..<count {
                guard let number = reader.number() else { return false }
                if number == 0 {
                    guard let line = reader.block() else { return false }
                    wire += line
                } else {
                    guard let place = Int(exactly: number - 1), place < state.lines.count else { return false }
                    wire += state.lines[place]
                }
            }
            return true
        }
        return isWhole ? Fields(wire: wire) : nil
    }
}
