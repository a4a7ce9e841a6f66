import JSON

/// The texts that the lines of a stream send piece by piece: each member of their JSON, and lines other than JSON.
enum EventTexts {
    /// A text in the stream: its line, and its place in that line's JSON.
    private struct Piece {
        var line: Int
        /// The path of the member; empty for a line that is not JSON.
        var path: String
        var text: String
    }

    private static let options = JSONReader.Options(maxDepth: 512)
    /// The maximum number of members that are examined; a stream grows by fewer.
    private static let mostPaths = 256

    /// Returns the start of the value in a `data` line of server-sent events.
    static func dataStart(_ line: [UInt8]) -> Int? {
        guard line.starts(with: Array("data:".utf8)) else { return nil }
        return line.count > 5 && line[5] == 0x20 ? 6 : 5
    }

    /// Replaces the text of each member over all lines.
    ///
    /// `dataStart` returns the start of a line's data, or nil; `change` gets the pieces of one member. `rest` replaces
    /// the other texts of a changed line.
    static func rewrite(
        _ lines: inout [[UInt8]],
        _ dataStart: ([UInt8]) -> Int?,
        rest: (String) -> String = { $0 },
        _ change: ([String]) -> [String]
    ) {
        var order: [String] = []
        var pieces: [String: [Piece]] = [:]
        for place in lines.indices {
            guard let start = dataStart(lines[place]) else { continue }
            let data = Array(lines[place][start...].filter { $0 != 0x0D })
            func add(_ path: String, _ text: String) {
                if pieces[path] == nil, order.count < mostPaths {
                    order.append(path)
                    pieces[path] = []
                }
                pieces[path]?.append(Piece(line: place, path: path, text: text))
            }
            if let json = try? JSONReader.read(data, options: options) {
                leaves(json, "", add)
            } else {
                add("", String(decoding: data, as: UTF8.self))
            }
        }
        var changed: [Int: [String: [String?]]] = [:]
        for path in order {
            guard let run = pieces[path], run.count > 1 else { continue }
            let texts = change(run.map(\.text))
            guard zip(run, texts).contains(where: { $0.text != $1 }) else { continue }
            for (piece, text) in zip(run, texts) {
                changed[piece.line, default: [:]][path, default: []].append(piece.text == text ? nil : text)
            }
        }
        for place in lines.indices {
            guard let texts = changed[place], texts.values.contains(where: { $0.contains { $0 != nil } }),
                let start = dataStart(lines[place])
            else { continue }
            let hasReturn = lines[place].last == 0x0D
            let data = Array(lines[place][start...].filter { $0 != 0x0D })
            let rewritten: [UInt8]
            if let json = try? JSONReader.read(data, options: options) {
                var left = texts.mapValues { Array($0.reversed()) }
                rewritten = replacing(json, "", &left, rest).serialized()
            } else {
                rewritten = Array((texts[""]?.first.flatMap { $0 } ?? "").utf8)
            }
            lines[place] = lines[place][..<start] + rewritten + (hasReturn ? [0x0D] : [])
        }
    }

    /// Visits the texts of a value with their paths; members of one path in several elements count as one.
    private static func leaves(_ json: JSON, _ path: String, _ add: (String, String) -> Void) {
        switch json {
        case .string(let text): add(path + "$", text)
        case .array(let items): for item in items { leaves(item, path + "[]", add) }
        case .object(let object): for member in object.members { leaves(member.value, path + "/" + member.name, add) }
        case .null, .bool, .integer, .number: break
        }
    }

    /// Returns the value with the texts of each path, in the order in which `leaves` visited them.
    private static func replacing(
        _ json: JSON,
        _ path: String,
        _ texts: inout [String: [String?]],
        _ rest: (String) -> String
    ) -> JSON {
        switch json {
        case .string(let text):
            // Last first.
            let changed = texts[path + "$"]?.popLast().flatMap { $0 }
            return .string(changed ?? rest(text))
        case .array(let items): return .array(items.map { replacing($0, path + "[]", &texts, rest) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map {
                        JSONObject.Member(
                            name: $0.name,
                            value: replacing($0.value, path + "/" + $0.name, &texts, rest)
                        )
                    }
                )
            )
        case .null, .bool, .integer, .number: return json
        }
    }
}

/// A text that comes in pieces.
enum JoinedText {
    /// A replacement, with its range in the joined pieces.
    struct Span {
        var range: Range<Int>
        var text: [UInt8]
    }

    /// Returns the pieces; the replacement of a span is in the piece where the span began.
    static func replaced(_ pieces: [String], _ joined: [UInt8], _ spans: [Span]) -> [String] {
        guard !spans.isEmpty else { return pieces }
        var output: [String] = []
        output.reserveCapacity(pieces.count)
        var start = 0
        var next = 0
        for piece in pieces {
            let end = start + piece.utf8.count
            var text: [UInt8] = []
            var place = start
            while place < end {
                while next < spans.count, spans[next].range.upperBound <= place { next += 1 }
                guard next < spans.count, spans[next].range.lowerBound < end else {
                    text += joined[place..<end]
                    place = end
                    continue
                }
                let span = spans[next]
                if place < span.range.lowerBound { text += joined[place..<span.range.lowerBound] }
                if span.range.lowerBound >= place { text += span.text }
                place = min(span.range.upperBound, end)
            }
            output.append(String(decoding: text, as: UTF8.self))
            start = end
        }
        return output
    }
}
