import CivilTime
import HTTPMessage
import HTTPWire
import JSON
import Recording

/// The parsers that read what others have recorded or answer.
enum RecordingFuzz {
    /// An archive reads the same however it is cut, and what was read can be redacted, written and read again.
    static func readArchive(_ input: ArraySlice<UInt8>) {
        let whole = read(input, pieces: .max)
        let cut = read(input, pieces: 3)
        precondition((whole == nil) == (cut == nil), "the pieces decide whether an archive reads")
        guard let whole, let cut else { return }
        precondition(whole == cut, "the pieces decide what an archive says")
        let clean = whole.map(Redactor().entry)
        let written = HARText.file(clean, version: "0")
        guard let again = read(written[...], pieces: .max) else {
            preconditionFailure("a written archive does not read")
        }
        precondition(again.count == clean.count, "a written archive has other entries")
        replay(whole)
    }

    /// Checks that each entry is found by its own request, and that its response can be made with links to the
    /// emulator.
    private static func replay(_ entries: [HAREntry]) {
        var book = ReplayIndex()
        var reader = ReplayPlace()
        for (place, entry) in entries.enumerated() { book.add(entry, file: 0, offset: place, length: 1) }
        let links = LinkRewriter(book.homes, to: "http://127.0.0.1:1/@w")
        for entry in entries.prefix(4) {
            guard entry.response.status >= 200, let address = HARAddress(entry.request.url) else { continue }
            let live = book.fingerprint(of: entry, address)
            if case .none = book.choose(live, at: &reader, failsWhenExhausted: false) {
                preconditionFailure("an entry is not found by its own request")
            }
            let answer = ReplayAnswer(speed: 1, shift: DateShift(by: .seconds(86_400)), links: links)
            _ = answer.response(entry, requestID: nil, isHead: entry.request.method == "HEAD")
            for home in book.homes where !home.contains("127.0.0.1:1") {
                precondition(
                    !links.text("see http://\(home)/a").contains("//\(home)/") || LinkRewriter.normal(home) != home,
                    "an address of the backend is left"
                )
            }
        }
    }

    private static func read(_ input: ArraySlice<UInt8>, pieces: Int) -> [HAREntry]? {
        var reader = HARStreamReader(limit: 1 << 20)
        var entries: [HAREntry] = []
        var place = input.startIndex
        do throws(HARError) {
            while place < input.endIndex {
                let end = place + min(pieces, input.endIndex - place)
                entries += try reader.feed(input[place..<end]).map(\.entry)
                place = end
            }
            try reader.finish()
            return entries
        } catch {
            return nil
        }
    }

    /// Events are the same however the stream is cut.
    static func parseEvents(_ input: ArraySlice<UInt8>) {
        var whole = EventStreamParser()
        var cut = EventStreamParser()
        let events = whole.feed(input)
        let pieces = input.indices.flatMap { cut.feed(input[$0...$0]) }
        precondition(events.map(\.data) == pieces.map(\.data), "the pieces decide the events")
        precondition(events.allSatisfy { $0.end <= input.count }, "an event ends behind the stream")
        _ = Redactor().content(Array(input), type: "text/event-stream")
    }

    /// An answer's content is the same however it is cut.
    static func parseAnswer(_ input: ArraySlice<UInt8>) {
        precondition(content(input, pieces: .max) == content(input, pieces: 1), "the pieces decide the content")
    }

    private static func content(_ input: ArraySlice<UInt8>, pieces: Int) -> [UInt8]? {
        var parser = ResponseParser(isHead: false)
        var content: [UInt8] = []
        var place = input.startIndex
        do throws(ResponseFault) {
            while place < input.endIndex, !parser.isComplete {
                let end = place + min(pieces, input.endIndex - place)
                parser.received(input[place..<end])
                while let event = try parser.next() {
                    if case .content(let bytes) = event { content += bytes }
                }
                place = end
            }
            _ = try parser.closed()
            return content
        } catch {
            return nil
        }
    }
}
