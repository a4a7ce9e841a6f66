import Recording

/// Leads links in text that comes in pieces.
struct LinkStream {
    private let links: LinkRewriter
    /// The end of the text so far, in which an address may have begun.
    private var held: [UInt8] = []
    /// The byte before it, which decides whether an address may begin there.
    private var last: UInt8?

    init(_ links: LinkRewriter) { self.links = links }

    /// Takes the next piece, and returns what can leave.
    mutating func next(_ bytes: [UInt8]) -> [UInt8] {
        held += bytes
        return take(LinkRewriter.wholeLength(held))
    }

    /// Returns the rest, when the text has ended.
    mutating func end() -> [UInt8] { take(held.count) }

    private mutating func take(_ length: Int) -> [UInt8] {
        let before = last.map { [$0] } ?? []
        let text = before + held[..<length]
        held.removeFirst(length)
        last = text.last
        return Array(links.piece(text).dropFirst(before.count))
    }
}
