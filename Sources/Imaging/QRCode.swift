import CQRencode

/// A QR code (ISO/IEC 18004) of a text's UTF-8 bytes, error correction M.
package struct QRCode: Sendable {
    /// The longest side of a picture, in pixels.
    package static let maximumSide = 8_192

    /// Modules on a side: 21…177.
    package let size: Int
    private let modules: [Bool]

    /// The smallest code that holds the text, or nil for an empty one or one over 2,331 bytes.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 2_331,
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        guard size > 0, let data = code.pointee.data else { return nil }
        self.size = size
        modules = UnsafeBufferPointer(start: data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Returns true if the module in column `x` and row `y` is dark; everything outside is light.
    package func isDark(x: Int, y: Int) -> Bool {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return false }
        return modules[y * size + x]
    }

    /// A black and white PNG, `scale` pixels a module, with `border` light modules around (the standard asks for 4).
    ///
    /// `border` is taken into 0…64, `scale` to at least 1 and to what stays within `maximumSide`.
    package func png(scale: Int, border: Int) -> [UInt8] {
        let border = min(max(border, 0), 64)
        let scale = min(max(scale, 1), Self.maximumSide / (size + 2 * border))
        return png(side: scale * (size + 2 * border), scale: scale)
    }

    /// A black and white PNG of exactly `side` pixels, modules as large as fit with at least `border` light ones around.
    ///
    /// `border` is taken into 0…64, `side` to at least a pixel a module and at most `maximumSide`.
    package func png(side: Int, border: Int) -> [UInt8] {
        let smallest = size + 2 * min(max(border, 0), 64)
        let side = min(max(side, smallest), Self.maximumSide)
        return png(side: side, scale: side / smallest)
    }

    private func png(side: Int, scale: Int) -> [UInt8] {
        let margin = (side - scale * size) / 2
        var indices = [UInt8](repeating: 0, count: side * side)
        for y in 0..<size {
            for x in 0..<size where isDark(x: x, y: y) {
                for line in 0..<scale {
                    let start = (margin + y * scale + line) * side + margin + x * scale
                    for column in 0..<scale { indices[start + column] = 1 }
                }
            }
        }
        let palette = Palette(colours: [255, 255, 255, 255, 0, 0, 0, 255], indices: indices)
        return PNGCodec.encode(palette, width: side, height: side)
    }
}
