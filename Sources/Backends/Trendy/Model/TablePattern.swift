/// A pattern of `like`: `*` and `%` stand for any text, `_` for one character, a backslash takes the next one as it is.
struct TablePattern: Sendable {
    private enum Piece: Sendable, Equatable {
        case any
        case one
        case scalar(Unicode.Scalar)
    }

    private let pieces: [Piece]
    private let ignoresCase: Bool

    init(_ text: String, ignoresCase: Bool) {
        self.ignoresCase = ignoresCase
        var pieces: [Piece] = []
        var isEscaped = false
        for scalar in (ignoresCase ? text.lowercased() : text).unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                pieces.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "*", "%": if pieces.last != .any { pieces.append(.any) }
            case "_": pieces.append(.one)
            default: pieces.append(.scalar(scalar))
            }
        }
        self.pieces = pieces
    }

    /// Tells whether the whole text fits.
    func fits(_ text: String) -> Bool {
        let scalars = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
        var place = 0
        var piece = 0
        // The last star, and the place up to which it has taken the text.
        var star: (piece: Int, place: Int)?
        while place < scalars.count {
            if piece < pieces.count, pieces[piece] == .any {
                star = (piece, place)
                piece += 1
            } else if piece < pieces.count, pieces[piece] == .one || pieces[piece] == .scalar(scalars[place]) {
                piece += 1
                place += 1
            } else if let last = star {
                star = (last.piece, last.place + 1)
                piece = last.piece + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .any }
    }
}
