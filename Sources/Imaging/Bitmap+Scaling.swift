extension Bitmap {
    /// The bitmap made to fit into a square of `side` pixels, its ratio kept.
    ///
    /// Never enlarges; each side stays at least one pixel. Every pixel of the result is the exact average of the area it
    /// covers (in whole numbers, colours weighted by their alpha), so the bytes are the same on every machine.
    package func scaled(toFit side: Int) -> Bitmap {
        let longest = max(width, height)
        let side = max(side, 1)
        guard longest > side else { return self }
        let newWidth = Self.scaledLength(width, side: side, longest: longest)
        let newHeight = Self.scaledLength(height, side: side, longest: longest)
        return averaged(width: newWidth, height: newHeight)
    }

    /// `length * side / longest` to the nearest pixel, at least one.
    private static func scaledLength(_ length: Int, side: Int, longest: Int) -> Int {
        max(1, (2 * length * side + longest) / (2 * longest))
    }

    /// The area averages, for a size that is nowhere larger than this one's.
    private func averaged(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let columns = AveragingSpan.spans(of: width, in: newWidth)
        let rows = AveragingSpan.spans(of: height, in: newHeight)
        let area = UInt64(width) * UInt64(height)
        let result = [UInt8](unsafeUninitializedCapacity: 4 * newWidth * newHeight) { target, count in
            var sums = [UInt64](repeating: 0, count: 4 * newWidth)
            for (y, row) in rows.enumerated() {
                for index in sums.indices { sums[index] = 0 }
                for line in row.first...row.last {
                    addLine(line, weight: row.weight(of: line), columns: columns, to: &sums)
                }
                for x in 0..<newWidth {
                    let base = 4 * (y * newWidth + x)
                    let alpha = sums[4 * x + 3]
                    for channel in 0..<3 {
                        let sum = sums[4 * x + channel]
                        (target.baseAddress.unsafelyUnwrapped + base + channel)
                            .initialize(to: alpha == 0 ? 0 : UInt8((sum + alpha / 2) / alpha))
                    }
                    (target.baseAddress.unsafelyUnwrapped + base + 3)
                        .initialize(to: UInt8((alpha + area / 2) / area))
                }
            }
            count = 4 * newWidth * newHeight
        }
        return Bitmap(checkedWidth: newWidth, height: newHeight, pixels: result)
    }

    /// Adds one line's share to the sums of a row: colour times alpha, and alpha, each times its area.
    ///
    /// The largest sum is 255 · 255 · 65,500², far inside 64 bits.
    private func addLine(_ line: Int, weight: UInt64, columns: [AveragingSpan], to sums: inout [UInt64]) {
        pixels.withUnsafeBufferPointer { pixels in
            sums.withUnsafeMutableBufferPointer { sums in
                for (x, column) in columns.enumerated() {
                    var red: UInt64 = 0
                    var green: UInt64 = 0
                    var blue: UInt64 = 0
                    var alpha: UInt64 = 0
                    for position in column.first...column.last {
                        let base = 4 * (line * width + position)
                        let share = column.weight(of: position) * UInt64(pixels[base + 3])
                        red += share * UInt64(pixels[base])
                        green += share * UInt64(pixels[base + 1])
                        blue += share * UInt64(pixels[base + 2])
                        alpha += share
                    }
                    sums[4 * x] += weight * red
                    sums[4 * x + 1] += weight * green
                    sums[4 * x + 2] += weight * blue
                    sums[4 * x + 3] += weight * alpha
                }
            }
        }
    }
}
