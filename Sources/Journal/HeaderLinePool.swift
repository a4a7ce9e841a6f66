import Backend
import Basics
import HTTPMessage

/// Field lines that many exchanges share, stored once.
///
/// Most lines of a response are the same in every response, and most of a request are the same in every request of a
/// client. A line that comes a second time joins the pool and stays there; from then on two bytes stand for it. The
/// pool may be shared among threads, because a journal is read in a copy of its world.
package final class HeaderLinePool: Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        /// Hashes of lines that came once, each at the index that it maps to.
        var seen: [UInt64] = []
    }

    /// The maximum number of lines; the next is their maximum length.
    private static let capacity = 1_024
    private static let longest = 256
    private static let mostSeen = 2_048

    private let state = Locked(State())

    package init() {}

    /// Writes the lines in the form that `read` reads.
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

    /// Returns the index of a line in the pool, which it may join now; nil if it does not.
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

    /// Reads the lines that were written; nil for anything else.
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
