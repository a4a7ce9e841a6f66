/// A buffer for decoded text.
///
/// Space is reserved before bytes are added, so that decoding loops need not check for each of them.
final class DerivedText {
    /// The number of bytes after the end that a loop storing whole words may overwrite.
    private static let slack = 16

    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(room: Int) {
        capacity = room + Self.slack
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    func removeAll() { count = 0 }

    /// Has `fill` write at most `most` bytes after the end and return their number.
    @inline(__always)
    func append(atMost most: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        if count + most + Self.slack > capacity { grow(by: most) }
        count += fill(bytes + count)
    }

    func append(_ byte: UInt8) {
        append(atMost: 1) { end in
            end.pointee = byte
            return 1
        }
    }

    private func grow(by most: Int) {
        capacity = max(capacity * 2, count + most + Self.slack)
        let former = bytes
        bytes = .allocate(capacity: capacity)
        bytes.update(from: former, count: count)
        former.deallocate()
    }
}
