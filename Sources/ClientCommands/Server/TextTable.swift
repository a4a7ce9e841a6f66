import Traffic

/// A table for people: aligned columns that fit the terminal's width (clients contract, section 1).
struct TextTable {
    struct Column {
        let title: String
        var isRight = false
        /// Tells whether the column gives up width first where there is too little.
        var isFlexible = false
        /// Tells whether the column names its row, and so gives up width last: a name that is cut can't be typed.
        var isKey = false

        init(_ title: String, isRight: Bool = false, isFlexible: Bool = false, isKey: Bool = false) {
            self.title = title
            self.isRight = isRight
            self.isFlexible = isFlexible
            self.isKey = isKey
        }
    }

    struct Cell: ExpressibleByStringLiteral {
        let text: String
        let color: TextStyle.Color?

        init(_ text: String, _ color: TextStyle.Color? = nil) {
            self.text = VisibleText.escaped(text)
            self.color = color
        }

        init(stringLiteral text: String) { self.init(text) }
    }

    private static let gap = 2
    /// The columns below which a flexible column is not made narrower.
    private static let narrowest = 8
    /// The columns below which one beside the names is not made narrower while the names are whole.
    private static let shortest = 2

    let columns: [Column]
    private(set) var rows: [[Cell]] = []

    init(_ columns: [Column]) { self.columns = columns }

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// The lines, the titles first; cut to the width if there is one.
    func lines(width: Int?, _ style: TextStyle) -> [String] {
        // A column in which nothing stands is left out.
        let used = columns.indices.filter { place in rows.contains { !$0[place].text.isEmpty } }
        var widths = used.map { place in
            max(
                TextLayout.width(of: columns[place].title),
                rows.map { TextLayout.width(of: $0[place].text) }.max() ?? 0
            )
        }
        if let width { fit(&widths, used, to: width) }
        let titles = columns.map { Cell($0.title, .dim) }
        return ([titles] + rows).map { row in
            var line = ""
            for (number, place) in used.enumerated() {
                let isLast = number == used.count - 1
                let text = TextLayout.cut(row[place].text, to: widths[number])
                let blanks = String(repeating: " ", count: widths[number] - TextLayout.width(of: text))
                let shown = style(text, row[place].color)
                line += columns[place].isRight ? blanks + shown : isLast ? shown : shown + blanks
                if !isLast { line += String(repeating: " ", count: Self.gap) }
            }
            return line
        }
    }

    /// Makes columns narrower until the table fits: flexible ones first, those that name their row last, the widest first.
    private func fit(_ widths: inout [Int], _ used: [Int], to width: Int) {
        func total() -> Int { widths.reduce(0, +) + Self.gap * max(widths.count - 1, 0) }
        let turns: [(least: Int, (Column) -> Bool)] = [
            (Self.narrowest, { $0.isFlexible }), (Self.shortest, { !$0.isKey }), (1, { _ in true }),
        ]
        for (least, gives) in turns {
            while total() > width {
                let places = widths.indices.filter { widths[$0] > least && gives(columns[used[$0]]) }
                guard let widest = places.max(by: { widths[$0] < widths[$1] }) else { break }
                widths[widest] -= 1
            }
        }
    }

    /// Prints the table, or a sentence on standard error where it has no rows.
    func print(_ style: TextStyle, orSay nothing: String) {
        guard !rows.isEmpty else { return Terminal.error(nothing) }
        for line in lines(width: Terminal.tableWidth, style) { Terminal.out(line) }
    }
}
