extension QRCode {
    /// The code as lines of half-block characters, two rows of modules each, with `border` light modules around.
    ///
    /// A terminal is usually dark, so that what is drawn is light; `isInverted` is for light ones.
    package func lines(border: Int, isInverted: Bool) -> [String] {
        stride(from: -border, to: size + border, by: 2).map { y in
            (-border..<size + border).map { x in
                let upper = isDark(x: x, y: y) == isInverted
                // Below the last row there is nothing to draw.
                let lower = y + 1 < size + border && isDark(x: x, y: y + 1) == isInverted
                return switch (upper, lower) {
                case (true, true): "\u{2588}"
                case (true, false): "\u{2580}"
                case (false, true): "\u{2584}"
                case (false, false): " "
                }
            }
            .joined()
        }
    }
}
