/// A list divided into pieces, so that the first write to a copy costs one piece and the list of pieces, not the whole.
///
/// With a million elements that is a few thousand references instead of a million.
@usableFromInline struct SharedList<Element: Sendable>: Sendable {
    @inlinable static var pieceSize: Int { 256 }

    @usableFromInline var pieces: [[Element]] = []
    @usableFromInline var count = 0

    @inlinable init() {}

    @inlinable subscript(place: Int) -> Element {
        get { pieces[place / Self.pieceSize][place % Self.pieceSize] }
        _modify { yield &pieces[place / Self.pieceSize][place % Self.pieceSize] }
    }

    @inlinable mutating func append(_ element: Element) {
        if count % Self.pieceSize == 0 { pieces.append([]) }
        pieces[count / Self.pieceSize].append(element)
        count += 1
    }
}
